/**
 * Stems content words by a short list of English suffixes, so that "accused" equals "accuses"
 * (after Harman, How Effective Is Suffixing?, JASIS 42(1), 1991).
 */
import { contentWords } from './sentence-support.ts';

const SUFFIXES = ['ation', 'tion', 'ment', 'ing', 'edly', 'ed', 'es', 'ly', 's'] as const;
/** Least number of letters of a stem. */
const MIN_STEM = 4;

/** Returns the word without the first suffix whose removal leaves at least four letters. */
export function stemOf(word: string): string {
  const suffix = SUFFIXES.find(
    ending => word.length - ending.length >= MIN_STEM && word.endsWith(ending),
  );
  return suffix === undefined ? word : word.slice(0, -suffix.length);
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
  for (const [word] of text.matchAll(CAPITALISED)) {
    const lower = word.toLowerCase().replace(/[’']s$/u, '');
    if (contentWords(lower).size > 0) words.add(lower);
  }
  return words;
}
