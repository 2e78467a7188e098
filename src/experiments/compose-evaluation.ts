/** Composes an evaluation from plain options: its models, its judge and its total budget. */

import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import { judgeMeasures } from '../evaluation/judging.ts';
import type { Progress, Row } from '../evaluation/run.ts';
import { entityRecogniser, languageModel } from '../models/ports.ts';
import { thisPackage } from '../platform/package-root.ts';
import { readers } from '../readers/readers.ts';
import { storedClaims } from '../search/claims/stored-claims.ts';
import type { ClaimsSpending } from '../session/claims.ts';
import type { DecoratedModel } from '../session/decorated-model.ts';
import {
  type LanguageModelOptions,
  type OpenModel,
  openLanguageModel,
} from '../session/language-model.ts';
import type { ModelSources } from '../session/models.ts';
import { Models, openedEmbedder } from '../session/models.ts';
import { type OpenedResource, openedModel } from '../session/opened-resources.ts';
import type { GraphSpending } from '../session/recognisers.ts';
import { retrieverNeeds } from '../session/retriever-needs.ts';
import { retrieverInStore } from '../session/stored-units.ts';
import type { TotalBudget } from '../session/total-budget.ts';
import type { StoreRecogniser } from '../stores/disk/kept-graph.ts';
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
  /** Name of the entity recogniser by which graphs are made; by spelling if missing. */
  readonly graph?: string | undefined;
  /** `rules`, or the language model by which a claim base is made; none if missing. */
  readonly claims?: string | undefined;
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
  /** Work of the language model that read documents into the graph, if any. */
  readonly graph: GraphSpending | undefined;
  /** Work of the language model that generated claims, if any. */
  readonly claims: ClaimsSpending | undefined;
}

/** Yields progress after every question. Closes all models however the evaluation ends. */
export async function* composeEvaluation(
  request: EvaluationRequest,
  options: EvaluationModels,
): AsyncGenerator<Progress, ComposedEvaluation, void> {
  const { cache, onEmbedded, total } = options;
  let worked = 0;
  let models: Models | undefined;
  let language: OpenModel | undefined;
  let judge: OpenJudge | undefined;
  try {
    if (options.language) language = await openLanguageModel({ ...options.language, cache, total });
    const answering = language?.decorated;
    models = new Models({
      ...options.models,
      // `triples(MODEL)` of the answering model: one model, one budget, one cassette.
      language: { ...options.models.language, model: answering?.model },
      cache,
      queries: true,
      onEmbedded: texts => (worked += texts),
    });
    if (options.judge)
      judge = await openJudge({ ...options.judge, answering: answering?.model.id, cache, total });
    const embedded = (done: number, count: number): void => onEmbedded?.(done, count, worked);
    const run = runEvaluation({
      ...(await withModels(request, models, { ...options, answering, judge })),
      onEmbedded: embedded,
    });
    const evaluated = yield* run;
    return {
      evaluated,
      answering,
      judging: judge?.decorated,
      graph: await models.graphSpent(),
      claims: await models.claimsSpent(),
    };
  } finally {
    await models?.close();
    await language?.close();
    await judge?.close();
  }
}

const openedGraph = ({ recogniser }: StoreRecogniser): OpenedResource => ({
  port: entityRecogniser.name,
  resource: recogniser,
  identity: recogniser.id,
});

/** Marks the row of a strategy that would use a language model. */
const byRules = (row: Row, request: EvaluationRequest): Row =>
  strategyOf(row, request).needs?.some(({ port, optional }) => optional && port === languageModel)
    ? { ...row, rules: true }
    : row;

interface Opened extends Pick<EvaluationModels, 'graph' | 'claims'> {
  readonly answering: DecoratedModel | undefined;
  readonly judge: OpenJudge | undefined;
}

async function withModels(
  request: EvaluationRequest,
  models: Models,
  { answering, judge, graph, claims }: Opened,
): Promise<EvaluationRunOptions> {
  const { measures, place } = request;
  for (const [option, name] of Object.entries({ graph, claims }))
    if (place && name !== undefined)
      throw new InputError('bad-option', `The option --${option} beside --store`, {
        expected: `the ${option} that the store keeps`,
        received: `--${option} ${name}`,
        hint: `multihop ingest --store PLACE --${option} "${name}" makes it.`,
      });
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
  const kept = state?.claims === undefined ? undefined : storedClaims(state.claims);
  const generator = claims === undefined ? kept : (await models.claims(claims)).generator;
  const reading = graph === undefined ? [] : [openedGraph(await models.recogniser(graph))];
  return defined({
    ...request,
    rows: answering ? rows : rows.map(row => byRules(row, request)),
    resources: [...embedders, ...provided, ...given, ...reading, ...openedModel(answering?.model)],
    graph: state?.graph,
    claims: generator,
    version: thisPackage().version,
    judge: judge?.judge,
    measures: judge ? [...measures, ...judgeMeasures(judge.judge.id)] : measures,
  });
}
