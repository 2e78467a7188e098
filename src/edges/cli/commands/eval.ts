/**
 * `multihop eval DATASET`: rows of systems on a benchmark, with intervals, breakdowns, paired
 * differences and sealed traces.
 */

import { join } from 'node:path';
import { chunkers } from '../../../corpus/chunk.ts';
import { DEFAULT_MEASURES, MAIN_MEASURES } from '../../../evaluation/default-measures.ts';
import type { Example } from '../../../evaluation/example.ts';
import { judgeCalls } from '../../../evaluation/judge.ts';
import { judgeMeasures } from '../../../evaluation/judging.ts';
import { measure } from '../../../evaluation/measures.ts';
import { textReport } from '../../../evaluation/report/text-report.ts';
import type { Row } from '../../../evaluation/run.ts';
import { SCRIPTED_JUDGE } from '../../../evaluation/scripted-judge.ts';
import { readers } from '../../../reading/readers.ts';
import { DEFAULT_CHUNKER } from '../../../retrieval/embedded-engine.ts';
import { DEFAULT_TEMPLATE, textTemplates } from '../../../retrieval/text-templates.ts';
import type { Budget } from '../../../trace/usage.ts';
import { thisPackage } from '../../package-root.ts';
import { openQueryUpdaters } from '../../query-updater-files.ts';
import {
  type EvaluationRun,
  type EvaluationRunOptions,
  runEvaluation,
  strategyOf,
} from '../../runs/evaluation-run.ts';
import { openReplayedFiles, type ReplayedFiles, unrecorded } from '../../runs/replayed-files.ts';
import { checkOut, writeResults } from '../../runs/results-folder.ts';
import { rowsOf } from '../../runs/rows.ts';
import { type OpenJudge, openJudge } from '../../serving/judge.ts';
import { openLanguageModel } from '../../serving/language-model.ts';
import { modelPrice } from '../../serving/model-price.ts';
import { Models } from '../../serving/models.ts';
import { TotalBudget } from '../../serving/total-budget.ts';
import { named } from '../../storage/store-embedders.ts';
import { openTokenClassifiers } from '../../token-classifier-files.ts';
import { parseBudget, parseTotalBudget } from '../budget-option.ts';
import type { Command, CommandContext } from '../command.ts';
import { DATA_NOTE, DATA_OPTIONS, DATASET_POSITIONAL, openDataSet } from '../data-options.ts';
import { DRY_RUN_NOTE, DRY_RUN_OPTION, printDryRun } from '../dry-run.ts';
import { JUDGE_NOTE, JUDGE_OPTIONS, judgeOptions } from '../judge-options.ts';
import {
  CASSETTE_NOTE,
  LANGUAGE_MODEL_OPTIONS,
  languageModelOptions,
  TOTAL_BUDGET_OPTION,
} from '../language-model-options.ts';
import {
  BASE_URL_OPTION,
  EMBEDDER_OPTION,
  modelSources,
  QUERY_UPDATER_NOTE,
  QUERY_UPDATER_OPTION,
  RERANKER_URL_OPTION,
  TOKEN_CLASSIFIERS_OPTION,
} from '../model-options.ts';
import { parsePrice } from '../price-option.ts';
import { Progress } from '../progress.ts';
import { questionChoice, SAMPLE_OPTIONS } from '../question-choice.ts';
import { printSpending } from '../spending.ts';
import { costsOf, watchRun } from '../watch-evaluation.ts';

const TEMPLATES = textTemplates.members.map(({ name }) => name).join(', ');

