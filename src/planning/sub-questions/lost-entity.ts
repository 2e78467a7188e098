/**
 * Finds sub-questions that lack an entity ("this author", `#1`) and completes them by the answers
 * of earlier ones (ChainRAG, arXiv 2502.14245, section 3.2).
 */

import { wordsIn } from '../../core/text/matched-words.ts';
import { findNames } from '../../language/english/names/names.ts';
import { referencesIn, withReferences } from './references.ts';

/** Whole words that refer to something said before. */
const REFERS =
  /\b(?:this|that|these|those|it|its|they|their|them|he|she|him|his|her|hers|there|such|the same|the former|the latter)\b/i;
/** Words that a rule replaces: without those that seldom stand for a name, such as "that". */
const REPLACED =
  /\b(?:(?:this|these|those|the same)\s+\p{Ll}[\p{L}-]*|the former|the latter|it|they|them|he|she|him|hers|(its|their|his|her)(?=\s+\p{Ll}))\b/iu;

/** Returns true if a sub-question refers to something that it does not name. */
export const losesEntity = (text: string): boolean =>
  REFERS.test(text) || referencesIn(text).length > 0;

/**
 * Completes a sub-question by rule: each reference by its answer; without references the first
 * pronoun or "this NOUN" by the last answer, or the answer in brackets at the end.
 *
 * @param answers those of the earlier sub-questions, by position
 * @param unanswered returns what stands for a reference without an answer
 */
export function completedByRule(
  text: string,
  answers: readonly (string | undefined)[],
  unanswered: (reference: number) => string | undefined,
): string {
  if (referencesIn(text).length > 0)
    return withReferences(text, number => answers[number - 1] ?? unanswered(number));
  const answer = answers.findLast(text => text !== undefined);
  if (answer === undefined || !REFERS.test(text)) return text;
  const match = REPLACED.exec(text);
  if (!match) return withAnswer(text, answer);
  const put = match[1] === undefined ? answer : `${answer}'s`;
  return `${text.slice(0, match.index)}${put}${text.slice(match.index + match[0].length)}`;
}

/** Puts an answer in brackets behind a sub-question that a rewriting would have changed. */
export const withAnswer = (text: string, answer: string): string =>
  `${text.replace(/[\s?.!]+$/, '')} (${answer})?`;

/** Times that a rewritten sub-question may be as long as before, in words. */
const LONGEST = 3;

/** Reason for which a model's rewriting is not used; undefined if it is. */
export type RewritingProblem = 'empty' | 'too-long' | 'new-entity';

/** Checks a rewriting: not empty, at most three times as long, no name that nobody mentioned. */
export function problemOf(
  rewritten: string,
  original: string,
  said: readonly string[],
): RewritingProblem | undefined {
  const length = wordsIn(rewritten).length;
  if (length === 0) return 'empty';
  if (length > LONGEST * wordsIn(original).length) return 'too-long';
  const known = new Set([original, ...said].flatMap(text => wordsIn(text.toLowerCase())));
  const isNew = findNames(rewritten).some(({ text }) =>
    wordsIn(text.toLowerCase()).some(word => !known.has(word)),
  );
  return isNew ? 'new-entity' : undefined;
}

/** Head of a description: "director" of "the director of X", "husband" of "X's husband". */
const HEAD =
  /^(?:the|an?)\s+(?:[\p{L}\p{N}-]+\s+)*?([\p{L}-]+)\s+(?:of|that|which|who|where|whose|in|for|by|from)\b|[’']s?\s+(?:[\p{L}-]+\s+)*?([\p{L}-]+)$|\bwho is the ([\p{L}-]+) of\b/iu;

/**
 * Returns a sub-question as somebody would write it who does not know the answers: "this director"
 * for a reference to "the director of X".
 */
export function withoutEntities(text: string, earlier: readonly string[]): string {
  return withReferences(text, number => {
    const match = HEAD.exec((earlier[number - 1] ?? '').trim());
    const noun = match?.[1] ?? match?.[2] ?? match?.[3];
    return noun === undefined ? 'it' : `this ${noun}`;
  });
}
