/** Answers from a context by one call of a language model, or two in short form. */

import { defined } from '../core/defined.ts';
import { PortError } from '../core/errors.ts';
import { required } from '../core/port.ts';
import type { Call } from '../core/trace/call.ts';
import type { LanguageModel, Prompt } from '../models/language-model.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import { languageModel } from '../models/ports.ts';
import { promptTokens } from '../models/prompt-tokens.ts';
import { ANSWER_TOKENS } from '../models/short-answer.ts';
import { generateStructured, REPAIR_TOKENS } from '../models/structured.ts';
import { filteredReply, withCut } from './cut-answer.ts';
import { type Answered, abstained } from './draft.ts';
import { parseAnswer, readAnswer } from './generative-answer.ts';
import {
  type PromptForm,
  type ReadingPrompt,
  readingPrompt,
  SHORT_FORM,
} from './generative-prompt.ts';
import type { Prompted } from './grounds.ts';
import type { Reader, Reading } from './reader.ts';
import { type ShownPassage, shownPassages } from './shown-passages.ts';
import { readWritten, WRITTEN_FORM } from './written-answer.ts';

const MODEL = required(languageModel);

/** Parameters of a reader that asks a language model. */
export const GENERATIVE_PARAMETERS = [
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
    // Fits a model with a context of 2,048 tokens even by the estimate, which is about twice the
    // real number for most texts.
    default: 2000,
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
] as const;

export interface GenerativeSettings {
  readonly form: 'free' | 'short';
  /** Most tokens of the prompt. */
  readonly prompt: number;
  readonly uncited: 'withhold' | 'mark';
}

/** The part of a reader that asks a language model: its needs, planned calls and reading. */
export interface Generative extends Pick<Required<Reader>, 'needs' | 'modelCalls'> {
  /** Answers from the context; `candidates` are texts that may be the answer. */
  readWith(reading: Reading, candidates?: readonly string[]): Promise<Answered>;
}

/** A form of answers: its prompt, calls, tokens that a repair adds (`extra`), and usual tokens. */
export interface AnswerForm {
  readonly prompt: PromptForm;
  readonly calls: number;
  readonly extra: number;
  readonly expected: number;
  /** True if passages have the numbers of their documents. */
  readonly byDocument?: boolean;
  readonly answer: (
    model: LanguageModel,
    prompt: Prompt,
    basis: Prompted,
    call: Call,
  ) => Promise<Answered>;
}

/** Returns what `generative` does by these settings. */
export const generativeWith = (settings: GenerativeSettings): Generative =>
  generativeIn(FORMS[settings.form], settings);

/** Asks for answers of a form. */
export function generativeIn(
  { prompt, calls, extra, expected, byDocument, answer: ask }: AnswerForm,
  { prompt: limit, uncited }: Omit<GenerativeSettings, 'form'>,
): Generative {
  const planned: PlannedCalls = {
    role: 'finalAnswer',
    atMost: calls,
    promptTokens: limit + extra,
    completionTokens: prompt.maxTokens,
    expected: { calls: 1, promptTokens: limit, completionTokens: expected },
  };
  return {
    needs: [MODEL],
    modelCalls: [planned],
    async readWith(reading, candidates) {
      const { question, evidence, kit, call } = reading;
      const shown = await shownPassages(reading.context, kit.engine, call);
      const all = byDocument ? numbered(shown, reading) : shown;
      const model = kit.resource(MODEL);
      const answered = async (read: ReadingPrompt): Promise<Answered> => {
        const basis = { question, passages: read.passages, evidence, uncited };
        const answer = await ask(model, read.prompt, basis, call);
        return defined<Answered>({ ...answer, unread: read.unread || undefined });
      };
      const promptWithin = (most: number): ReadingPrompt | undefined =>
        readingPrompt(question.text, all, most, { ...prompt, candidates });
      return (await fitting(promptWithin, limit, answered)) ?? nothingFits(limit, all.length);
    },
  };
}

/**
 * Asks with the largest prompt of at most `limit` tokens, and with half as many tokens wherever the
 * model's context has no room for it. Returns undefined if no prompt is within the limit; throws
 * the model's error if not even the smallest prompt has room.
 */
async function fitting<T>(
  promptWithin: (most: number) => ReadingPrompt | undefined,
  limit: number,
  ask: (read: ReadingPrompt) => Promise<T>,
): Promise<T | undefined> {
  const read = promptWithin(limit);
  if (!read) return undefined;
  try {
    return await ask(read);
  } catch (error) {
    if (!PortError.is(error) || error.code !== 'context-full') throw error;
    const half = Math.floor(promptTokens(read.prompt) / 2);
    const answer = await fitting(promptWithin, half, ask);
    if (answer === undefined) throw error;
    return answer;
  }
}

const FORMS: Readonly<Record<GenerativeSettings['form'], AnswerForm>> = {
  free: {
    prompt: WRITTEN_FORM,
    calls: 1,
    extra: 0,
    expected: 120,
    byDocument: true,
    async answer(model, prompt, basis, call) {
      const { text, cut, finish } = await model.generate(prompt, call);
      return finish === 'filtered' ? filteredReply(text) : withCut(readWritten(text, basis), cut);
    },
  },
  short: {
    prompt: SHORT_FORM,
    calls: 2,
    extra: ANSWER_TOKENS + REPAIR_TOKENS,
    expected: 40,
    async answer(model, prompt, basis, call) {
      const reply = await generateStructured(model, prompt, parseAnswer, call);
      if (reply.kind === 'unparsed' && reply.filtered) return filteredReply(reply.texts.at(-1)!);
      return withCut(readAnswer(reply, basis), reply.kind === 'unparsed' ? reply.cut : undefined);
    },
  },
};

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

const nothingFits = (limit: number, unread: number): Answered =>
  defined({
    ...abstained(`The question and a passage do not fit into a prompt of ${limit} tokens`),
    unread: unread || undefined,
  });
