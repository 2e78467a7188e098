/** How much CPU and wall time an exact vector query costs: ours against usearch's exact search, one thread, k = 10. */
import { readFileSync } from 'node:fs';
import { VectorIndex } from '../src/indexes/vector/vector-index.ts';
import { type Corpus, realCorpus, syntheticCorpus } from './corpora.ts';
import { interleave, machine, median, type Peer, type Result, type Setting, type Task } from './measure.ts';
import { type VectorCorpus, vectorCorpus } from './vector-corpus.ts';

const K = 10;
const DIMENSIONS = 384;
/** A run repeats its queries until it has taken this much CPU, so that the clock's grain does not matter. */
const LEAST_CPU_MS = 300;

/** Answers all queries; returns the items of each. */
type Answer = () => number[][];

interface Way {
  readonly name: string;
  readonly answer: Answer;
  readonly walls: number[];
}

/** CPU milliseconds per query; notes the wall time. All is synchronous on this thread, so that other work of the process does not count. */
function timed({ answer, walls }: Way, queries: number): number {
  const started = performance.now();
  const before = process.cpuUsage();
  let rounds = 0;
  let spent = 0;
  while (spent < LEAST_CPU_MS) {
    answer();
    rounds++;
    const { user, system } = process.cpuUsage(before);
    spent = (user + system) / 1000;
  }
  walls.push((performance.now() - started) / (rounds * queries));
  return spent / (rounds * queries);
}

/** The share of the reference's items that are found, over all queries. */
function agreement(found: readonly number[][], reference: readonly number[][]): number {
  let same = 0;
  let all = 0;
  for (const [i, items] of reference.entries()) {
    all += items.length;
    same += items.filter(item => found[i]!.includes(item)).length;
  }
  return same / all;
}

function answers(index: VectorIndex, queries: readonly Float32Array[], together: number): Answer {
  const groups: { vector: Float32Array }[][] = [];
  for (let i = 0; i < queries.length; i += together) groups.push(queries.slice(i, i + together).map(vector => ({ vector })));
  return () => groups.flatMap(group => index.search(group, K).map(found => found.map(({ item }) => item)));
}

async function usearch({ rows, queries }: VectorCorpus): Promise<{ version: string; answer: Answer } | undefined> {
  try {
    const { exactSearch, MetricKind } = await import('usearch');
    const { version } = JSON.parse(readFileSync(new URL('node_modules/usearch/package.json', import.meta.url), 'utf8'));
    return {
      version,
      answer: () =>
        queries.map(query => Array.from(exactSearch(rows, query, DIMENSIONS, K, MetricKind.IP, 1).keys as BigUint64Array, Number)),
    };
  } catch {
    return undefined;
  }
}

async function compare(task: string, corpus: Corpus, setting: Setting): Promise<Result[]> {
  const { say, runs } = setting;
  say(`${task}: making ${corpus.items.length} x ${DIMENSIONS} vectors`);
  const vectors = vectorCorpus({ items: corpus.items, questions: corpus.questions.slice(0, 76) }, DIMENSIONS);
  const { rows, queries } = vectors;
  const peer = await usearch(vectors);
  const floats = VectorIndex.build(rows, DIMENSIONS, { mode: 'fast' });
  const codes = VectorIndex.build(rows, DIMENSIONS, { mode: 'fast', quantise: true });
  const way = (name: string, answer: Answer): Way => ({ name, answer, walls: [] });
  const ours = [
    way('f32, one query', answers(floats, queries, 1)),
    way('f32, 4 queries per pass', answers(floats, queries, 4)),
    way('int8 + re-scoring, one query', answers(codes, queries, 1)),
    way('int8 + re-scoring, 4 queries per pass', answers(codes, queries, 4)),
  ];
  const theirs = peer && way('usearch', peer.answer);
  const all = theirs ? [theirs, ...ours] : ours;
  for (const each of all) timed(each, queries.length);
  for (const { walls } of all) walls.length = 0;
  say(`${task}: ${runs} interleaved runs`);
  const values = await interleave(
    all.map(each => ({ name: each.name, run: async () => timed(each, queries.length) })),
    runs,
  );
  const reference = answers(VectorIndex.build(rows, DIMENSIONS, { mode: 'plain' }), queries, 1)();
  return ours.map(({ name, answer, walls }) => {
    const value = values.get(name)!;
    const wall = median(walls);
    const note = `wall ${wall.toPrecision(4)} ms`;
    return {
      task: `${task}: ${name}`,
      n: corpus.items.length,
      unit: 'CPU ms per query',
      ours: value,
      peers: [peerRow(theirs, peer?.version, values, value, wall, reference)],
      agreement: agreement(answer(), reference),
      note,
      machine: machine(),
    };
  });
}

function peerRow(
  way: Way | undefined,
  version: string | undefined,
  values: ReadonlyMap<string, number>,
  ours: number,
  wall: number,
  reference: readonly number[][],
): Peer {
  if (way === undefined) return { name: 'usearch exactSearch', version: 'absent', value: null, ratio: null };
  const value = values.get(way.name)!;
  const theirs = median(way.walls);
  return {
    name: 'usearch exactSearch',
    version: version ?? '',
    value,
    ratio: value / ours,
    agreement: agreement(way.answer(), reference),
    note: `wall ${theirs.toPrecision(4)} ms, ${(theirs / wall).toPrecision(3)}x; one query at a time, one thread`,
  };
}

export const vector6k: Task = setting => compare('vector-6k', realCorpus(setting.data), setting);

/** As many rows as the sentences of the MultiHop-RAG corpus, some 55,000. */
export const vector57k: Task = setting => {
  setting.say('vector-57k: making 56,709 passages');
  return compare('vector-57k', syntheticCorpus(setting.data, 56_709), setting);
};
