/** Sequences and pairs of stemmed content words: phrases that two texts may share. */

import { wordsIn } from '../../../core/text/matched-words.ts';
import { stemOf } from './stems.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';

/**
 * Returns the stems of the content words of a text, in order, by `stemOf` or another stemmer. An
 * underscore ends a word, as in the lexical index.
 */
export function stemSequence(text: string, stem: (word: string) => string = stemOf): string[] {
  const lower = text.toLowerCase().replaceAll('_', ' ');
  const stems: string[] = [];
  for (const word of wordsIn(lower))
    if (word.length >= 2 && !ENGLISH_STOP_WORDS.has(word)) stems.push(stem(word));
  return stems;
}

/** Returns the distinct pairs of neighbouring stems, joined by a blank. */
export const pairsOf = (stems: readonly string[]): Set<string> =>
  new Set(stems.slice(1).map((stem, before) => `${stems[before]!} ${stem}`));

/**
 * Returns the distinct pairs of stems of neighbouring content words, joined by a blank; stop words
 * between them do not count.
 */
export const stemPairs = (text: string): Set<string> => pairsOf(stemSequence(text));
