/** Time of an exact vector query against usearch's exact search, one thread, k = 10. */
import { readFileSync } from 'node:fs';
import { exactScore } from '../src/search/indexes/vector/exact-score.ts';
import { VectorIndex } from '../src/search/indexes/vector/vector-index.ts';
import { type Corpus, realCorpus, syntheticCorpus } from './corpora.ts';
import {
  compareWays,
  machine,
  type Peer,
  type Result,
  type Setting,
  type Spent,
  type Task,
  type Way,
} from './measure.ts';
import { type VectorCorpus, vectorCorpus } from './vector-corpus.ts';

export const K = 10;
const DIMENSIONS = 384;
const FLOATS = 'f32, one query';
const FLOATS_FOUR = 'f32, 4 queries per pass';
const CODES = 'int8 + re-scoring, one query';
const CODES_FOUR = 'int8 + re-scoring, 4 queries per pass';
const USEARCH = 'usearch exactSearch f32, one query';
const USEARCH_FOUR = 'usearch exactSearch f32, 4 queries a call';
/** Scalars of the peer are bytes too, without re-scoring: its agreement says what that loses. */
const USEARCH_CODES = 'usearch exactSearch int8, one query';
const USEARCH_CODES_FOUR = 'usearch exactSearch int8, 4 queries a call';
/** The peers of each of ours. */
const COMPARED: Readonly<Record<string, readonly string[]>> = {
  [FLOATS]: [USEARCH],
  [FLOATS_FOUR]: [USEARCH, USEARCH_FOUR, FLOATS],
  [CODES]: [USEARCH, USEARCH_CODES, FLOATS],
  [CODES_FOUR]: [USEARCH, USEARCH_FOUR, USEARCH_CODES_FOUR, CODES],
};

const grouped = <T>(list: readonly T[], together: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / together) }, (_, group) =>
    list.slice(group * together, (group + 1) * together),
  );

export function answers(
  index: VectorIndex,
  queries: readonly Float32Array[],
  together: number,
): () => number[][] {
  const groups = grouped(
    queries.map(vector => ({ vector })),
    together,
  );
  return () =>
    groups.flatMap(group => index.search(group, K).map(found => found.map(({ item }) => item)));
}

/** usearch by so many queries a call; nothing where it cannot be loaded. */
async function usearch({ rows, queries, dimensions }: VectorCorpus): Promise<Way[]> {
  try {
    const { exactSearch, MetricKind } = await import('usearch');
    type Scalars = Float32Array | Int8Array;
    const search = (all: Scalars, group: Scalars): number[][] => {
      // One query returns one object, several return a batch of them.
      const { keys } = exactSearch(all, group, dimensions, K, MetricKind.IP, 1) as {
        keys: BigUint64Array;
      };
      return grouped(Array.from(keys, Number), K);
    };
    const way = (name: string, together: number, scalars: (of: Float32Array) => Scalars): Way => {
      const all = scalars(rows);
      const groups = grouped(queries, together).map(group =>
        scalars(Float32Array.from(group.flatMap(query => [...query]))),
      );
      return { name, answer: () => groups.flatMap(group => search(all, group)) };
    };
    const floats = (of: Float32Array): Float32Array => of;
    return [
      ...[way(USEARCH, 1, floats), way(USEARCH_FOUR, 4, floats)],
      ...[way(USEARCH_CODES, 1, bytesOf), way(USEARCH_CODES_FOUR, 4, bytesOf)],
    ];
  } catch {
    return [];
  }
}

/** Returns unit vectors as bytes, by the scale of usearch: 1 is 127. */
const bytesOf = (of: Float32Array): Int8Array =>
  Int8Array.from(of, value => Math.round(127 * value));

const usearchVersion = (): string =>
  JSON.parse(readFileSync(new URL('node_modules/usearch/package.json', import.meta.url), 'utf8'))
    .version;

