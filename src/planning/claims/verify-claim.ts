/**
 * Verifies a claim against its evidence by words, without a model: nothing may be in the claim that
 * is in neither the sentence nor the title nor the metadata.
 */

import { wordsIn } from '../../core/text/matched-words.ts';
import { findNames } from '../../language/english/names/names.ts';
import { MONTHS } from '../../language/english/values/dates.ts';
import { contentStems } from '../../language/english/words/stems.ts';

export interface ClaimSupport {
  readonly sentence: string;
  readonly title: string;
  /** Source, day and author, as one text. */
  readonly about: string;
}

export interface Verification {
  readonly verified: boolean;
  /** Share of the claim's content words that the evidence has, from 0 to 1. */
  readonly share: number;
  /** Numbers, dates and words of names that the evidence lacks. */
  readonly missing: readonly string[];
}

/** Least share of content words. */
const LEAST_SHARE = 0.6;

/**
 * Verifies a claim: all its numbers, dates and names and 60 % of its content words stand in the
 * sentence, the title or the metadata.
 */
export function verifyClaim(claim: string, { sentence, title, about }: ClaimSupport): Verification {
  const evidence = `${sentence} ${title} ${about}`;
  // A name may begin inside a word run ("_Maren").
  const known = new Set([...wordsIn(evidence.toLowerCase()), ...nameWordsIn(evidence)]);
  const figures = new Set(figuresIn(evidence));
  const missing = [
    ...figuresIn(claim).filter(figure => !figures.has(figure)),
    ...nameWordsIn(claim).filter(word => !known.has(word)),
    ...monthsIn(claim).filter(month => !known.has(month) && !monthsIn(evidence).includes(month)),
  ];
  const stems = contentStems(claim);
  const share = stems.size === 0 ? 0 : stems.intersection(contentStems(evidence)).size / stems.size;
  return { verified: missing.length === 0 && share >= LEAST_SHARE, share, missing };
}

const nameWordsIn = (text: string): string[] =>
  findNames(text).flatMap(name => wordsIn(name.text.toLowerCase()));

/** Returns numbers without separators of thousands: "1,000" and "1000" are one. */
const figuresIn = (text: string): string[] =>
  Array.from(text.matchAll(/\d+(?:[.,:]\d+)*/g), ([figure]) =>
    figure.replace(/,(?=\d{3}(?!\d))/g, '').replace(/^0+(?=\d)/, ''),
  );

/** Returns the months that a text names, also as the number in an ISO day. */
function monthsIn(text: string): string[] {
  const months = Array.from(text.matchAll(/\b\p{Lu}\p{Ll}{2,8}\b/gu), ([word]) =>
    word.toLowerCase(),
  ).filter(word => MONTHS.includes(word));
  const numbered = Array.from(
    text.matchAll(/\b\d{4}-(\d{2})-\d{2}/g),
    match => MONTHS[Number(match[1]) - 1],
  ).filter(month => month !== undefined);
  return [...months, ...numbered];
}
