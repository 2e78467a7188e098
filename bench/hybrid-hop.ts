/**
 * Time of one hybrid hop: BM25, vectors, their fusion and the texts of the hits, against
 * LangChain's EnsembleRetriever over the same passages and vectors.
 */

import { freeCall } from '../src/core/trace/call.ts';
import type { Embedder } from '../src/models/embedder.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { exactScore } from '../src/search/indexes/vector/exact-score.ts';
import { retrievers } from '../src/search/retrievers.ts';
import { type Corpus, realCorpus } from './corpora.ts';
import { langChain } from './lang-chain.ts';
import { textOf } from './lexical-peers.ts';
import { compareWays, machine, type Result, type Task, type Way } from './measure.ts';
import { Reference } from './reference.ts';
import { type VectorCorpus, vectorCorpus } from './vector-corpus.ts';

const K = 10;
const DIMENSIONS = 384;
/** LangChain takes a good part of a second for each. */
const QUESTIONS = 40;
/** Depths of both searches: the peer's own k, and our default. */
const DEPTHS = [K, 100];
const CLOSE = 1e-9;

/**
 * The vector of every passage and question, looked up by its text: what an embedder with a cache
 * would do.
 */
function vectorsByText(
  { items, questions }: Corpus,
  { rows, queries, dimensions }: VectorCorpus,
): (text: string) => Float32Array {
  const known = new Map<string, Float32Array>(
    items.map((item, i) => [textOf(item), rows.subarray(i * dimensions, (i + 1) * dimensions)]),
  );
  for (const [i, question] of questions.entries()) known.set(question, queries[i]!);
  return text => known.get(text)!;
}

/** The public way: a retriever by its name, bound to the engine, and the engine's own texts. */
async function ours(
  { items, questions }: Corpus,
  embedder: Embedder,
): Promise<(depth: number) => Way['answer']> {
  const engine = new EmbeddedEngine({
    documents: items,
    embedders: [embedder],
    template: {
      name: 'bench',
      passage: ({ title }, { text }) => `${title} ${text}`,
      query: text => text,
    },
  }).current;
  return depth => {
    const retriever = retrievers
      .create(`fused(lexical, dense(${embedder.id}), depth=${depth})`)
      .bind(engine);
    return async () => {
      const found: number[][] = [];
      for (const text of questions) {
        const call = freeCall();
        const [hits] = await retriever.retrieve([{ text }], K, call);
        const read = await engine.read(
          'document',
          hits!.map(({ id }) => id),
          call,
        );
        found.push(read.map(({ id }) => Number(id)));
      }
      return found;
    };
  };
}

/**
 * BM25 and inner products in float64, fused by reciprocal ranks (k = 60); equal scores in the order
 * of the passages.
 */
function fusedReference(
  { items, questions }: Corpus,
  { rows, queries }: VectorCorpus,
): (depth: number) => Map<number, number>[] {
  const bm25 = new Reference(items.map(textOf));
  const best = (scores: Iterable<[number, number]>): number[] => {
    const order = [...scores].sort(([a, x], [b, y]) =>
      Math.abs(x - y) <= CLOSE * Math.abs(x) ? a - b : y - x,
    );
    return order.slice(0, Math.max(...DEPTHS)).map(([item]) => item);
  };
  const lists = questions.map((question, i) => [
    best(bm25.scores(question)),
    best(items.map((_, item): [number, number] => [item, exactScore(queries[i]!, rows, item)])),
  ]);
  return depth =>
    lists.map(parts => {
      const fused = new Map<number, number>();
      for (const part of parts)
        for (const [rank, item] of part.slice(0, depth).entries())
          fused.set(item, (fused.get(item) ?? 0) + 1 / (61 + rank));
      return fused;
    });
}

/**
 * The share of the reference's best k that is found, over all questions; an item that ties with the
 * k-th is as good.
 */
function agreement(
  found: readonly (readonly number[])[],
  reference: readonly ReadonlyMap<number, number>[],
): number {
  let right = 0;
  for (const [i, scores] of reference.entries()) {
    const least = [...scores.values()].sort((a, b) => b - a)[K - 1]! * (1 - CLOSE);
    right += new Set(found[i]!.slice(0, K).filter(item => (scores.get(item) ?? 0) >= least)).size;
  }
  return right / (K * reference.length);
}

export const hybridHop: Task = async ({ data, runs, say }) => {
  const { items, questions: all } = realCorpus(data);
  const corpus: Corpus = { items, questions: all.slice(0, QUESTIONS) };
  say(`hybrid-hop: making ${items.length} x ${DIMENSIONS} vectors`);
  const vectors = vectorCorpus(corpus, DIMENSIONS);
  const vectorOf = vectorsByText(corpus, vectors);
  const embedder: Embedder = {
    id: 'known',
    dimensions: DIMENSIONS,
    embed: async texts => texts.map(vectorOf),
  };
  const our = await ours(corpus, embedder);
  const peer = await langChain(items, vectorOf, say);
  const reference = fusedReference(corpus, vectors);
  const ways: Way[] = DEPTHS.flatMap(depth => {
    const mine: Way = { name: `ours, ${depth} deep`, answer: our(depth) };
    if (!peer) return [mine];
    const retrieve = peer.retriever(depth);
    const answer = async (): Promise<number[][]> => {
      const found: number[][] = [];
      for (const question of corpus.questions) found.push(await retrieve(question));
      return found;
    };
    return [mine, { name: `LangChain, ${depth} deep`, answer }];
  });
  say(`hybrid-hop: ${runs} interleaved runs`);
  const spent = await compareWays(ways, corpus.questions.length, runs);
  const agreed = new Map<string, number>();
  for (const { name, answer } of ways)
    agreed.set(name, agreement(await answer(), reference(Number(/\d+/.exec(name)![0]))));
  return DEPTHS.map(depth => result(depth, items.length, spent, agreed, peer?.version));
};

function result(
  depth: number,
  n: number,
  spent: Awaited<ReturnType<typeof compareWays>>,
  agreed: ReadonlyMap<string, number>,
  version: string | undefined,
): Result {
  const mine = `ours, ${depth} deep`;
  const theirs = `LangChain, ${depth} deep`;
  const value = spent.get(theirs);
  const wall = (name: string): string => `wall ${spent.get(name)!.wall.toPrecision(4)} ms`;
  const name = '@langchain/community';
  return {
    task: `hybrid-hop: both parts searched ${depth} deep`,
    n,
    unit: 'CPU ms per hop',
    ours: spent.get(mine)!.cpu,
    peers: [
      value === undefined
        ? { name, version: 'absent', value: null, ratio: null }
        : {
            name,
            version: version!,
            value: value.cpu,
            ratio: value.cpu / spent.get(mine)!.cpu,
            agreement: agreed.get(theirs)!,
            note: wall(theirs),
          },
    ],
    agreement: agreed.get(mine)!,
    note: `${wall(mine)}; k = ${K}, ${QUESTIONS} questions`,
    machine: machine(),
  };
}
