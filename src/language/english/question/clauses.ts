/** Splits a question into clauses that can be searched separately. */
import { sentenceSpans } from '../../../core/text/sentences.ts';

/**
 * Clause boundaries: the conjunctions at which the budgeted agent splits a question
 * (docs/papers/budgeted-agent.md), every "and", and every comma that is not part of a number.
 */
const BOUNDARY =
  /\b(?:while|whereas|but|and|versus|compared (?:to|with)|in contrast to)\b|;|(?<!\d),|,(?!\d)/i;
/** Shorter parts are list items and asides ("and Samsung") that make no query of their own. */
const MIN_WORDS = 4;

/**
 * Returns the clauses of at least four words of each sentence: trimmed, distinct and in order.
 * Returns the whole text if there are fewer than two: "Did A rise while B fell in March?" has one
 * such clause and is not split.
 */
export function clausesOf(text: string): string[] {
  const parts = sentenceSpans(text)
    .flatMap(([start, end]) => text.slice(start, end).split(BOUNDARY))
    .map(part => part.trim())
    .filter(part => part.split(/\s+/).length >= MIN_WORDS);
  const distinct = [...new Set(parts)];
  return distinct.length > 1 ? distinct : [text];
}
