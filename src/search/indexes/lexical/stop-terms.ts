/** Finds the English stop words (scikit-learn's list) among the terms of a dictionary. */
import { ENGLISH_STOP_WORDS } from '../../../language/english/words/stop-words.ts';
import { type Dictionary, DictionaryBuilder, findTerm } from './dictionary.ts';
import type { Analysis } from './item.ts';
import { type TermBytes, TermReader } from './term-reader.ts';

/** Returns the numbers of the stop words that a dictionary holds. */
export function stopTerms(dictionary: Dictionary, analysis: Analysis): Set<number> {
  const reader = new TermReader(analysis);
  const terms = new Set<number>();
  for (const word of ENGLISH_STOP_WORDS) {
    reader.open(word);
    const term = reader.next() ? findTerm(dictionary, reader) : -1;
    if (term >= 0) terms.add(term);
  }
  return terms;
}

/** Returns a test for stop words. */
export function stopWordTest(analysis: Analysis): (term: TermBytes) => boolean {
  const reader = new TermReader(analysis);
  const words = new DictionaryBuilder();
  for (const word of ENGLISH_STOP_WORDS) {
    reader.open(word);
    if (reader.next()) words.add(reader);
  }
  const dictionary = words.finish();
  return term => findTerm(dictionary, term) >= 0;
}
