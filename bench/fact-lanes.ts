/**
 * Time of a question that fact-lanes asks over real sentences with real vectors: the choice of
 * sentences alone, and with context and answer; embedding of its queries apart.
 */
import { askEvents } from '../src/ask.ts';
import { contexts } from '../src/context/contexts.ts';
import { sentencesOf } from '../src/corpus/chunker.ts';
import { monotonicClock } from '../src/edges/clock.ts';
import { readDataSet } from '../src/edges/formats/data-sets.ts';
import { resolveEmbedder } from '../src/edges/providers/resolve-model.ts';
import { findData } from '../src/edges/runs/find-data.ts';
import { sha256 } from '../src/edges/sha256.ts';
import { VectorCacheFolder } from '../src/edges/storage/vector-cache.ts';
import { cachedEmbedder } from '../src/models/cached-embedder.ts';
import type { Embedder } from '../src/models/embedder.ts';
import { lookupIn } from '../src/models/resources.ts';
import { EmbeddedEngine } from '../src/retrieval/embedded-engine.ts';
import type { SearchEngine } from '../src/retrieval/engine.ts';
import { retrievers } from '../src/retrieval/retrievers.ts';
import { strategies } from '../src/strategies/strategies.ts';
import { freeCall } from '../src/trace/call.ts';
import { machine, median, type Result, type Setting, type Spent, type Task } from './measure.ts';
import { now, since } from './tree-hop-store.ts';

const STRATEGY = 'fact-lanes(tokens=510)';
const CONTEXT = 'sentences(perDocument=5)';
/**
 * Every question was asked once before, for the vectors of its queries: what the process remembers
 * of documents is warm.
 */
const WARM_UP = 40;
const MEASURED = 150;
/** Questions whose queries are embedded anew. */
const EMBEDDED = 10;

interface Store {
  readonly engine: SearchEngine;
  readonly space: string;
  readonly sentences: number;
  readonly questions: readonly string[];
  readonly memory: QueryMemory;
}

/** Vectors of queries, each made once: what was asked for since it was last looked is known. */
class QueryMemory {
  private readonly vectors = new Map<string, Float32Array>();
  private asked: string[] = [];
  readonly model: Embedder;
  private readonly cached: Embedder;

  constructor(model: Embedder, cached: Embedder) {
    this.model = model;
    this.cached = cached;
  }

  readonly embed: Embedder['embed'] = async (texts, as, call) => {
    if (as !== 'query') return this.cached.embed(texts, as, call);
    this.asked.push(...texts);
    const missing = [...new Set(texts)].filter(text => !this.vectors.has(text));
    const made = missing.length > 0 ? await this.cached.embed(missing, as, call) : [];
    for (const [at, vector] of made.entries()) this.vectors.set(missing[at]!, vector);
    return texts.map(text => this.vectors.get(text)!);
  };

  /** The texts of the last question, each once. */
  take(): string[] {
    const taken = [...new Set(this.asked)];
    this.asked = [];
    return taken;
  }
}

/** Evenly over all, so that every type of question is there. */
const spread = <T>(list: readonly T[], count: number): T[] =>
  Array.from(
    { length: Math.min(count, list.length) },
    (_, i) => list[Math.floor((i * list.length) / count)]!,
  );

async function open(
  { data, say }: Setting,
  space: string,
  model: Embedder,
  cache: VectorCacheFolder | undefined,
): Promise<Store> {
  const { documents, examples } = await readDataSet(
    'multihop-rag',
    findData('multihop-rag', {}, data),
  );
  const memory = new QueryMemory(
    model,
    cache ? cachedEmbedder(model, cache, { hash: sha256 }) : model,
  );
  const embedder: Embedder = { id: space, dimensions: model.dimensions, embed: memory.embed };
  const engine = new EmbeddedEngine({ documents, embedders: [embedder] }).current;
  const sentences = documents.reduce((sum, document) => sum + sentencesOf(document).length, 0);
  say(`fact-lanes: ${sentences} sentences of ${documents.length} documents`);
  await retrieverOf(space)
    .bind(engine)
    .retrieve([{ text: '' }], 0, freeCall());
  const texts = examples.map(({ question }) => question.text);
  return { engine, space, sentences, questions: spread(texts, WARM_UP + MEASURED), memory };
}

const retrieverOf = (space: string) =>
  retrievers.create(`fused(lexical(unit=sentence), dense(${space}, unit=sentence))`);
const strategy = strategies.create(STRATEGY);

