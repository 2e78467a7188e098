/** Composes an evaluation from plain options: its models, its judge and its total budget. */

import { defined } from '../core/defined.ts';
import { freeCall } from '../core/trace/call.ts';
import { judgeMeasures } from '../evaluation/judging.ts';
import type { Progress, Row } from '../evaluation/run.ts';
import { languageModel } from '../models/ports.ts';
import { thisPackage } from '../platform/package-root.ts';
import { readers } from '../readers/readers.ts';
import type { DecoratedModel } from '../session/decorated-model.ts';
import {
  type LanguageModelOptions,
  type OpenModel,
  openLanguageModel,
} from '../session/language-model.ts';
import type { ModelSources } from '../session/models.ts';
import { Models, openedEmbedder } from '../session/models.ts';
import { openedModel } from '../session/opened-resources.ts';
import { retrieverNeeds } from '../session/retriever-needs.ts';
import { retrieverInStore } from '../session/stored-units.ts';
import type { TotalBudget } from '../session/total-budget.ts';
import { strategyOf } from './asker.ts';
import { type EvaluationRun, type EvaluationRunOptions, runEvaluation } from './evaluation-run.ts';
import { type JudgeOptions, type OpenJudge, openJudge } from './judge.ts';

type Own = 'judge' | 'version' | 'onEmbedded';

/** The rows, questions and measures of an evaluation, without its models. */
export type EvaluationRequest = Omit<EvaluationRunOptions, Own>;

export interface EvaluationModels {
  readonly models: ModelSources;
  readonly language?: LanguageModelOptions;
  readonly judge?: JudgeOptions;
  /** Folder that caches vectors, scores and completions. */
  readonly cache?: string | undefined;
  readonly total?: TotalBudget;
  /**
   * Called after each batch of embedded texts: how many have vectors, of how many, and how many of
   * them a model embedded.
   */
  onEmbedded?(done: number, total: number, worked: number): void;
}

export interface ComposedEvaluation {
  readonly evaluated: EvaluationRun;
  /** The models as they were asked; closed. */
  readonly answering: DecoratedModel | undefined;
  readonly judging: DecoratedModel | undefined;
}

/** Yields progress after every question. Closes all models however the evaluation ends. */
export async function* composeEvaluation(
  request: EvaluationRequest,
  options: EvaluationModels,
): AsyncGenerator<Progress, ComposedEvaluation, void> {
  const { cache, onEmbedded, total } = options;
  let worked = 0;
  const models = new Models({
    ...options.models,
    cache,
    queries: true,
    onEmbedded: texts => (worked += texts),
  });
  let language: OpenModel | undefined;
  let judge: OpenJudge | undefined;
  try {
    if (options.language) language = await openLanguageModel({ ...options.language, cache, total });
    const answering = language?.decorated;
    if (options.judge)
      judge = await openJudge({ ...options.judge, answering: answering?.model.id, cache, total });
    const embedded = (done: number, count: number): void => onEmbedded?.(done, count, worked);
    const run = runEvaluation({
      ...(await withModels(request, models, { answering, judge })),
      onEmbedded: embedded,
    });
    return { evaluated: yield* run, answering, judging: judge?.decorated };
  } finally {
    await models.close();
    await language?.close();
    await judge?.close();
  }
}

/** Marks the row of a strategy that would use a language model. */
const byRules = (row: Row, request: EvaluationRequest): Row =>
  strategyOf(row, request).needs?.some(({ port, optional }) => optional && port === languageModel)
    ? { ...row, rules: true }
    : row;

interface Opened {
  readonly answering: DecoratedModel | undefined;
  readonly judge: OpenJudge | undefined;
}

async function withModels(
  request: EvaluationRequest,
  models: Models,
  { answering, judge }: Opened,
): Promise<EvaluationRunOptions> {
  const { measures, place } = request;
  const state = await place?.state(freeCall(request.signal));
  const rows = request.rows.map(row =>
    state ? { ...row, retriever: retrieverInStore(row.retriever, state) } : row,
  );
  const retrievers = rows.map(({ retriever }) => retriever);
  const opened = await models.forSearch(retrievers, state?.spaces);
  await place?.use({ embedders: opened });
  const embedders = opened.map(openedEmbedder);
  const needs = rows.flatMap(row => [
    ...(strategyOf(row, request).needs ?? []),
    ...(readers.create(row.reader).needs ?? []),
  ]);
  const provided = await models.forNeeds([...retrieverNeeds(retrievers), ...needs]);
  const given = request.resources ?? [];
  return defined({
    ...request,
    rows: answering ? rows : rows.map(row => byRules(row, request)),
    resources: [...embedders, ...provided, ...given, ...openedModel(answering?.model)],
    version: thisPackage().version,
    judge: judge?.judge,
    measures: judge ? [...measures, ...judgeMeasures(judge.judge.id)] : measures,
  });
}