/** Returns for each query the k-th best score of the search in float64, which bounds the others. */
export function leastScores({ rows, queries, dimensions }: VectorCorpus): number[] {
  const index = VectorIndex.build(rows, dimensions, { mode: 'plain' });
  return queries.map(vector => index.search([{ vector }], K)[0]!.at(-1)!.score);
}

/**
 * The share of the best k that is found, over all queries; an item that ties with the k-th is as
 * good.
 */
export function recall(
  { rows, queries }: VectorCorpus,
  found: readonly (readonly number[])[],
  least: readonly number[],
): number {
  let right = 0;
  for (const [i, query] of queries.entries())
    right += new Set(
      found[i]!.slice(0, K).filter(item => exactScore(query, rows, item) >= least[i]!),
    ).size;
  return right / (queries.length * K);
}

export async function compareVectors(
  task: string,
  vectors: VectorCorpus,
  { say, runs }: Setting,
): Promise<Result[]> {
  const { rows, queries, dimensions } = vectors;
  const n = rows.length / dimensions;
  const floats = VectorIndex.build(rows, dimensions, { mode: 'fast', quantise: false });
  const codes = VectorIndex.build(rows, dimensions, { mode: 'fast', quantise: true });
  const ours: Way[] = [
    { name: FLOATS, answer: answers(floats, queries, 1) },
    { name: FLOATS_FOUR, answer: answers(floats, queries, 4) },
    { name: CODES, answer: answers(codes, queries, 1) },
    { name: CODES_FOUR, answer: answers(codes, queries, 4) },
  ];
  const theirs = await usearch(vectors);
  say(`${task}: ${n} x ${dimensions}, ${queries.length} queries, ${runs} interleaved runs`);
  const spent = await compareWays([...theirs, ...ours], queries.length, runs);
  const least = leastScores(vectors);
  const agreed = new Map<string, number>();
  for (const { name, answer } of [...theirs, ...ours])
    agreed.set(name, recall(vectors, await answer(), least));
  return ours.map(({ name }) => ({
    task: `${task}: ${name}`,
    n,
    unit: 'wall ms per query',
    ours: spent.get(name)!.wall,
    peers: COMPARED[name]!.map(peer => peerOf(peer, spent, spent.get(name)!, agreed)),
    agreement: agreed.get(name)!,
    note: `CPU ${spent.get(name)!.cpu.toPrecision(4)} ms`,
    machine: machine(),
  }));
}

function peerOf(
  name: string,
  spent: ReadonlyMap<string, Spent>,
  ours: Spent,
  agreed: ReadonlyMap<string, number>,
): Peer {
  const theirs = spent.get(name);
  if (theirs === undefined) return { name, version: 'absent', value: null, ratio: null };
  const own = !name.startsWith('usearch');
  return {
    name: own ? `multihop ${name}` : name,
    version: own ? '' : usearchVersion(),
    value: theirs.wall,
    ratio: theirs.wall / ours.wall,
    agreement: agreed.get(name)!,
    note: `CPU ${theirs.cpu.toPrecision(4)} ms, ${(theirs.cpu / ours.cpu).toPrecision(3)}x`,
  };
}

function fromTexts(task: string, corpus: Corpus, setting: Setting): Promise<Result[]> {
  setting.say(`${task}: making ${corpus.items.length} x ${DIMENSIONS} vectors`);
  const vectors = vectorCorpus(
    { items: corpus.items, questions: corpus.questions.slice(0, 76) },
    DIMENSIONS,
  );
  return compareVectors(task, vectors, setting);
}

export const vector6k: Task = setting => fromTexts('vector-6k', realCorpus(setting.data), setting);

/** Some 55,000 rows, as many as the sentences of the MultiHop-RAG corpus. */
export const vector57k: Task = setting => {
  setting.say('vector-57k: making 56,709 passages');
  return fromTexts('vector-57k', syntheticCorpus(setting.data, 56_709), setting);
};
