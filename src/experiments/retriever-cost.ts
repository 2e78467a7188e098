/**
 * Measures one search by each retriever on this machine: wall and CPU time a question, and
 * memory.
 *
 * A separate pass, with another engine for each retriever: the times of the evaluation know answers
 * of models from a cache. Here passages may come from a cache, but every query is embedded
 * and every pair is scored anew.
 */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { freeCall } from '../core/trace/call.ts';
import type { RetrieverCost } from '../evaluation/evaluation-result.ts';
import type { DataSet, Example } from '../evaluation/example.ts';
import { sampleQuestions } from '../evaluation/question-sample.ts';
import { quantile } from '../evaluation/value-of-scores.ts';
import type { Embedder } from '../models/embedder.ts';
import { lookupIn, type Resources } from '../models/resources.ts';
import { monotonicClock, takeTurns } from '../platform/clock.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import type { Retriever } from '../search/retriever.ts';
import { retrievers } from '../search/retrievers.ts';
import { SEARCH_DEPTH } from '../strategies/strategy.ts';
import { openIndexes } from './evaluated-engine.ts';

/** The models that a retriever calls for. */
export interface CostModels {
  /** These remember passages, perhaps, and no query. */
  readonly embedders: readonly Embedder[];
  /** Resources of the retriever; they cache no pair. */
  readonly resources: Resources;
  /**
   * Called when the passages are embedded: a cache and what it holds in memory are no longer
   * needed.
   */
  releaseCache(): Promise<void>;
  close(): Promise<void>;
}

export interface CostOptions {
  readonly dataSet: DataSet;
  readonly chunker: string;
  readonly template?: string;
  /** Canonical names. */
  readonly retrievers: readonly string[];
  models(retriever: string): Promise<CostModels>;
  /** Timed, of a seeded sample; three more searches before them warm models and code up. */
  readonly questions: number;
  readonly signal: AbortSignal;
}

const WARMING = 3;

interface Progress {
  done: number;
  readonly total: number;
}

/**
 * Yields how many questions are done. One search a question with the question as it stands, 30
 * hits, as a strategy's first search.
 */
export async function* retrieverCosts(
  options: CostOptions,
): AsyncGenerator<{ done: number; total: number }, RetrieverCost[], void> {
  const { examples } = sampleQuestions(options.dataSet.examples, options.questions);
  const names = [...new Set(options.retrievers)];
  const progress = { done: 0, total: names.length * examples.length };
  const costs: RetrieverCost[] = [];
  for (const name of names) costs.push(yield* costOf(name, names.length === 1, options, progress));
  return costs;
}

/** A function of its own, so that the next retriever begins when nothing of this one is held. */
async function* costOf(
  name: string,
  alone: boolean,
  options: CostOptions,
  progress: Progress,
): AsyncGenerator<{ done: number; total: number }, RetrieverCost, void> {
  const { examples } = sampleQuestions(options.dataSet.examples, options.questions);
  const before = await memoryHeld();
  const models = await options.models(name);
  try {
    const retriever = await opened(name, models, options);
    for (const example of examples.slice(0, WARMING))
      await searchFor(example, retriever, options.signal);
    const { wall, cpu } = yield* timed(retriever, examples, progress, options.signal);
    const after = await memoryHeld();
    // In use until here, so that what it holds is measured.
    await retriever.retrieve([], 0, freeCall(options.signal));
    return {
      retriever: name,
      questions: examples.length,
      milliseconds: {
        mean: wall.reduce((sum, ms) => sum + ms, 0) / wall.length,
        p50: quantile(wall, 0.5),
        p95: quantile(wall, 0.95),
      },
      cpuMilliseconds: cpu / examples.length,
      heapBytes: after.heap - before.heap,
      // Memory of an earlier retriever cannot be distinguished from that of this one.
      residentBytes: alone ? after.resident - before.resident : undefined,
    };
  } finally {
    await models.close();
  }
}

async function opened(
  name: string,
  models: CostModels,
  { dataSet, chunker, template, signal }: CostOptions,
): Promise<Retriever> {
  const engine = new EmbeddedEngine({
    documents: dataSet.documents,
    chunker,
    embedders: models.embedders,
    template,
  });
  const snapshot = engine.current;
  const lookup = lookupIn(models.resources);
  await openIndexes(snapshot, name, lookup, signal);
  await models.releaseCache();
  return retrievers.create(name).bind(snapshot, lookup);
}

/** Milliseconds of each search, ascending, and CPU milliseconds of all. */
async function* timed(
  retriever: Retriever,
  examples: readonly Example[],
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<{ done: number; total: number }, { wall: Float64Array; cpu: number }, void> {
  const wall = new Float64Array(examples.length);
  let cpu = 0;
  for (const [index, example] of examples.entries()) {
    const cpuBefore = process.cpuUsage();
    const started = monotonicClock();
    await searchFor(example, retriever, signal);
    wall[index] = monotonicClock() - started;
    const { user, system } = process.cpuUsage(cpuBefore);
    cpu += (user + system) / 1000;
    progress.done++;
    yield { ...progress };
    // Ctrl-C is heard between two questions.
    await takeTurns();
  }
  return { wall: wall.sort(), cpu };
}

async function searchFor(
  { question, within }: Example,
  retriever: Retriever,
  signal: AbortSignal,
): Promise<void> {
  const filter = within && { op: 'in' as const, field: 'id', values: within };
  await retriever.retrieve([{ text: question.text }], SEARCH_DEPTH, freeCall(signal), { filter });
}

/**
 * Bytes of the heap, array buffers and kernel memory that are in use, and of the process as the
 * system sees it, models included.
 */
async function memoryHeld(): Promise<{ readonly heap: number; readonly resident: number }> {
  let [held, settled] = [Number.POSITIVE_INFINITY, 0];
  // Streams, workers and finalisers of what ran before let go in later turns of the event loop, and
  // compiled code that nothing calls only after several collections: collects until none of it is
  // left, so that a retriever is not credited with what an earlier one lets go while it runs.
  for (let turn = 0; turn < SETTLING; turn++) {
    await setImmediate();
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    const now = heapUsed + external;
    settled = now >= held * SETTLED ? settled + 1 : 0;
    if (settled === SETTLED_ROUNDS) break;
    held = Math.min(held, now);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}

/**
 * Greatest number of rounds of collections, the share of memory that a last one leaves, and the
 * number of such rounds: on a busy machine a round may find nothing to free before the next one.
 */
const SETTLING = 20;
const SETTLED = 0.999;
const SETTLED_ROUNDS = 3;

let collect: (() => void) | undefined;
function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  // Buffers are let go one collection after the objects that held them.
  collect();
  collect();
}
