/**
 * The clauses of a question: what it asks about one thing after another, each of which can be asked
 * alone.
 */
import { sentenceSpans } from './sentences.ts';

/**
 * Where one thing ends and the next begins: the conjunctions of the budgeted agent's planner P2
 * (sheet 4.3), and every "and" and comma that stands in no number.
 */
const BOUNDARY =
  /\b(?:while|whereas|but|and|versus|compared (?:to|with)|in contrast to)\b|;|(?<!\d),|,(?!\d)/i;
/** Shorter parts are lists and asides ("and Samsung"): they ask nothing alone. */
const MIN_WORDS = 4;

/**
 * The parts of at least four words between the boundaries of each sentence, trimmed, each once, in
 * order; the whole text alone where there are not two. "Did A rise while B fell in March?" holds
 * one such part and stays whole.
 */
export function clausesOf(text: string): string[] {
  const parts = sentenceSpans(text)
    .flatMap(([start, end]) => text.slice(start, end).split(BOUNDARY))
    .map(part => part.trim())
    .filter(part => part.split(/\s+/).length >= MIN_WORDS);
  const distinct = [...new Set(parts)];
  return distinct.length > 1 ? distinct : [text];
}