export const command: Command = {
  positionals: [DATASET_POSITIONAL],
  options: [
    ...DATA_OPTIONS,
    {
      name: 'strategy',
      value: 'NAME',
      repeatable: true,
      summary: 'all combinations of the repeated options are run; fact-lanes where none is named',
    },
    {
      name: 'retriever',
      value: 'NAME',
      repeatable: true,
      summary: 'lexical(s1), dense(lsa), dense(EMBEDDER), ...',
    },
    {
      name: 'context',
      value: 'NAME',
      repeatable: true,
      summary: 'sentences, lead(words=90), whole, headers, ...',
    },
    {
      name: 'reader',
      value: 'NAME',
      repeatable: true,
      summary: 'fact-reader, extractive, generative, evidence-only',
    },
    {
      name: 'budget',
      value: 'LIMITS',
      repeatable: true,
      summary: 'of each question: hops=3,documents=6,context-tokens=620,usd=0.01,...',
    },
    TOTAL_BUDGET_OPTION,
    DRY_RUN_OPTION,
    {
      name: 'row',
      value: 'ROW',
      repeatable: true,
      summary: 'one row: "strategy=NAME; context=NAME; ..."',
    },
    {
      name: 'measure',
      value: 'NAME',
      repeatable: true,
      summary: 'instead of the usual ones (multihop list measures)',
    },
    {
      name: 'controls',
      summary:
        'add the answer controls: always yes, the majority of the predicted type, all cue words',
    },
    {
      name: 'chunker',
      value: 'NAME',
      default: DEFAULT_CHUNKER,
      summary: 'how documents are cut into passages',
    },
    EMBEDDER_OPTION,
    BASE_URL_OPTION,
    RERANKER_URL_OPTION,
    QUERY_UPDATER_OPTION,
    TOKEN_CLASSIFIERS_OPTION,
    ...LANGUAGE_MODEL_OPTIONS,
    ...JUDGE_OPTIONS,
    {
      name: 'cache',
      value: 'DIR',
      summary:
        'what models computed, so that it is not computed again; DIR/cache of --out when missing',
    },
    {
      name: 'filters',
      value: 'FILE',
      summary: 'recorded filters of an earlier run, for multi-meta-rag(extractor=replayed)',
    },
    {
      name: 'sub-questions',
      value: 'FILE',
      summary:
        'recorded sub-questions, or those of MuSiQue, for query-decomposition(split=replayed)',
    },
    {
      name: 'template',
      value: 'NAME',
      default: DEFAULT_TEMPLATE,
      summary: `what embedders read of a text: ${TEMPLATES}`,
    },
    { name: 'limit', value: 'N', type: 'integer', min: 1, summary: 'the first N questions only' },
    ...SAMPLE_OPTIONS,
    {
      name: 'cost',
      value: 'N',
      type: 'integer',
      min: 1,
      summary:
        'time one search of each retriever on N questions, models asked anew, and weigh its memory',
    },
    { name: 'out', value: 'DIR', summary: 'write result, scores, curves and sealed traces there' },
  ],
  notes: [
    DATA_NOTE,
    CASSETTE_NOTE,
    DRY_RUN_NOTE,
    JUDGE_NOTE,
    `${QUERY_UPDATER_NOTE} TitleRecall@K and ParagraphRecall@K of a large K count all that its hops kept, Documents how many those are.`,
    '--json prints { dataset, questions, rows: [{ id, strategy, retriever, context, reader, budget, measures: { NAME: { mean, low, high, n } }, byType, byEvidence }], pairs: [{ a, b, measure, difference, low, high, shareAGreater }], manifest }; shares are from 0 to 1. With --cost also costs: [{ retriever, questions, milliseconds: { mean, p50, p95 }, cpuMilliseconds, heapBytes, residentBytes }], residentBytes only for a single retriever. The manifest counts the questions of each group and the failed runs of each row.',
  ],
  examples: [
    {
      line: 'multihop eval musique --strategy "fixed-top-k(k=5)" --retriever lexical --retriever "fused(lexical, dense(bge-small-en-v1.5))" --embedder bge-small-en-v1.5 --out runs/dense',
      says: 'words, and words with vectors',
    },
    {
      line: 'multihop eval multihop-rag --corpus corpus.json --questions MultiHopRAG.json --strategy budgeted-agent --strategy equal-budget-top-k --retriever "lexical(s1)" --context lead --out runs/agent',
      says: 'the budgeted agent beside plain top-k at its cost',
    },
    {
      line: 'multihop eval musique --row "strategy=fixed-top-k(k=5)" --row "strategy=iterative(rounds=3); context=whole" --json',
      says: 'rows one by one',
    },
  ],
  run: runEval,
};

