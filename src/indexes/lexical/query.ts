/** Reads the known terms of a query, each once, in order of first appearance. */
import { type Dictionary, findTerm } from './dictionary.ts';
import type { Analysis } from './item.ts';
import type { QueryTerm } from './scorer.ts';
import { TermReader } from './term-reader.ts';

const readers: Readonly<Record<Analysis, TermReader>> = { plain: new TermReader('plain'), s1: new TermReader('s1') };

export function readQuery(dictionary: Dictionary, text: string, analysis: Analysis): QueryTerm[] {
  const reader = readers[analysis];
  const counts = new Map<number, number>();
  reader.open(text);
  while (reader.next()) {
    const term = findTerm(dictionary, reader);
    if (term >= 0) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return Array.from(counts, ([term, count]) => ({ term, count }));
}
