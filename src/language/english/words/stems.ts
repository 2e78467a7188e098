/**
 * Stems content words by a short list of English suffixes, so that "accused" equals "accuses"
 * (after Harman, How Effective Is Suffixing?, JASIS 42(1), 1991).
 */

import { wordsIn } from '../../../core/text/matched-words.ts';
import { contentWords, isContentWord } from './content-words.ts';

const SUFFIXES = ['ation', 'tion', 'ment', 'ing', 'edly', 'ed', 'es', 'ly', 's'] as const;
/** Least number of letters of a stem. */
const MIN_STEM = 4;

const LAST_LETTERS: ReadonlySet<number> = new Set(
  SUFFIXES.map(suffix => suffix.charCodeAt(suffix.length - 1)),
);

/** Returns the word without the first suffix whose removal leaves at least four letters. */
export function stemOf(word: string): string {
  // Most words have none of the last letters of a suffix.
  if (!LAST_LETTERS.has(word.charCodeAt(word.length - 1))) return word;
  for (const suffix of SUFFIXES)
    if (word.length - suffix.length >= MIN_STEM && word.endsWith(suffix))
      return word.slice(0, -suffix.length);
  return word;
}

/** Returns the distinct stems of the content words of a text. */
export function contentStems(text: string): Set<string> {
  const stems = new Set<string>();
  for (const word of contentWords(text)) stems.add(stemOf(word));
  return stems;
}

const CAPITALISED = /\p{Lu}[\p{L}\p{N}’'-]*[\p{L}\p{N}]/gu;

/**
 * Returns the capitalised content words of a text, in lower case and without a possessive ending:
 * words that may be part of a name.
 */
export function capitalisedWords(text: string): Set<string> {
  const words = new Set<string>();
  for (const written of capitalisedRuns(text)) {
    const word = nameWord(written);
    if (word !== undefined) words.add(word);
  }
  return words;
}

/** Returns the capitalised words of a text as written, in order. */
export const capitalisedRuns = (text: string): readonly string[] => text.match(CAPITALISED) ?? [];

/** Returns the word that `capitalisedWords` makes of a capitalised one, if it has content. */
export function nameWord(written: string): string | undefined {
  const lower = written.toLowerCase().replace(/[’']s$/u, '');
  return wordsIn(lower).some(isContentWord) ? lower : undefined;
}
