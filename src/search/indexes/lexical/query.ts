/** Reads the distinct terms of a query, in order of first appearance. */
import { askedBeside, queryForm } from '../../../core/text/search-form.ts';
import { stemmedWords, stemTerms } from '../../../language/stems/stems.ts';
import { sameTerm } from './dictionary.ts';
import type { Analysis } from './item.ts';
import { type TermBytes, TermReader } from './term-reader.ts';

/** A distinct term of a query. A collection fills in its frequency, a scorer its weight and idf. */
export interface QueryTerm extends TermBytes {
  /** Number of occurrences in the query. */
  count: number;
  /** Number of live items of the collection that hold it. */
  frequency: number;
  /** The query's factor of a contribution; 0 if the term is ignored. */
  weight: number;
  idf: number;
  /** Terms that it outweighs all together: those of spellings that are further from the query. */
  under?: readonly QueryTerm[];
  /** The word that it weighs no more than. */
  like?: QueryTerm;
  /** The language of a stem, and the words of the query that have it. */
  stem?: { readonly code: string; readonly of: QueryTerm[] };
}

const readers: Readonly<Record<Analysis, TermReader>> = {
  plain: new TermReader('plain'),
  s1: new TermReader('s1'),
};

/** Number of distinct terms from which a map finds repetitions faster than a scan of the list. */
const FEW = 24;

/** Tells more terms of a query than those of its form. */
interface Reading {
  /** True if somebody typed the text to search. */
  readonly typed?: boolean | undefined;
  /** Languages of the collection that have stems. */
  readonly languages?: readonly string[];
}

/** Returns the distinct terms of a text. Their bytes are valid until the next call. */
export function readTerms(
  text: string,
  analysis: Analysis,
  { typed = false, languages = [] }: Reading = {},
): QueryTerm[] {
  const words = queryForm(text);
  if (analysis === 's1') return termsOfForm(words, analysis);
  const stems = stemsOf(text, languages);
  const { beside, above, like } = askedBeside(text, typed);
  if (stems.length === 0 && beside.length === 0) return termsOfForm(words, analysis);
  const form = [words, ...stems.map(({ term }) => term), ...beside].join(' ');
  const terms = termsOfForm(form, analysis);
  const find = termFinder(terms);
  for (const { term, code, word } of stems) {
    const [stem, of] = [find(term), find(word)];
    if (stem && of) (stem.stem ??= { code, of: [] }).of.push(of);
  }
  for (const { term, under } of above) {
    const outer = find(term);
    if (outer) outer.under = [...new Set(under.flatMap(inner => find(inner) ?? []))];
  }
  for (const [term, word] of like) {
    const [inner, outer] = [find(term), find(word)];
    if (inner && outer) inner.like = outer;
  }
  return terms;
}

/** Returns the stem of each word of a text in each language. */
const stemsOf = (text: string, languages: readonly string[]) =>
  languages.flatMap(code =>
    stemmedWords(text).map(word => ({ term: stemTerms(word, code), code, word })),
  );

/** Returns a term as it is written in an index. */
export const writtenTerm = (term: string): QueryTerm => termsOfForm(term, 'plain')[0]!;

/** Returns a search among terms by their text. */
function termFinder(terms: readonly QueryTerm[]): (text: string) => QueryTerm | undefined {
  const decoder = new TextDecoder();
  const byText = new Map(
    terms.map(term => [decoder.decode(term.bytes.subarray(term.start, term.end)), term] as const),
  );
  return text => byText.get(text);
}

function termsOfForm(form: string, analysis: Analysis): QueryTerm[] {
  const reader = readers[analysis];
  const terms: QueryTerm[] = [];
  let byHash: Map<number, QueryTerm[]> | undefined;
  reader.open(form);
  const { bytes } = reader;
  while (reader.next()) {
    const { start, end, hash } = reader;
    if (terms.length === FEW && byHash === undefined) byHash = groupByHash(terms);
    const known = sameIn(byHash === undefined ? terms : (byHash.get(hash) ?? []), reader);
    if (known) {
      known.count++;
      continue;
    }
    const term = { bytes, start, end, hash, count: 1, frequency: 0, weight: 0, idf: 0 };
    terms.push(term);
    if (byHash) byHash.set(hash, [...(byHash.get(hash) ?? []), term]);
  }
  return terms;
}

function groupByHash(terms: readonly QueryTerm[]): Map<number, QueryTerm[]> {
  const groups = new Map<number, QueryTerm[]>();
  for (const term of terms) groups.set(term.hash, [...(groups.get(term.hash) ?? []), term]);
  return groups;
}

function sameIn(terms: readonly QueryTerm[], bytes: TermBytes): QueryTerm | undefined {
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at]!;
    if (term.hash === bytes.hash && sameTerm(term.bytes, term.start, term.end, bytes)) return term;
  }
  return undefined;
}