async function runEval(context: CommandContext): Promise<number> {
  const { options, output } = context;
  const { rows, ...learned } = await openRows(options);
  const replayed = await openReplayedFiles(
    { filters: options.text('filters'), subQuestions: options.text('sub-questions') },
    rows,
  );
  const names = options.texts('measure');
  const measures = (names.length > 0 ? names : DEFAULT_MEASURES).map(measure);
  const chunker = chunkers.canonical(options.text('chunker') ?? DEFAULT_CHUNKER);
  const template = textTemplates.canonical(options.text('template') ?? DEFAULT_TEMPLATE);
  const choose = questionChoice(options);
  const out = options.text('out');
  if (out !== undefined) checkOut(out);
  const { dataSet: whole, files } = await openDataSet(context);
  const { dataSet, sample } = choose(whole);
  const total = new TotalBudget(parseTotalBudget(options.text('total-budget')), context.signal);
  if (options.flag('dry-run'))
    return dryRun(context, rows, { replayed, total: total.limits, examples: dataSet.examples });
  for (const warning of unrecorded(replayed, dataSet.examples)) output.warn(warning);
  const retrievers = rows.map(({ retriever }) => retriever);
  const cache = options.text('cache') ?? (out === undefined ? undefined : join(out, 'cache'));
  const costs = await costsOf(context, { dataSet, chunker, template, retrievers, cache });
  const request = {
    ...learned,
    ...replayed,
    rows,
    measures,
    chunker,
    template,
    dataSet,
    files,
    ...(sample ? { sample } : {}),
  };
  const { evaluated, spending } = await evaluateBy(
    context,
    { ...request, ...(out === undefined ? {} : { out }) },
    { cache, total },
  );
  const finished = costs ? { ...evaluated, result: { ...evaluated.result, costs } } : evaluated;
  if (out !== undefined) writeResults(out, finished, dataSet);
  tell(finished, output);
  if (out !== undefined)
    output.note(`Results and traces are in ${out}; see: multihop report ${out}`);
  return spending();
}

/** The rows, and what some of them need beside a store. */
async function openRows(
  options: CommandContext['options'],
): Promise<Pick<EvaluationRunOptions, 'rows' | 'queryUpdaters' | 'tokenClassifiers'>> {
  const queryUpdaters = await openQueryUpdaters(options.texts('query-updater'), [
    ...options.texts('strategy'),
    ...options.texts('row'),
  ]);
  const tokenClassifiers = await openTokenClassifiers(options.texts('token-classifiers'));
  const rows = rowsOf({
    queryUpdaters: queryUpdaters.map(({ model }) => model),
    strategy: options.texts('strategy'),
    retriever: options.texts('retriever'),
    context: options.texts('context'),
    reader: options.texts('reader'),
    budget: options.texts('budget'),
    rows: options.texts('row'),
    parseBudget,
  });
  return { rows, queryUpdaters, tokenClassifiers };
}

type Request = Omit<
  EvaluationRunOptions,
  'embedders' | 'rerankers' | 'model' | 'judge' | 'signal' | 'version' | 'controls'
>;

/**
 * With the models that the rows and the judge ask, which are let go of however it ends. `spending`
 * tells what was asked of them, and is the exit code.
 */
