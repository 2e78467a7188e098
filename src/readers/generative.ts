/**
 * `generative`: a language model answers from the context and names the passages that it used; its
 * output is checked.
 *
 * Makes one call a question; the short form, JSON, may take a second one to repair it. Passages are
 * shown as numbered data; a citation of a number that was not shown is dropped, and an answer
 * without a valid citation is withheld. Parts of the answer that the cited passages do not contain
 * are marked `unsupported`. In free form each sentence cites for itself, by the numbers of the
 * documents of the evidence.
 */

import { defined } from '../core/defined.ts';
import { type Member, member } from '../core/naming/family.ts';
import { required } from '../core/port.ts';
import type { Answer } from '../core/trace/trace.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import { languageModel } from '../models/ports.ts';
import { ANSWER_TOKENS } from '../models/short-answer.ts';
import { generateStructured, REPAIR_TOKENS } from '../models/structured.ts';
import { type Answered, abstained } from './draft.ts';
import { parseAnswer, readAnswer } from './generative-answer.ts';
import { readingPrompt, SHORT_FORM } from './generative-prompt.ts';
import { type Reader, type Reading, readerOf } from './reader.ts';
import { type ShownPassage, shownPassages } from './shown-passages.ts';
import { readWritten, WRITTEN_FORM } from './written-answer.ts';

/**
 * Fits a model with a context of 2,048 tokens even by the estimate, which is about twice the real
 * number for most texts.
 */
const PROMPT_TOKENS = 2000;

const MODEL = required(languageModel);

export const generative: Member<Reader> = member({
  name: 'generative',
  summary:
    'A language model answers from the passages and cites them sentence by sentence; citations are checked, and unsupported parts are marked',
  paper:
    'after the final answer of Hieu et al., Multi-Hop Retrieval-Augmented Generation for Question Answering, 2025, with citations',
  cost: '1 model call; in short form 2 if its JSON is repaired',
  parameters: [
    {
      name: 'form',
      type: 'text',
      default: 'free',
      choices: ['free', 'short'],
      summary:
        'free: sentences, each with its citations; short: a word, a name, a number or a date, as evaluations compare answers',
    },
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
  create({ form, prompt: limit, uncited }, name) {
    const { prompt, calls, extra, expected } = FORMS[form];
    const planned: PlannedCalls = {
      role: 'finalAnswer',
      atMost: calls,
      promptTokens: limit + extra,
      completionTokens: prompt.maxTokens,
      expected: { calls: 1, promptTokens: limit, completionTokens: expected },
    };
    const read = async (reading: Reading): Promise<Answer> => {
      const { question, evidence, kit, call } = reading;
      const shown = await shownPassages(reading.context, kit.engine, call);
      const all = form === 'free' ? numbered(shown, reading) : shown;
      const read = readingPrompt(question.text, all, limit, prompt);
      if (!read) return nothingFits(limit, all.length);
      const basis = { question, passages: read.passages, evidence, uncited };
      const model = kit.resource(MODEL);
      const answer =
        form === 'free'
          ? readWritten((await model.generate(read.prompt, call)).text, basis)
          : readAnswer(await generateStructured(model, read.prompt, parseAnswer, call), basis);
      return defined<Answered>({ ...answer, unread: read.unread || undefined });
    };
    return readerOf(name, read, { needs: [MODEL], modelCalls: [planned] });
  },
});

/** The prompt of each form, its calls with the tokens that a repair adds, and usual tokens. */
const FORMS = {
  free: { prompt: WRITTEN_FORM, calls: 1, extra: 0, expected: 120 },
  short: { prompt: SHORT_FORM, calls: 2, extra: ANSWER_TOKENS + REPAIR_TOKENS, expected: 40 },
} as const;

/** Numbers the passages by the documents of the evidence, from 1, as evidence is listed. */
function numbered(
  passages: readonly ShownPassage[],
  { context, evidence }: Reading,
): ShownPassage[] {
  const order = [...new Set(evidence.map(({ documentId }) => documentId))];
  return passages.map((passage, index) => ({
    ...passage,
    number: order.indexOf(context.parts[index]!.documentId) + 1,
  }));
}

const nothingFits = (limit: number, unread: number): Answer =>
  defined({
    ...abstained(`The question and a passage do not fit into a prompt of ${limit} tokens`),
    unread: unread || undefined,
  });
