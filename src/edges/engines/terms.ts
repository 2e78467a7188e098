/** Reads the terms of texts as words: the terms of the embedded engine, for servers. */
import { indexedFields, type LexicalItem } from '../../indexes/lexical/item.ts';
import { type QueryTerm, readTerms } from '../../indexes/lexical/query.ts';
import { TermReader } from '../../indexes/lexical/term-reader.ts';

/** The terms of one item. */
export interface ItemTerms {
  /** Occurrences by term, in the order of the first ones. */
  readonly counts: ReadonlyMap<string, number>;
  /** Number of terms, counted with repetition. */
  readonly length: number;
}

/** Returns the terms that `bm25` indexes of an item. */
export function termsOf(item: LexicalItem): ItemTerms {
  const reader = new TermReader('plain');
  const counts = new Map<string, number>();
  let length = 0;
  for (const [text] of indexedFields(item, 'plain')) {
    reader.open(text);
    const bytes = Buffer.from(reader.bytes.buffer, reader.bytes.byteOffset);
    while (reader.next()) {
      const term = bytes.toString('utf8', reader.start, reader.end);
      counts.set(term, (counts.get(term) ?? 0) + 1);
      length++;
    }
  }
  return { counts, length };
}

/** A distinct term of a query as a word, to be weighed by a scorer. */
export interface WordTerm extends QueryTerm {
  readonly word: string;
}

/** Returns the distinct terms of a query, in order of first appearance. */
export function queryTerms(text: string): WordTerm[] {
  return readTerms(text, 'plain').map(term => {
    const bytes = term.bytes.slice(term.start, term.end);
    const word = Buffer.from(bytes).toString('utf8');
    return { ...term, bytes, start: 0, end: bytes.length, word };
  });
}