/** The strategy by itself, as `ask` pulls it. */
async function choose({ engine, space }: Store, text: string): Promise<void> {
  const question = { id: '', text };
  const call = freeCall();
  const kit = {
    engine,
    retriever: retrieverOf(space).bind(engine),
    context: contexts.create(CONTEXT).bind(engine, call, question),
    resource: lookupIn({}),
  };
  for await (const _ of strategy.hops(question, kit, call));
}

/** A whole run: hops, evidence, context, answer, every event. */
async function answer({ engine, space }: Store, text: string): Promise<void> {
  const { name: retriever } = retrieverOf(space);
  const options = {
    engine,
    strategy: STRATEGY,
    retriever,
    context: CONTEXT,
    reader: 'fact-reader',
  };
  for await (const _ of askEvents(text, options, monotonicClock));
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(share * values.length))
  ]!;
const figure = (value: number): string => value.toPrecision(3);

/** The median of the rounds of each question, since other work runs too; and all rounds. */
interface Timed {
  readonly typical: readonly Spent[];
  readonly single: readonly Spent[];
}

const walls = (spent: readonly Spent[]): number[] => spent.map(({ wall }) => wall);
const said = ({ typical, single }: Timed): string => {
  const cpu = typical.map(one => one.cpu);
  const of = (values: readonly number[], share: number): string =>
    `${figure(percentile(values, share))} ms`;
  const rounds = single.length / typical.length;
  const medians =
    rounds > 1
      ? `, the median of ${rounds} rounds each; p95 of all single times ${of(walls(single), 0.95)}`
      : '';
  return `p50 ${of(walls(typical), 0.5)}, CPU p50 ${of(cpu, 0.5)}, CPU p95 ${of(cpu, 0.95)}, ${typical.length} questions${medians}`;
};

function typical(rounds: readonly (readonly Spent[])[]): Timed {
  const of = (at: number, part: keyof Spent): number =>
    median(rounds.map(round => round[at]![part]));
  return {
    typical: rounds[0]!.map((_, at) => ({ wall: of(at, 'wall'), cpu: of(at, 'cpu') })),
    single: rounds.flat(),
  };
}

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

async function measured(store: Store, { say, runs }: Setting): Promise<Result[]> {
  const { questions, memory, sentences } = store;
  const queries = new Map<string, string[]>();
  say('fact-lanes: vectors of queries');
  for (const text of questions) {
    await choose(store, text);
    queries.set(text, memory.take());
  }
  await timed(questions.slice(0, WARM_UP), text => answer(store, text));
  say(`fact-lanes: ${questions.length - WARM_UP} questions`);
  const asked = questions.slice(WARM_UP);
  const [chosen, answered]: Spent[][][] = [[], []];
  for (let round = 0; round < Math.max(1, runs); round++) {
    chosen!.push(await timed(asked, text => choose(store, text)));
    answered!.push(await timed(asked, text => answer(store, text)));
  }
  const embedded = await timed(spread(asked, EMBEDDED), text =>
    memory.model.embed(queries.get(text)!, 'query', freeCall()),
  );
  const lanes = asked.reduce((sum, text) => sum + queries.get(text)!.length, 0) / asked.length;
  const result = (what: string, spent: Timed, note = ''): Result => ({
    ...{
      task: `fact-lanes: ${what}`,
      n: sentences,
      unit: 'wall ms, p95',
      ours: percentile(walls(spent.typical), 0.95),
    },
    ...{ peers: [], note: `${said(spent)}${note}`, machine: machine() },
  });
  return [
    result('sentences chosen, vectors of queries at hand', typical(chosen!)),
    result('a whole run with context and answer, vectors of queries at hand', typical(answered!)),
    result(
      'embedding of a question’s queries, beside it',
      typical([embedded]),
      `; ${lanes.toFixed(1)} queries a question`,
    ),
  ];
}

export const factLanes: Task = async setting => {
  const { say, embedder = 'bge-small-en-v1.5' } = setting;
  if (process.env['MULTIHOP_MODELS'] === undefined) {
    say('fact-lanes: MULTIHOP_MODELS is not set');
    return [];
  }
  const model = await resolveEmbedder(embedder, { env: process.env });
  const cache = setting.cache === undefined ? undefined : new VectorCacheFolder(setting.cache);
  try {
    return await measured(await open(setting, embedder, model, cache), setting);
  } finally {
    await cache?.close();
    await (model as { close?(): Promise<void> }).close?.();
  }
};
