/**
 * Time of a question that fact-lanes asks over real sentences, by words and with real vectors: the
 * choice of sentences alone, and a whole run with trace, context and answer; embedding of its
 * queries in one batch beside it.
 */

import { contexts } from '../src/context/contexts.ts';
import { AnalysisCache } from '../src/core/corpus/analysis-cache.ts';
import { sentencesOf } from '../src/core/corpus/chunker.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { readDataSet } from '../src/documents/data-sets.ts';
import { findData } from '../src/experiments/find-data.ts';
import { cachedEmbedder } from '../src/models/cached-embedder.ts';
import type { Embedder } from '../src/models/embedder.ts';
import { lookupIn } from '../src/models/resources.ts';
import { monotonicClock } from '../src/platform/clock.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { resolveModel } from '../src/providers/resolve-model.ts';
import { askEvents } from '../src/run/ask.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { engineWith, type SearchEngine } from '../src/search/engine.ts';
import { VECTORS } from '../src/search/ports/vectors-port.ts';
import { retrievers } from '../src/search/retrievers.ts';
import { VectorCacheFolder } from '../src/stores/disk/vector-cache.ts';
import { strategies } from '../src/strategies/strategies.ts';
import { machine, median, type Result, type Setting, type Spent, type Task } from './measure.ts';
import { now, since } from './tree-hop-store.ts';

const STRATEGY = 'fact-lanes(tokens=510)';
const CONTEXT = 'sentences(perDocument=5)';
const READER = 'fact-reader';
/** Asked before each round, so that no measured question is asked twice in it. */
const WARM_UP = 300;
const MEASURED = 200;
/** Questions whose queries are embedded anew. */
const EMBEDDED = 10;

/** One way to search the store. */
interface Searched {
  readonly engine: SearchEngine;
  readonly retriever: string;
}

/** Vectors of queries, each made once. */
class QueryMemory {
  private readonly vectors = new Map<string, Float32Array>();
  private readonly cached: Embedder;

  constructor(cached: Embedder) {
    this.cached = cached;
  }

  readonly embed: Embedder['embed'] = async (texts, as, call) => {
    if (as !== 'query') return this.cached.embed(texts, as, call);
    const missing = [...new Set(texts)].filter(text => !this.vectors.has(text));
    const made = missing.length > 0 ? await this.cached.embed(missing, as, call) : [];
    for (const [at, vector] of made.entries()) this.vectors.set(missing[at]!, vector);
    return texts.map(text => this.vectors.get(text)!);
  };
}

/** Evenly over all, so that every type of question is there. */
const spread = <T>(list: readonly T[], count: number): T[] =>
  Array.from(
    { length: Math.min(count, list.length) },
    (_, i) => list[Math.floor((i * list.length) / count)]!,
  );

const retrieverOf = (name: string) => retrievers.create(name);
const strategy = strategies.create(STRATEGY);

/** The strategy by itself, as `ask` pulls it; returns the texts that its first hop searched. */
async function choose({ engine, retriever }: Searched, text: string): Promise<string[]> {
  const question = { id: '', text };
  const call = freeCall();
  const kit = {
    engine,
    retriever: retrieverOf(retriever).bind(engine),
    context: contexts.create(CONTEXT).bind(engine, call, question),
    resource: lookupIn({}),
  };
  const texts: string[][] = [];
  for await (const { searches } of strategy.hops(question, kit, call))
    texts.push(searches.flatMap(search => search.text ?? []));
  return [...new Set(texts[0])];
}

/** A whole run: hops, evidence, context, answer, every event. */
async function answer({ engine, retriever }: Searched, text: string): Promise<void> {
  const members = { strategy: STRATEGY, retriever, context: CONTEXT, reader: READER };
  for await (const _ of askEvents(text, { engine, ...members }, monotonicClock));
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(share * values.length))
  ]!;
const figure = (value: number): string => `${value.toPrecision(3)} ms`;

function said(spent: readonly Spent[]): string {
  const [wall, cpu] = [spent.map(one => one.wall), spent.map(one => one.cpu)];
  return `wall p50 ${figure(percentile(wall, 0.5))}, CPU p50 ${figure(percentile(cpu, 0.5))}, CPU p95 ${figure(percentile(cpu, 0.95))}, ${spent.length} questions`;
}

/** The median of the rounds of each question, since other work runs too. */
const typical = (rounds: readonly (readonly Spent[])[]): Spent[] =>
  rounds[0]!.map((_, at) => ({
    wall: median(rounds.map(round => round[at]!.wall)),
    cpu: median(rounds.map(round => round[at]!.cpu)),
  }));

async function timed(
  questions: readonly string[],
  work: (text: string) => Promise<unknown>,
): Promise<Spent[]> {
  const spent: Spent[] = [];
  for (const text of questions) {
    const started = now();
    await work(text);
    spent.push(since(started));
  }
  return spent;
}

