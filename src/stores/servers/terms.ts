/** Reads the terms of texts as words: the terms of the embedded engine, for servers. */

import { indexForm, queryForm } from '../../core/text/search-form.ts';
import { STEMMED_LANGUAGES } from '../../language/stems/stems.ts';
import { indexedFields, type LexicalItem } from '../../search/indexes/lexical/item.ts';
import { type QueryTerm, readTerms } from '../../search/indexes/lexical/query.ts';
import { TermReader } from '../../search/indexes/lexical/term-reader.ts';

/** The terms of one item. */
export interface ItemTerms {
  /** Occurrences by term, in the order of the first ones. */
  readonly counts: ReadonlyMap<string, number>;
  /** Number of terms, counted with repetition. */
  readonly length: number;
}

/** Returns the terms that `bm25` indexes of an item. */
export function termsOf(item: LexicalItem): ItemTerms {
  const counts = new Map<string, number>();
  const add = (word: string): void => {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  };
  let length = 0;
  for (const [text, , stems = ''] of indexedFields(item, 'plain')) {
    const { form, characters, beside } = indexForm(text);
    for (const terms of [characters, beside, stems]) wordsOf(terms).forEach(add);
    const words = wordsOf(form);
    words.forEach(add);
    length += words.length;
  }
  return { counts, length };
}

function wordsOf(form: string): string[] {
  const reader = new TermReader('plain');
  const words: string[] = [];
  reader.open(form);
  const bytes = Buffer.from(reader.bytes.buffer, reader.bytes.byteOffset);
  while (reader.next()) words.push(bytes.toString('utf8', reader.start, reader.end));
  return words;
}

/** Returns the distinct words of texts. */
export const wordsOfTexts = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap(text => wordsOf(queryForm(text)))),
];

/** A distinct term of a query as a word, to be weighed by a scorer. */
export interface WordTerm extends QueryTerm {
  readonly word: string;
}

/**
 * Returns the distinct terms of a query, in order of first appearance. `typed`: somebody typed it
 * to search; `languages`: those whose stems it searches.
 */
export function queryTerms(
  text: string,
  typed?: boolean,
  languages: readonly string[] = STEMMED_LANGUAGES,
): WordTerm[] {
  return readTerms(text, 'plain', { typed, languages }).map(term => {
    const bytes = term.bytes.slice(term.start, term.end);
    const word = Buffer.from(bytes).toString('utf8');
    return Object.assign(term, { bytes, start: 0, end: bytes.length, word });
  });
}
