/**
 * Documents for a store of any size: the real ones of the data sets first, then passages composed
 * of their sentences, as `bench/corpora.ts` makes them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LexicalItem } from '../../src/search/indexes/lexical/lexical-index.ts';
import { composedPassages } from '../corpora.ts';

export interface LoadDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

interface Row {
  readonly title?: string | null;
  readonly text?: string;
  readonly question?: string;
  readonly gold?: readonly Row[];
}

interface Passage {
  readonly title: string;
  readonly text: string;
}

/** One passage a line. */
const PASSAGES = [
  'hotpotqa/pooled_corpus.jsonl',
  '2wikimultihopqa/open_corpus.jsonl',
  'musique/open_corpus.jsonl',
  'obliqa/corpus.jsonl',
];
const QUESTIONS = [
  '2wikimultihopqa/open_queries.dev.jsonl',
  'hotpotqa/pooled_queries.dev.jsonl',
  'musique/open_queries.dev.jsonl',
];

const rowsOf = (path: string): Row[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Row);

/** Yields `size` documents. */
export function* loadDocuments(data: string, size: number): Generator<LoadDocument> {
  const real = realPassages(data, size);
  let at = 0;
  for (const { title, text } of real.slice(0, size)) yield document(at++, title, text);
  for (const { title = '', text } of composedPassages(real.map(item), Math.max(0, size - at)))
    yield document(at++, title, text);
}

/** Returns questions of the data sets, those of each in turn. */
export function loadQuestions(data: string): string[] {
  const lists = QUESTIONS.map(path => rowsOf(join(data, path)).map(({ question }) => question!));
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap(list => list[at] ?? [])).flat();
}

/** Returns passages of the data sets; reads no more files than hold `size` of them. */
function realPassages(data: string, size: number): Passage[] {
  const known = new Set<string>();
  const passages: Passage[] = [];
  const gold = (): Row[] =>
    rowsOf(join(data, 'train/gold_chains.jsonl')).flatMap(row => row.gold ?? []);
  for (const rows of [...PASSAGES.map(path => () => rowsOf(join(data, path))), gold]) {
    if (passages.length >= size) break;
    for (const { title, text } of rows()) {
      if (typeof text !== 'string' || text.length < 25 || known.has(text)) continue;
      known.add(text);
      passages.push({ title: title ?? '', text });
    }
  }
  return passages;
}

const document = (number: number, title: string, text: string): LoadDocument => ({
  id: String(number).padStart(7, '0'),
  title,
  text,
});

const item = (passage: Passage): LexicalItem => ({
  id: '',
  ...passage,
  metadata: {},
});
