/**
 * A training run of EfficientRAG-lite: samples by retrieval, cross-validation, the loop on
 * questions held out, one checkpoint.
 */
import type { Document } from '../../src/core/corpus/document.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import type { LiteCheckpoint } from '../../src/models/efficient-rag/lite-checkpoint.ts';
import { liteClassifiers } from '../../src/models/efficient-rag/lite-classifiers.ts';
import type { TermWeights } from '../../src/models/efficient-rag/term-weights.ts';
import { takeTurns } from '../../src/platform/clock.ts';
import { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import type { SearchEngine } from '../../src/search/engine.ts';
import { retrievers } from '../../src/search/retrievers.ts';
import {
  type LoopOutcome,
  type LoopScores,
  loopOutcome,
  loopScores,
  runLoop,
} from '../learning/efficient-rag/held-out-recall.ts';
import type { LiteData, LiteQuestion } from '../learning/efficient-rag/lite-data.ts';
import {
  type LiteSamples,
  samplesOf,
  termWeights,
} from '../learning/efficient-rag/lite-samples.ts';
import {
  type CrossValidation,
  crossValidate,
  LITE_SETTINGS,
  liteFolds,
  liteModel,
  trainNetworks,
} from '../learning/efficient-rag/lite-training.ts';
import type { EfficientRagData } from './efficient-rag-data.ts';

export interface TrainingRunOptions {
  readonly folds: number;
  readonly seed: number;
  /** Chunks of each search. */
  readonly k: number;
  readonly retriever: string;
  /** Questions held out on which the whole loop is run, at most. */
  readonly questions: number;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

export interface TrainingRunOutcome {
  readonly checkpoint: LiteCheckpoint;
  readonly points: CrossValidation['points'];
  /** By data set, then all. */
  readonly loop: readonly (LoopScores & { readonly dataset: string })[];
}

/** Inputs that all steps of a run share. */
interface Bench {
  readonly data: LiteData;
  readonly engine: SearchEngine;
  readonly weights: TermWeights;
  readonly fold: Int32Array;
  readonly options: TrainingRunOptions;
}

/**
 * Cross-validates, runs the loop with what did not see its questions, and learns from all. Throws
 * the signal's reason between two pieces of work.
 */
export async function trainEfficientRag(
  data: EfficientRagData,
  request: TrainingRunOptions,
): Promise<TrainingRunOutcome> {
  const options = { ...request, retriever: retrievers.canonical(request.retriever) };
  const { folds, seed, k, retriever, version } = options;
  const engine = new EmbeddedEngine({ documents: data.documents });
  const fold = liteFolds(data.questions, folds, seed);
  const bench: Bench = {
    data,
    engine: engine.current,
    weights: termWeights(data.documents),
    fold,
    options,
  };
  const samples = await allSamples(bench);
  const onFold = (done: number): void => options.onProgress?.('folds', done, folds);
  const validated = crossValidate(samples, fold, LITE_SETTINGS, { seed, onFold });
  const { points } = validated;
  const loop = await measureLoop(bench, validated);
  const model = liteModel(trainNetworks(samples, LITE_SETTINGS, seed), points, bench.weights);
  const provenance = {
    trainedBy: `multihop ${version} efficient-rag train`,
    settings: LITE_SETTINGS,
    seed,
    folds,
    k,
    retriever,
    files: data.files,
    questions: data.questions.length,
    paragraphs: data.documents.length,
    counts: data.counts,
    crossValidation: points,
    heldOut: loop,
  };
  return { checkpoint: { model, provenance: rounded(provenance) }, points, loop };
}

/** Runs the loop on some questions, each with the classifiers that did not see its fold. */
async function measureLoop(
  bench: Bench,
  { networks, points }: CrossValidation,
): Promise<TrainingRunOutcome['loop']> {
  const { data, engine, weights, fold, options } = bench;
  const { k, retriever, signal, onProgress } = options;
  const models = networks.map(each =>
    liteClassifiers(liteModel(each, points, weights), 'held-out'),
  );
  const strategy = `efficient-rag(k=${k}, model=held-out)`;
  const outcomes: { readonly dataset: string; readonly outcome: LoopOutcome }[] = [];
  const places = heldOut(data.questions, options.questions);
  for (const place of places) {
    const { question, gold } = data.questions[place]!;
    const trace = await runLoop(question.text, engine, {
      strategy,
      retriever,
      classifiers: models[fold[place]!]!,
    });
    outcomes.push({ dataset: question.dataset, outcome: loopOutcome(trace, gold) });
    onProgress?.('held-out questions', outcomes.length, places.length);
    await pause(signal);
  }
  const groups = [...Map.groupBy(outcomes, ({ dataset }) => dataset), ['all', outcomes] as const];
  return groups.map(([dataset, group]) => ({
    dataset,
    ...loopScores(group.map(({ outcome }) => outcome)),
  }));
}

async function allSamples({ data, engine, weights, options }: Bench): Promise<LiteSamples[]> {
  const { documents, questions } = data;
  const { k, retriever, signal, onProgress } = options;
  const bound = retrievers.create(retriever).bind(engine);
  const find = async (queries: readonly string[]): Promise<string[][]> => {
    const rankings = await bound.retrieve(
      queries.map(text => ({ text })),
      k,
      freeCall(signal),
      { unit: 'document' },
    );
    return rankings.map(ranking => ranking.map(({ id }) => id));
  };
  const document = (id: string): Document => documents[Number(id)]!;
  const samples: LiteSamples[] = [];
  for (const question of questions) {
    samples.push(await samplesOf(question, document, weights, find));
    onProgress?.('questions', samples.length, questions.length);
    await pause(signal);
  }
  return samples;
}

async function pause(signal: AbortSignal): Promise<void> {
  await takeTurns();
  signal.throwIfAborted();
}

/** Every n-th question with gold, so that all data sets have their share. */
function heldOut(questions: readonly LiteQuestion[], most: number): number[] {
  const all = questions.flatMap(({ gold }, index) => (gold.size > 0 ? [index] : []));
  const step = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_, place) => place % step === 0);
}

/** Five digits say enough in a provenance. */
const rounded = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, each) =>
      typeof each === 'number' ? Number(each.toPrecision(5)) : each,
    ),
  ) as T;
