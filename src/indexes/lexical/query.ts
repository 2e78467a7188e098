/** Reads the known terms of a query, each once, in order of first appearance. */
import { type Dictionary, findTerm } from './dictionary.ts';
import type { Analysis } from './item.ts';
import type { QueryTerm } from './scorer.ts';
import { TermReader } from './term-reader.ts';

const readers: Readonly<Record<Analysis, TermReader>> = {
  plain: new TermReader('plain'),
  s1: new TermReader('s1'),
};

/** From this many distinct terms on a map finds repetitions faster than a look through the list. */
const FEW = 24;

export function readQuery(dictionary: Dictionary, text: string, analysis: Analysis): QueryTerm[] {
  const reader = readers[analysis];
  const terms: { term: number; count: number }[] = [];
  let places: Map<number, number> | undefined;
  reader.open(text);
  while (reader.next()) {
    const term = findTerm(dictionary, reader);
    if (term < 0) continue;
    if (terms.length === FEW && places === undefined)
      places = new Map(terms.map((known, place) => [known.term, place]));
    const place = places === undefined ? placeOf(terms, term) : (places.get(term) ?? -1);
    if (place >= 0) terms[place]!.count++;
    else {
      places?.set(term, terms.length);
      terms.push({ term, count: 1 });
    }
  }
  return terms;
}

function placeOf(terms: readonly QueryTerm[], term: number): number {
  for (let place = 0; place < terms.length; place++) if (terms[place]!.term === term) return place;
  return -1;
}
