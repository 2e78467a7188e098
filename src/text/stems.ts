/**
 * Content words without their inflection, so that "accused" meets "accuses": a short list of
 * English suffixes (after Harman's S-stemmer, JASIS 1991).
 */
import { contentWords } from './sentence-support.ts';

const SUFFIXES = ['ation', 'tion', 'ment', 'ing', 'edly', 'ed', 'es', 'ly', 's'] as const;
/** What is left of a word says what it was. */
const MIN_STEM = 4;

/** The word without the first of the suffixes that leaves at least four letters. */
export function stemOf(word: string): string {
  const suffix = SUFFIXES.find(
    ending => word.length - ending.length >= MIN_STEM && word.endsWith(ending),
  );
  return suffix === undefined ? word : word.slice(0, -suffix.length);
}

/** Distinct stems of the content words of a text. */
export function contentStems(text: string): Set<string> {
  const stems = new Set<string>();
  for (const word of contentWords(text)) stems.add(stemOf(word));
  return stems;
}

const CAPITALISED = /\p{Lu}[\p{L}\p{N}’'-]*[\p{L}\p{N}]/gu;

/**
 * Capitalised words, lower-cased and without a possessive ending, content words alone: what may be
 * (part of) a name.
 */
export function capitalisedWords(text: string): Set<string> {
  const words = new Set<string>();
  for (const [word] of text.matchAll(CAPITALISED)) {
    const lower = word.toLowerCase().replace(/[’']s$/u, '');
    if (contentWords(lower).size > 0) words.add(lower);
  }
  return words;
}
