/**
 * Declares the form in which language models answer (a word or two, yes or no, or insufficient
 * information) and parses their answers.
 */

import { normHotpot } from '../core/text/normalise.ts';
import type { Citation, End } from '../core/trace/trace.ts';
import { asksOpenly } from '../language/english/question/question-type.ts';
import { opensWithQuestionWord } from '../language/plain-words.ts';
import { statesNoAnswer } from './no-answer.ts';
import { type NamedSchema, objectOf, TEXT } from './reply-schema.ts';
import { withoutThinking } from './thoughts.ts';

/** Answer that the evidence is insufficient, in MultiHop-RAG's own words. */
export const INSUFFICIENT = 'Insufficient information.';

/**
 * Returns the rules of a prompt that requests a final answer. Where it reads of
 * yes and no, a small model says them to a third of the questions, whatever these ask.
 */
export function shortAnswerRules(question: string): string {
  const verdict =
    asksOpenly(question) || opensWithQuestionWord(question)
      ? ''
      : ' Where yes or no is asked for, answer exactly "Yes" or "No".';
  return `Give the shortest answer, in the language of the question: a word, a name, a number or a date, no sentence.${verdict} If what is shown does not determine the answer, answer exactly "${INSUFFICIENT}"`;
}

/** Longest completion of an answer, in tokens; models that think first need room. */
export const ANSWER_TOKENS = 256;

/** Longest text that counts as an answer, in UTF-16 units. */
export const LONGEST_ANSWER = 4000;

export const SHORT_ANSWER_SCHEMA: NamedSchema = objectOf('answer', { answer: TEXT });

/** Returns true if an answer states, in any words, that there is none, or is empty. */
export function saysInsufficient(answer: string): boolean {
  const text = answer.slice(0, LONGEST_ANSWER).replace(/[’‘]/g, "'");
  return !/[\p{L}\p{N}]/u.test(normHotpot(text) || text) || statesNoAnswer(text, normHotpot);
}

/** Returns the `answer` of parsed JSON as a text; undefined if it has no usable one. */
export function answerOf(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { answer } = json as { answer?: unknown };
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  if (typeof answer === 'number') return String(answer);
  if (answer === null) return INSUFFICIENT;
  return typeof answer === 'string' && answer.trim() !== '' && answer.length <= LONGEST_ANSWER
    ? answer.trim()
    : undefined;
}

/**
 * Returns the first `<...>` of a text that is not JSON, the form in which the query-decomposition
 * notebook of Hieu et al. (docs/papers) requests answers.
 */
export function bracketedAnswer(text: string): string | undefined {
  return (
    /<([^<>\n]{1,400})>/.exec(withoutThinking(text).slice(0, LONGEST_ANSWER))?.[1]?.trim() ||
    undefined
  );
}

/**
 * Returns the end of a run that has an answer: an abstention if the answer says that it is unknown,
 * a draft if it has citations; otherwise the reader answers.
 */
export function endOfAnswer(
  answer: string | undefined,
  citationsOf: (answer: string) => readonly Citation[],
  why: End['why'] = 'completed',
): End {
  if (answer === undefined) return { why };
  if (saysInsufficient(answer)) return { why, abstained: INSUFFICIENT };
  const citations = citationsOf(answer);
  return citations.length === 0 ? { why } : { why, draft: { text: answer, citations } };
}
