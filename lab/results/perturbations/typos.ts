/** Typing errors: two adjacent letters of one word change places. */

import { findNames } from '../../../src/language/english/names/names.ts';
import { findDates } from '../../../src/language/english/values/dates.ts';
import { drawn, mentionsOf, ofQuestions, type Perturbation, replaced } from './perturbation.ts';

/** A shorter word would lose what identifies it. */
const LEAST_LETTERS = 3;

/**
 * Swaps two adjacent letters of the longest word, after its first letter where it has three or
 * more others; returns the text unchanged if no swap changes it.
 */
export function transposed(text: string, random: () => number): string {
  const words = [...text.matchAll(/\p{L}+/gu)].filter(
    ([word]) => word.length >= LEAST_LETTERS && !/^the$/i.test(word),
  );
  const longest = words.reduce<RegExpExecArray | undefined>(
    (most, word) => (most && most[0].length >= word[0].length ? most : word),
    undefined,
  );
  if (!longest) return text;
  const [word] = longest;
  const places = [...word].flatMap((letter, at) =>
    at > 0 && at + 1 < word.length && letter.toLowerCase() !== word[at + 1]!.toLowerCase()
      ? [at]
      : [],
  );
  if (places.length === 0) return text;
  const at = longest.index + drawn(places, random);
  return text.slice(0, at) + text[at + 1]! + text[at]! + text.slice(at + 2);
}

export const sourceTypos: Perturbation = ofQuestions(
  'source-typos',
  'one transposed letter in each source name',
  (query, random, names) =>
    replaced(query, mentionsOf(query, names), name => transposed(name, random)),
);

export const entityTypo: Perturbation = ofQuestions(
  'entity-typo',
  'one transposed letter in one other name, drawn by seed, wherever it stands',
  (query, random, names) => {
    const taken = [...mentionsOf(query, names), ...findDates(query)];
    const others = findNames(query).filter(
      ({ start, end }) => start > 0 && !taken.some(other => start < other.end && other.start < end),
    );
    if (others.length === 0) return query;
    const { text } = drawn(others, random);
    return query.split(text).join(transposed(text, random));
  },
);
