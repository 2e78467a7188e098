/**
 * `generative`: a language model answers from the context and names the passages that it used; its
 * output is checked.
 *
 * Makes one call a question, and one more to repair its JSON. Passages are shown as numbered data;
 * a citation of a number that was not shown is invalid, and an answer without a valid citation is
 * withheld. Parts of the answer that the cited passages do not contain are marked `unsupported`.
 */
import { required } from '../models/port.ts';
import { languageModel } from '../models/ports.ts';
import { generateStructured, REPAIR_TOKENS } from '../models/structured.ts';
import { type Member, member } from '../naming/family.ts';
import { ANSWER_TOKENS } from '../planning/short-answer.ts';
import type { Answer } from '../trace/trace.ts';
import { parseAnswer, readAnswer } from './generative-answer.ts';
import { readingPrompt } from './generative-prompt.ts';
import { INSUFFICIENT, type Reader } from './reader.ts';
import { shownPassages } from './shown-passages.ts';

/**
 * Fits a model with a context of 2,048 tokens even by the estimate, which is about twice the real
 * number for most texts.
 */
const PROMPT_TOKENS = 2000;

const MODEL = required(languageModel);

export const generative: Member<Reader> = member({
  name: 'generative',
  summary:
    'A language model answers from the passages and cites them; citations are checked, and unsupported parts are marked',
  paper:
    'after the final answer of Hieu et al., Multi-Hop Retrieval-Augmented Generation for Question Answering, 2025, with citations',
  cost: '1 model call, 2 if its JSON is repaired',
  parameters: [
    {
      name: 'prompt',
      type: 'integer',
      default: PROMPT_TOKENS,
      min: 500,
      max: 1_000_000,
      summary:
        'most tokens of the prompt, as estimated from its bytes; further passages are left out whole',
    },
    {
      name: 'uncited',
      type: 'text',
      default: 'withhold',
      choices: ['withhold', 'mark'],
      summary:
        'treatment of an answer without a valid citation: withhold it, or give it marked unsupported',
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
        const output = await generateStructured(
          kit.resource(MODEL),
          reading.prompt,
          parseAnswer,
          call,
        );
        return {
          ...readAnswer(output, { question, passages: reading.passages, evidence, uncited }),
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
