/** Answers a sub-question by a language model from its passages, which the prompt shows as data. */

import { countWords } from '../../core/text/words.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Citation, ModelOutput } from '../../core/trace/trace.ts';
import type { LanguageModel, Prompt } from '../../models/language-model.ts';
import { FLAG, type NamedSchema, numbersAmong, objectOf, TEXT } from '../../models/reply-schema.ts';
import { answerOf, saysInsufficient, shortAnswerRules } from '../../models/short-answer.ts';
import { generateStructured } from '../../models/structured.ts';
import { isFields } from '../json-fields.ts';
import { firstWords } from '../paragraphs.ts';
import { fittingPrompt, type PromptRoom, passagesPrompt } from '../passages-prompt.ts';
import { type ReadAnswer, UNKNOWN } from './read-answer.ts';
import { beginningOf, citationsOf, citationTo, type ReadPassage } from './read-passage.ts';

/** Role of the prompt in traces and ledgers. */
export const SUB_ANSWER = 'subAnswer';
export const SUB_ANSWER_TOKENS = 160;

export const subAnswerPrompt = (question: string, passages: readonly ReadPassage[]): Prompt =>
  passagesPrompt(
    {
      role: SUB_ANSWER,
      question,
      task: [
        `Answer the question from the passages alone. ${shortAnswerRules(question)}`,
        'First give the numbers of the passages that state the answer, and say whether they do.',
      ],
      form: ['Reply with JSON alone: {"passages": [1], "supported": true, "answer": "..."}'],
      maxTokens: SUB_ANSWER_TOKENS,
      schema: schemaOf,
    },
    passages,
  );

const schemaOf = (numbers: readonly number[]): NamedSchema =>
  objectOf('sub_answer', { passages: numbersAmong(numbers), supported: FLAG, answer: TEXT });

export interface ParsedAnswer {
  /** Undefined if unknown, or unsupported according to the model. */
  readonly answer?: string;
  /** Distinct positions of existing passages that the model names, from 0. */
  readonly cited: readonly number[];
}

/**
 * Reads `{ answer, supported, passages }`; returns undefined if there is no answer. Never throws.
 */
export function subAnswerInJson(json: unknown, passages: number): ParsedAnswer | undefined {
  const answer = answerOf(json);
  if (answer === undefined || !isFields(json)) return undefined;
  const numbers = Array.isArray(json['passages']) ? json['passages'] : [json['passages']];
  const places = numbers.filter(
    (number): number is number => Number.isInteger(number) && number >= 1 && number <= passages,
  );
  const cited = [...new Set(places)].map(number => number - 1);
  const unsupported = json['supported'] === false || json['supported'] === 'false';
  return unsupported || saysInsufficient(answer) ? { cited } : { answer, cited };
}

/**
 * Returns the prompt with all passages, or with as much of them as fits `atMost` tokens, and the
 * passages that it shows.
 */
function fitting(
  question: string,
  found: readonly ReadPassage[],
  atMost: number,
): { readonly prompt: Prompt; readonly passages: readonly ReadPassage[] } {
  let passages = found;
  const most = {
    demonstrations: 0,
    words: Math.max(0, ...found.map(({ text }) => countWords(text))),
    passages: found.length,
  };
  const build = (room: PromptRoom): Prompt => {
    passages = found.slice(0, room.passages).map(passage => shown(passage, room.words));
    return subAnswerPrompt(question, passages);
  };
  return { prompt: fittingPrompt(build, most, atMost), passages };
}

/** Cuts a passage to its beginning without changing it, because citations are offsets into it. */
const shown = (passage: ReadPassage, words: number): ReadPassage => ({
  ...passage,
  title: firstWords(passage.title, words),
  about: firstWords(passage.about, words),
  text: beginningOf(passage.text, words),
});

/**
 * Answers from a prompt of at most `atMost` tokens. Returns `UNKNOWN` without a call if no passage
 * fits, and for unreadable output. Throws the model's errors.
 */
export async function modelSubAnswer(
  model: LanguageModel,
  question: string,
  found: readonly ReadPassage[],
  call: Call,
  atMost: number = Number.POSITIVE_INFINITY,
): Promise<ReadAnswer> {
  const { prompt, passages } = fitting(question, found, atMost);
  if (passages.length === 0) return UNKNOWN;
  const read = (json: unknown): ParsedAnswer | undefined => subAnswerInJson(json, passages.length);
  const structured = await generateStructured(model, prompt, read, call);
  const { texts } = structured;
  const parsed = structured.kind === 'parsed' ? structured.value : undefined;
  const answer =
    parsed?.answer === undefined ? UNKNOWN : supported(parsed.answer, parsed.cited, passages);
  const outputs = texts.map((text, index): ModelOutput => {
    const counts = parsed !== undefined && index === texts.length - 1;
    const citations = counts && answer.citations.length > 0 ? { citations: answer.citations } : {};
    return { role: SUB_ANSWER, text, parsed: counts, ...citations };
  });
  return { ...answer, outputs };
}

/**
 * Cites the passages that the model names, at the sentence that contains the answer if there is
 * one; if it names none, the first passage that contains the answer.
 */
function supported(
  answer: string,
  cited: readonly number[],
  passages: readonly ReadPassage[],
): ReadAnswer {
  const occurrences = citationsOf(answer, passages);
  const citations = cited.map((position): Citation => {
    const passage = passages[position]!;
    return occurrences.find(({ id }) => id === passage.id) ?? citationTo(passage);
  });
  return {
    answer,
    occurrences,
    citations: citations.length > 0 ? citations : occurrences.slice(0, 1),
    outputs: [],
  };
}
