/**
 * A store of synthetic passages and vectors that TreeHop searches, with a clock at every door of
 * the kit.
 */
import { contexts } from '../src/context/contexts.ts';
import { mulberry32 } from '../src/core/mulberry32.ts';
import { freeCall } from '../src/core/trace/call.ts';
import type { Embedder } from '../src/models/embedder.ts';
import type { QueryUpdater } from '../src/models/query-updater.ts';
import { lookupIn } from '../src/models/resources.ts';
import { initialParameters, type TreeHopParameters } from '../src/models/tree-hop/parameters.ts';
import { OUTPUT_NAME, publishedShape } from '../src/models/tree-hop/shape.ts';
import { treeHopUpdater } from '../src/models/tree-hop/tree-hop-updater.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import type { SearchEngine } from '../src/search/engine.ts';
import { retrievers } from '../src/search/retrievers.ts';
import { strategies } from '../src/strategies/strategies.ts';
import type { Kit, OpenHop } from '../src/strategies/strategy.ts';
import { type Corpus, syntheticCorpus } from './corpora.ts';
import { textOf } from './lexical-peers.ts';
import type { Setting, Spent } from './measure.ts';
import { type VectorCorpus, vectorCorpus } from './vector-corpus.ts';

export const ROWS = 56_709;
/**
 * Scales the last map of an untrained model: with PyTorch's initial weights its output is five
 * times as long as q - c and equal for all pairs, so that all queries of a layer would be one.
 */
const OUTPUT_SCALE = 0.1;

export interface TreeHopStore {
  readonly vectors: VectorCorpus;
  readonly questions: readonly string[];
  readonly parameters: TreeHopParameters;
  readonly engine: SearchEngine;
  readonly updater: QueryUpdater;
}

/** Everything is opened: the vectors are in the index, the weights are packed. */
export async function treeHopStore(
  dimensions: number,
  { data, say }: Setting,
): Promise<TreeHopStore> {
  say(`tree-hop: making ${ROWS} x ${dimensions} vectors`);
  const corpus = syntheticCorpus(data, ROWS);
  const vectors = vectorCorpus(corpus, dimensions);
  const embedder: Embedder = { id: 'known', dimensions, embed: embedding(corpus, vectors) };
  const engine = new EmbeddedEngine({
    documents: corpus.items,
    embedders: [embedder],
    template: {
      name: 'bench',
      passage: ({ title }, { text }) => `${title} ${text}`,
      query: text => text,
    },
  }).current;
  const parameters = initialParameters(publishedShape(dimensions), mulberry32(dimensions));
  const output = parameters.tensors.get(OUTPUT_NAME)!;
  for (let i = 0; i < output.length; i++) output[i]! *= OUTPUT_SCALE;
  const updater = treeHopUpdater({ parameters, provenance: { encoder: embedder.id } });
  const store = { vectors, questions: corpus.questions, parameters, engine, updater };
  await hopsOf(kitOf(engine, updater), store.questions[0]!);
  return store;
}

/** Vectors by text: what an embedder with a cache would do. */
function embedding(
  { items, questions }: Corpus,
  { rows, queries, dimensions }: VectorCorpus,
): Embedder['embed'] {
  const known = new Map<string, Float32Array>(
    items.map((item, i) => [textOf(item), rows.subarray(i * dimensions, (i + 1) * dimensions)]),
  );
  for (const [i, question] of questions.entries()) known.set(question, queries[i]!);
  return async texts => texts.map(text => known.get(text)!);
}

export function kitOf(engine: SearchEngine, updater: QueryUpdater): Kit {
  return {
    engine,
    resource: lookupIn({ 'query-updater': [updater] }),
    retriever: retrievers.create(`dense(${updater.space})`).bind(engine),
    context: contexts.create('lead').bind(engine, freeCall(), { id: '', text: '' }),
  };
}

const strategy = strategies.create('tree-hop(k=5, hops=2, pruning=rank)');

/** The hops of one question, as `ask` pulls them. */
export async function hopsOf(kit: Kit, text: string): Promise<OpenHop[]> {
  const hops: OpenHop[] = [];
  for await (const hop of strategy.hops({ id: text, text }, kit, freeCall())) hops.push(hop);
  return hops;
}

/** Times of the parts of a question. */
export interface Parts {
  /** The time of each search. */
  readonly searches: Spent[];
  update: Spent;
  /**
   * From the end of the first search to the beginning of the second: pruning, reading of vectors,
   * updates, hashes.
   */
  layer: Spent;
}

/** Wall and CPU milliseconds of this process so far. */
export function now(): Spent {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now(), cpu: (user + system) / 1000 };
}

export const since = (before: Spent, after: Spent = now()): Spent => ({
  wall: after.wall - before.wall,
  cpu: after.cpu - before.cpu,
});

const none = (): Parts => ({
  searches: [],
  update: { wall: 0, cpu: 0 },
  layer: { wall: 0, cpu: 0 },
});

/** The same store with a clock. What the parts do not hold is the strategy's own work. */
export function clocked({ engine, updater }: TreeHopStore): { readonly kit: Kit; take(): Parts } {
  let parts = none();
  let searched = now();
  const timedEngine: SearchEngine = Object.create(engine, {
    search: {
      value: async (...given: Parameters<SearchEngine['search']>) => {
        const started = now();
        if (parts.searches.length === 1) parts.layer = since(searched, started);
        const found = await engine.search(...given);
        searched = now();
        parts.searches.push(since(started, searched));
        return found;
      },
    },
  }) as SearchEngine;
  const timedUpdater: QueryUpdater = {
    ...updater,
    async update(...given) {
      const started = now();
      const next = await updater.update(...given);
      parts.update = since(started);
      return next;
    },
  };
  return {
    kit: kitOf(timedEngine, timedUpdater),
    take() {
      const taken = parts;
      parts = none();
      return taken;
    },
  };
}
