/** The numbers of the English stop words in a dictionary. */
import { ENGLISH_STOP_WORDS } from '../../text/stop-words.ts';
import { type Dictionary, findTerm } from './dictionary.ts';
import type { Analysis } from './item.ts';
import { TermReader } from './term-reader.ts';

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