interface Questions {
  readonly before: readonly string[];
  readonly asked: readonly string[];
}

/**
 * Asks every question once a round. A round begins with nothing remembered of the documents but
 * what the questions before it read.
 */
async function rounds(
  searched: Searched,
  { before, asked }: Questions,
  runs: number,
  work: (searched: Searched, text: string) => Promise<unknown>,
): Promise<Spent[]> {
  const all: Spent[][] = [];
  for (let round = 0; round < Math.max(1, runs); round++) {
    const engine = engineWith(searched.engine, { analysis: new AnalysisCache() });
    for (const text of before) await work({ ...searched, engine }, text);
    all.push(await timed(asked, text => work({ ...searched, engine }, text)));
  }
  return typical(all);
}

const resultOf = (what: string, n: number, spent: readonly Spent[], note = ''): Result => ({
  task: `fact-lanes: ${what}`,
  n,
  unit: 'wall ms, p95',
  ours: percentile(
    spent.map(({ wall }) => wall),
    0.95,
  ),
  peers: [],
  note: `${said(spent)}${note}`,
  machine: machine(),
});

async function measured(
  [what, searched]: readonly [string, Searched],
  sentences: number,
  questions: Questions,
  { say, runs }: Setting,
): Promise<Result[]> {
  say(`fact-lanes: ${questions.asked.length} questions, ${what}`);
  const note = `, the median of ${Math.max(1, runs)} rounds each`;
  const chosen = await rounds(searched, questions, runs, choose);
  const answered = await rounds(searched, questions, runs, answer);
  return [
    resultOf(`sentences chosen, ${what}`, sentences, chosen, note),
    resultOf(`a whole run with trace, context and answer, ${what}`, sentences, answered, note),
  ];
}

/** Embeds the queries of some questions, those of each in one batch, and keeps those of all. */
async function embedding(
  engine: SearchEngine,
  space: string,
  model: Embedder,
  queries: readonly (readonly string[])[],
  sentences: number,
): Promise<Result> {
  const vectors = engine.port(VECTORS)!;
  for (const texts of queries) await vectors.queryVectors('sentence', texts, space, freeCall());
  const some = spread(queries, EMBEDDED);
  const spent = await timed(
    some.map((_, at) => String(at)),
    at => model.embed(some[Number(at)]!, 'query', freeCall()),
  );
  const mean = some.reduce((sum, texts) => sum + texts.length, 0) / some.length;
  const note = `; ${mean.toFixed(1)} queries a question`;
  return resultOf('embedding of a question’s queries in one batch', sentences, spent, note);
}

export const factLanes: Task = async setting => {
  const { say, data, embedder = 'bge-small-en-v1.5' } = setting;
  const { documents, examples } = await readDataSet(
    'multihop-rag',
    findData('multihop-rag', {}, data),
  );
  const sentences = documents.reduce((sum, document) => sum + sentencesOf(document).length, 0);
  say(`fact-lanes: ${sentences} sentences of ${documents.length} documents`);
  const texts = examples.map(({ question }) => question.text);
  const asked = spread(texts, MEASURED);
  const taken = new Set(asked);
  const before = spread(
    texts.filter(text => !taken.has(text)),
    WARM_UP,
  );
  const questions = { before, asked };
  const words = { engine: new EmbeddedEngine({ documents }).current, retriever: 'lexical' };
  const byWords = await measured(['by words', words], sentences, questions, setting);
  if (process.env['MULTIHOP_MODELS'] === undefined) {
    say('fact-lanes: MULTIHOP_MODELS is not set, so vectors are left out');
    return byWords;
  }
  const model = await resolveModel('embedder', embedder, { env: process.env });
  const cache = setting.cache === undefined ? undefined : new VectorCacheFolder(setting.cache);
  try {
    const memory = new QueryMemory(cache ? cachedEmbedder(model, cache, { hash: sha256 }) : model);
    const known: Embedder = { id: embedder, dimensions: model.dimensions, embed: memory.embed };
    const { current: engine } = new EmbeddedEngine({ documents, embedders: [known] });
    const retriever = `fused(lexical(unit=sentence), dense(${embedder}, unit=sentence))`;
    await retrieverOf(retriever)
      .bind(engine)
      .retrieve([{ text: '' }], 0, freeCall());
    say('fact-lanes: vectors of queries');
    const queries: string[][] = [];
    for (const text of [...asked, ...before]) queries.push(await choose(words, text));
    const embedded = await embedding(engine, embedder, model, queries, sentences);
    const what = `${embedder}, vectors of queries at hand`;
    const byVectors = await measured([what, { engine, retriever }], sentences, questions, setting);
    return [...byWords, ...byVectors, embedded];
  } finally {
    await cache?.close();
    await (model as { close?(): Promise<void> }).close?.();
  }
};
