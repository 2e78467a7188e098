/**
 * `generative`: a language model answers from the context and names the passages that it answers
 * from; what it says is checked before it counts.
 *
 * One call a question, and one more where its JSON has to be repaired. Passages are shown as data,
 * numbered; a number that none of them has is no citation, and an answer of which no citation
 * stands is withheld. What the cited passages do not hold is marked `unsupported`.
 */
import { required } from '../models/port.ts';
import { languageModel } from '../models/ports.ts';
import { generateStructured, REPAIR_TOKENS } from '../models/structured.ts';
import { type Member, member } from '../naming/family.ts';
import { ANSWER_TOKENS } from '../planning/short-answer.ts';
import type { Answer } from '../trace/trace.ts';
import { readAnswer, saidAnswer } from './generative-answer.ts';
import { readingPrompt } from './generative-prompt.ts';
import { INSUFFICIENT, type Reader } from './reader.ts';
import { shownPassages } from './shown-passages.ts';

/**
 * Leaves a model of 2,048 tokens nothing to spare; most texts have half as many tokens as they are
 * taken to have.
 */
const PROMPT_TOKENS = 2000;

const MODEL = required(languageModel);

export const generative: Member<Reader> = member({
  name: 'generative',
  summary:
    'A language model answers from the passages and cites them; citations are checked, what they do not hold is marked',
  paper: 'after the query-decomposition sheet, section 5 (finalAnswer), with citations',
  cost: '1 model call, 2 where its JSON is repaired',
  parameters: [
    {
      name: 'prompt',
      type: 'integer',
      default: PROMPT_TOKENS,
      min: 500,
      max: 1_000_000,
      summary:
        'tokens of the prompt at most, as estimated from its bytes; passages beyond are left out whole',
    },
    {
      name: 'uncited',
      type: 'text',
      default: 'withhold',
      choices: ['withhold', 'mark'],
      summary:
        'an answer that cites nothing it was shown is withheld, or given and marked unsupported',
    },
  ],
  create(settings, name) {
    const limit = settings.prompt;
    const uncited = settings.uncited;
    const calls = {
      role: 'finalAnswer',
      atMost: 2,
      promptTokens: limit + ANSWER_TOKENS + REPAIR_TOKENS,
      completionTokens: ANSWER_TOKENS,
    };
    return {
      name,
      needs: [MODEL],
      modelCalls: [{ ...calls, expected: { calls: 1, promptTokens: limit, completionTokens: 40 } }],
      async read(question, context, evidence, kit, call): Promise<Answer> {
        if (evidence.length === 0) return { kind: 'abstained', reason: INSUFFICIENT, support: 0 };
        const all = await shownPassages(context, kit.engine, call);
        const reading = readingPrompt(question.text, all, limit);
        if (!reading) return { ...nothingFits(limit), ...cut(all.length) };
        const said = await generateStructured(
          kit.resource(MODEL),
          reading.prompt,
          saidAnswer,
          call,
        );
        return {
          ...readAnswer(said, { question, passages: reading.passages, evidence, uncited }),
          ...cut(reading.unread),
        };
      },
    };
  },
});

function nothingFits(limit: number): Answer {
  return {
    kind: 'abstained',
    reason: `The question and a passage do not fit into a prompt of ${limit} tokens`,
    support: 0,
  };
}

const cut = (unread: number): { unread?: number } => (unread > 0 ? { unread } : {});