async function evaluateBy(
  context: CommandContext,
  request: Request,
  { cache, total }: { readonly cache: string | undefined; readonly total: TotalBudget },
): Promise<{ readonly evaluated: EvaluationRun; spending(): number }> {
  const { options, output, signal } = context;
  const { rows, measures } = request;
  let worked = 0;
  const models = new Models({
    ...modelSources(context),
    cache,
    queries: true,
    onEmbedded: texts => (worked += texts),
  });
  const progress = new Progress(output, 'texts');
  const language = await openLanguageModel({ ...languageModelOptions(context), cache, total });
  let judging: OpenJudge | undefined;
  try {
    judging = await openJudge({
      ...judgeOptions(context),
      answering: language.decorated?.model.id,
      cache,
      total,
    });
    const retrievers = rows.map(({ retriever }) => retriever);
    const embedders = (await models.forSearch(retrievers)).map(one => ({
      model: named(one),
      identity: one.embedder.id,
    }));
    const rerankers = await models.rerankers(
      retrievers,
      rows.map(row => strategyOf(row, request)),
    );
    const run = runEvaluation({
      ...{
        ...request,
        embedders,
        rerankers,
        signal,
        version: thisPackage().version,
        controls: options.flag('controls'),
      },
      onEmbedded: (done, count) => progress.update({ count: done, done, total: count, worked }),
      ...(language.decorated ? { model: language.decorated.model } : {}),
      ...(judging
        ? { judge: judging.judge, measures: [...measures, ...judgeMeasures(judging.judge.id)] }
        : {}),
      // Of measures that were asked for one by one, those are compared that always are; where none
      // is, all.
      ...(measures.some(({ name }) => MAIN_MEASURES.includes(name))
        ? {}
        : { mainMeasures: measures.map(({ name }) => name) }),
    });
    const evaluated = await watchRun(run, output);
    const asked = { answering: language.decorated, judging: judging?.decorated };
    return { evaluated, spending: () => printSpending(asked, total, output) };
  } finally {
    progress.end();
    await models.close();
    await language.close();
    await judging?.close();
  }
}

interface DryRunOf {
  readonly replayed: ReplayedFiles;
  readonly total: Budget;
  readonly examples: readonly Example[];
}

/** The questions are counted, and nothing else is opened. */
function dryRun(
  { options, output }: CommandContext,
  rows: readonly Row[],
  { replayed, total, examples }: DryRunOf,
): number {
  const model = options.text('model');
  const price = modelPrice(parsePrice(options.text('price')), model === undefined ? [] : [model]);
  const planned = rows.map(({ id, strategy, reader, budget }) => ({
    ...{ id, budget },
    strategy: replayed.strategies.create(strategy),
    reader: readers.create(reader),
  }));
  const judge = options.text('judge');
  const judging =
    judge === undefined || judge === SCRIPTED_JUDGE
      ? undefined
      : {
          name: judge,
          price: modelPrice(parsePrice(options.text('judge-price')), [judge]),
          calls: judgeCalls(examples),
        };
  printDryRun(
    {
      rows: planned,
      questions: examples.length,
      model,
      price,
      total,
      ...(judging ? { judging } : {}),
    },
    output,
  );
  return 0;
}

function tell({ result }: EvaluationRun, output: CommandContext['output']): void {
  const failed = result.rows.reduce((sum, row) => sum + row.failed, 0);
  if (failed > 0) output.warn(`${failed} runs failed and were scored as empty`);
  if (output.json) output.object(printed(result));
  else output.line(textReport(result).trimEnd());
}

/**
 * The object that is documented, no key more; the sizes of groups and the failed runs stand in the
 * manifest.
 */
function printed({
  dataset,
  questions,
  groups,
  rows,
  pairs,
  costs,
  manifest,
}: EvaluationRun['result']): object {
  const failed = Object.fromEntries(rows.map(row => [row.id, row.failed]));
  return {
    ...{ dataset, questions, rows: rows.map(({ failed: _, ...row }) => row), pairs },
    ...(costs ? { costs } : {}),
    manifest: { ...manifest, groups, failed },
  };
}
