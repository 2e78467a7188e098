/** Integrates answers to sub-questions after Hieu et al. (docs/papers/query-decomposition.md). */

import type { Call } from '../core/trace/call.ts';
import type { Citation, End, ModelOutput } from '../core/trace/trace.ts';
import { contentWords } from '../language/english/words/content-words.ts';
import type { LanguageModel, Prompt } from '../models/language-model.ts';
import {
  ANSWER_TOKENS,
  answerOf,
  bracketedAnswer,
  endOfAnswer,
  INSUFFICIENT,
  SHORT_ANSWER_RULES,
  SHORT_ANSWER_SCHEMA,
  saysInsufficient,
} from '../models/short-answer.ts';
import { generateStructured, outputsOf } from '../models/structured.ts';
import { degraded } from './model-in-use.ts';
import { passagesPrompt } from './passages-prompt.ts';

/** Longest answer to a sub-question that a prompt shows, in UTF-16 units. */
export const LONGEST_SUB_ANSWER = 300;

export interface SubAnswer {
  readonly question: string;
  /** Undefined if the passages do not tell, there are none, or the output is unreadable. */
  readonly answer?: string | undefined;
  /** Citations that support the answer. */
  readonly citations: readonly Citation[];
}

/**
 * Answers the question from the answers to its sub-questions, with one call and one repair. The
 * answers are shown as data, because they may quote passages. Makes no call if none is known.
 */
export async function answerFromSubAnswers(
  question: string,
  subAnswers: readonly SubAnswer[],
  model: LanguageModel,
  call: Call,
): Promise<{ readonly outputs: readonly ModelOutput[]; readonly end: End }> {
  if (subAnswers.every(({ answer }) => answer === undefined))
    return { outputs: [], end: endOfAnswer(INSUFFICIENT, () => []) };
  const reply = await generateStructured(
    model,
    integrationPrompt(question, subAnswers),
    answerOf,
    call,
  );
  const answer =
    reply.kind === 'parsed'
      ? reply.value
      : reply.texts.map(bracketedAnswer).find(text => text !== undefined);
  const outputs = outputsOf('finalAnswer', reply.texts, answer !== undefined);
  if (answer === undefined || follows(answer, question, subAnswers))
    return { outputs, end: endOfAnswer(answer, () => citationsOfSubAnswers(subAnswers)) };
  return {
    outputs: [...outputs, degraded('The answer does not follow from the answers to sub-questions')],
    end: { why: 'completed' },
  };
}

/**
 * Returns true if an answer has no words but those of the sub-answers, of the question and of the
 * sub-questions, or is a number that two of their numbers add or subtract to. Forms of a word that
 * share their beginning are one, as endings differ.
 */
export function follows(
  answer: string,
  question: string,
  subAnswers: readonly Pick<SubAnswer, 'question' | 'answer'>[],
): boolean {
  if (saysInsufficient(answer)) return true;
  const told = subAnswers.flatMap(each => [each.question, each.answer ?? '']);
  const known = [...contentWords([question, ...told].join(' '))];
  const numbers = numbersOf(subAnswers.map(each => each.answer ?? '').join(' '));
  const computed = new Set(
    numbers.flatMap(a => numbers.flatMap(b => [a + b, Math.abs(a - b)])).map(String),
  );
  const isKnown = (word: string): boolean =>
    VERDICTS.has(word) ||
    computed.has(word) ||
    known.some(other => other === word || sameBeginning(other, word));
  return [...contentWords(answer)].every(isKnown);
}

const numbersOf = (text: string): number[] =>
  Array.from(text.matchAll(/\d{1,9}/g), ([digits]) => Number(digits)).slice(0, 20);

/** Letters that two forms of a word share; a number has one form. */
const STEM = 5;
const sameBeginning = (a: string, b: string): boolean =>
  !/\d/.test(a + b) &&
  a.length >= STEM &&
  b.length >= STEM &&
  a.slice(0, STEM) === b.slice(0, STEM);

/** Words that judge what was asked and need not stand in it. */
const VERDICTS = new Set(
  'yes no ja nein oui non sí si não sim да нет 是 否 不是 はい いいえ 예 아니요 نعم لا both neither same different before after first second earlier later more less older younger equal years year'.split(
    ' ',
  ),
);

/** Returns the prompt of `answerFromSubAnswers`. */
export function integrationPrompt(
  question: string,
  subAnswers: readonly Pick<SubAnswer, 'question' | 'answer'>[],
): Prompt {
  const shown = subAnswers.map(({ question: title, answer }) => ({
    title,
    text: answer?.slice(0, LONGEST_SUB_ANSWER).toWellFormed() ?? 'unknown',
  }));
  return passagesPrompt(
    {
      role: 'finalAnswer',
      question,
      task: [
        `Each passage is a sub-question with its answer. Put them together, and add nothing that they do not say. ${SHORT_ANSWER_RULES}`,
      ],
      form: ['Reply with JSON alone: {"answer": "..."}'],
      maxTokens: ANSWER_TOKENS,
      schema: SHORT_ANSWER_SCHEMA,
    },
    shown,
  );
}

/** Returns the distinct citations of the known sub-answers, in order. */
function citationsOfSubAnswers(subAnswers: readonly SubAnswer[]): Citation[] {
  const cited = new Map<string, Citation>();
  for (const { answer, citations } of subAnswers)
    if (answer !== undefined)
      for (const citation of citations)
        cited.set(JSON.stringify(Object.values(citation)), citation);
  return [...cited.values()];
}
