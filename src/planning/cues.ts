/** Extracts cue words of a document, by which an iterative strategy expands its next query. */
import type { Document } from '../core/corpus/document.ts';
import { metadataText } from '../core/corpus/document.ts';
import { wordsIn } from '../core/text/matched-words.ts';
import { nthWordEnd } from '../core/text/words.ts';
import { ENGLISH_STOP_WORDS } from '../language/english/words/stop-words.ts';

/**
 * Returns the most frequent content terms of a text: word runs of at least `minLength` UTF-16 units
 * that are not stop words; ties in alphabetical order.
 */
export function frequentTerms(text: string, count: number, minLength = 2): string[] {
  const counts = new Map<string, number>();
  for (const term of wordsIn(text.toLowerCase()))
    if (term.length >= minLength && !ENGLISH_STOP_WORDS.has(term))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, count)
    .map(([term]) => term);
}

/** Returns title, source, category and the most frequent content terms of title and body. */
export function literalCues(document: Document, terms: number): string {
  const { title, metadata, text } = document;
  return [
    title,
    metadataText(metadata, 'source'),
    metadataText(metadata, 'category'),
    ...frequentTerms(`${title} ${text}`, terms),
  ]
    .filter(part => part !== '')
    .join(' ');
}

/**
 * Returns source, category and the four most frequent terms of at least four letters in the first
 * 90 words.
 */
export function driftCues(document: Document): string {
  const opening = document.text.slice(0, nthWordEnd(document.text, 90));
  return [
    metadataText(document.metadata, 'source'),
    metadataText(document.metadata, 'category'),
    ...frequentTerms(opening, 4, 4),
  ]
    .filter(part => part !== '')
    .join(' ');
}
