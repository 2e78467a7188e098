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

import { type Member, member } from '../core/naming/family.ts';
import type { Call } from '../core/trace/call.ts';
import type { Answer, ContextText } from '../core/trace/trace.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import { required } from '../models/port.ts';
import { languageModel } from '../models/ports.ts';
import { generateStructured, REPAIR_TOKENS } from '../models/structured.ts';
import { ANSWER_TOKENS } from '../planning/short-answer.ts';
import { parseAnswer, type Reading, readAnswer } from './generative-answer.ts';
import { readingPrompt, SHORT_FORM } from './generative-prompt.ts';
import { INSUFFICIENT, type Reader } from './reader.ts';
import { type ShownPassage, shownPassages } from './shown-passages.ts';
import { readWritten, WRITTEN_FORM, WRITTEN_TOKENS } from './written-answer.ts';

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
    const [read, atMost, expected] =
      form === 'free'
        ? ([written, WRITTEN_CALLS, 120] as const)
        : ([short, SHORT_CALLS, 40] as const);
    const { calls, extra, completionTokens } = atMost;
    const planned: PlannedCalls = {
      role: 'finalAnswer',
      ...{ atMost: calls, promptTokens: limit + extra, completionTokens },
      expected: { calls: 1, promptTokens: limit, completionTokens: expected },
    };
    return {
      name,
      needs: [MODEL],
      modelCalls: [planned],
      async read(question, context, evidence, kit, call): Promise<Answer> {
        if (evidence.length === 0) return { kind: 'abstained', reason: INSUFFICIENT, support: 0 };
        const passages = await shownPassages(context, kit.engine, call);
        const model = kit.resource(MODEL);
        return read({ question, context, evidence, uncited, passages, limit, model, call });
      },
    };
  },
});

const SHORT_CALLS = {
  calls: 2,
  extra: ANSWER_TOKENS + REPAIR_TOKENS,
  completionTokens: ANSWER_TOKENS,
};
const WRITTEN_CALLS = { calls: 1, extra: 0, completionTokens: WRITTEN_TOKENS };

interface Asked extends Reading {
  readonly context: ContextText;
  readonly limit: number;
  readonly model: LanguageModel;
  readonly call: Call;
}

async function short(asked: Asked): Promise<Answer> {
  const { question, passages: all, limit, model, call } = asked;
  const reading = readingPrompt(question.text, all, limit, SHORT_FORM);
  if (!reading) return { ...nothingFits(limit), ...cut(all.length) };
  const output = await generateStructured(model, reading.prompt, parseAnswer, call);
  return {
    ...readAnswer(output, { ...asked, passages: reading.passages }),
    ...cut(reading.unread),
  };
}

async function written(asked: Asked): Promise<Answer> {
  const { question, limit, model, call } = asked;
  const all = numbered(asked);
  const reading = readingPrompt(question.text, all, limit, WRITTEN_FORM);
  if (!reading) return { ...nothingFits(limit), ...cut(all.length) };
  const { text } = await model.generate(reading.prompt, call);
  return { ...readWritten(text, { ...asked, passages: reading.passages }), ...cut(reading.unread) };
}

/** Numbers the passages by the documents of the evidence, from 1, as evidence is listed. */
function numbered({ passages, context, evidence }: Asked): ShownPassage[] {
  const order = [...new Set(evidence.map(({ documentId }) => documentId))];
  return passages.map((passage, index) => ({
    ...passage,
    number: order.indexOf(context.parts[index]!.documentId) + 1,
  }));
}

function nothingFits(limit: number): Answer {
  return {
    kind: 'abstained',
    reason: `The question and a passage do not fit into a prompt of ${limit} tokens`,
    support: 0,
  };
}

const cut = (unread: number): { unread?: number } => (unread > 0 ? { unread } : {});
