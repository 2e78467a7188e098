/**
 * `multihop eval DATASET`: compares rows of systems on a benchmark, with intervals, breakdowns,
 * paired differences and sealed traces.
 */

import { join } from 'node:path';
import { chunkers } from '../../core/corpus/chunk.ts';
import { InputError } from '../../core/errors.ts';
import { answerControls, USUAL_CONTROLS } from '../../evaluation/answer-controls.ts';
import { defaultMeasureNames } from '../../evaluation/default-measures.ts';
import { type Baseline, baselineOf, type Change, changesSince } from '../../evaluation/gate.ts';
import { measure } from '../../evaluation/measures.ts';
import { QuestionRecorder } from '../../evaluation/question-records.ts';
import { strategyOf } from '../../experiments/asker.ts';
import {
  type ComposedEvaluation,
  composeEvaluation,
  type EvaluationRequest,
} from '../../experiments/compose-evaluation.ts';
import {
  openReplayedFiles,
  type ReplayedFiles,
  unrecorded,
} from '../../experiments/replayed-files.ts';
import { beginResults, makeFolder, writeResults } from '../../experiments/results-folder.ts';
import { rowsOf } from '../../experiments/rows.ts';
import { RUN_FILES_NOTE, RunFiles } from '../../experiments/run-files.ts';
import { recordsOf } from '../../experiments/stored-records.ts';
import { behindServer } from '../../providers/model-servers.ts';
import { readers } from '../../readers/readers.ts';
import { DEFAULT_CHUNKER } from '../../search/embedded-engine.ts';
import { DEFAULT_TEMPLATE, textTemplates } from '../../search/vectors/text-templates.ts';
import { resourcesByPort } from '../../session/opened-resources.ts';
import { openResourceFiles } from '../../session/resource-files.ts';
import { strategyNeeds } from '../../session/retriever-needs.ts';
import { TotalBudget } from '../../session/total-budget.ts';
import { MANIFEST_FILE } from '../../stores/disk/manifest.ts';
import { parseBudget } from '../budget.ts';
import type { Command, CommandContext } from '../command.ts';
import { CutReplies } from '../cut-replies.ts';
import { DATA_NOTE, DATASET_POSITIONAL, openDataSet, overPlace } from '../data-options.ts';
import { DRY_RUN_NOTE } from '../dry-run.ts';
import { noteReading } from '../embed-store.ts';
import { printEvaluationDryRun } from '../eval-dry-run.ts';
import { EVAL_OPTIONS, PASSAGES_OPTION } from '../eval-options.ts';
import { printEvaluation, printSpending } from '../eval-output.ts';
import { failuresOf, GATE_NOTE, type Gate, gatedMeasures, gateOf, printChanges } from '../gate.ts';
import { JUDGE_NOTE, judgeOptions } from '../judge-options.ts';
import {
  CASSETTE_NOTE,
  graphModel,
  languageModelOptions,
  modelSources,
  QUERY_UPDATER_NOTE,
  resourceFiles,
} from '../model-options.ts';
import { signerOf, TOTAL_BUDGET_OPTION } from '../options.ts';
import { Progress } from '../progress.ts';
import { questionChoice } from '../question-choice.ts';
import { writeTemplate } from '../question-template.ts';
import { warnOfUnaskedModel } from '../unasked-model.ts';
import { Waiting } from '../waiting.ts';
import { costsOf, watchRun } from '../watch-evaluation.ts';
import { WatchedPaths } from '../watched-paths.ts';

export const command: Command = {
  positionals: [{ ...DATASET_POSITIONAL, optional: true }],
  options: EVAL_OPTIONS,
  notes: [
    DATA_NOTE,
    CASSETTE_NOTE,
    DRY_RUN_NOTE,
    JUDGE_NOTE,
    GATE_NOTE,
    RUN_FILES_NOTE,
    `${QUERY_UPDATER_NOTE} TitleRecall@K and ParagraphRecall@K with a large K count everything that its hops kept; Documents counts the kept documents.`,
    '--json prints { dataset, questions, rows: [{ id, strategy, retriever, context, reader, budget, rules, measures: { NAME: { mean, low, high, clustered: { low, high }, n } }, byType, byEvidence }], pairs: [{ a, b, measure, difference, low, high, shareAGreater }], manifest }; shares are from 0 to 1; rules: true where rules did the work of a language model; clustered resamples questions that share a gold article together. With --control also controls: [{ name, of, questions, treated, rules, figures: { NAME: { all, byType } } }], and their rows say control: { name, of }. With --cost also costs: [{ retriever, questions, milliseconds: { mean, p50, p95 }, cpuMilliseconds, heapBytes, residentBytes }], residentBytes only for a single retriever. The manifest counts the questions of each group and the failed runs of each row.',
  ],
  common: 'corpus questions store init strategy model measure limit out json',
  examples: [
    {
      line: 'multihop eval --init && multihop eval jsonl --store notes.store --questions questions.jsonl',
      says: "questions of one's own over a store; edit the template in between",
    },
    {
      line: 'multihop eval musique --strategy "fixed-top-k(k=5)" --retriever lexical --retriever "fused(lexical, dense(bge-small-en-v1.5))" --embedder bge-small-en-v1.5 --out runs/dense',
      says: 'terms, and terms with vectors',
    },
    {
      line: 'multihop eval multihop-rag --corpus corpus.json --questions MultiHopRAG.json --strategy budgeted-agent --strategy equal-budget-top-k --retriever "lexical(s1)" --context lead --out runs/agent',
      says: 'the budgeted agent and plain top-k at equal cost',
    },
    {
      line: 'multihop eval musique --row "strategy=fixed-top-k(k=5)" --row "strategy=iterative(rounds=3); context=whole" --json',
      says: 'systems that differ in several parts',
    },
    {
      line: 'multihop eval jsonl --store notes.store --questions questions.jsonl --at-least "Recall@5=60" --not-below runs/accepted',
      says: 'a gate: fails below 60, and where rows are worse than in an accepted evaluation',
    },
  ],
  run: runEval,
};

async function runEval(context: CommandContext): Promise<number> {
  const { options, output, signal } = context;
  if (options.flag('init')) return writeTemplate(context);
  checkNamed(context.positionals);
  if (!options.flag('watch') || options.flag('dry-run')) return (await evaluateOnce(context)).code;
  const paths = WATCHED.flatMap(name => {
    const path = options.text(name);
    return path === undefined ? [] : name === 'store' ? join(path, MANIFEST_FILE) : path;
  });
  if (paths.length === 0)
    throw new InputError('missing-option', 'The option --watch needs files that change', {
      expected: WATCHED.map(name => `--${name}`).join(', '),
    });
  const watched = await WatchedPaths.open(paths, { all: true }, signal);
  let last = await evaluateOnce(context);
  context.listen();
  await watched.follow(output, async () => {
    const { baseline } = last;
    last = await evaluateOnce(context);
    printChanges(last.since!(baseline!), output);
  });
  return 0;
}

/** Options whose paths --watch follows. */
const WATCHED = ['questions', 'corpus', 'folder', 'store'];

/** An exit code; without --dry-run also the scores, and what differs from earlier ones. */
interface Evaluated {
  readonly code: number;
  readonly baseline?: Baseline;
  readonly since?: (earlier: Baseline) => Change[];
}

async function evaluateOnce(context: CommandContext): Promise<Evaluated> {
  const { options, output, signal } = context;
  const gate = gateOf(options);
  const asked = await openRequest(context, gate);
  const out = options.text('out');
  const total = new TotalBudget(options.get(TOTAL_BUDGET_OPTION) ?? {}, signal);
  const { rows, dataSet, replayed } = asked;
  const { measures, answerControls: repeated = [] } = asked.request;
  if (options.flag('dry-run')) {
    const what = { replayed, total: total.limits, dataSet, answerControls: repeated };
    return { code: await printEvaluationDryRun(context, rows, what) };
  }
  const asking = rows.map(row => ({
    strategy: strategyOf(row, replayed),
    reader: readers.create(row.reader),
  }));
  warnOfUnaskedModel(options.text('model'), asking, output);
  for (const warning of unrecorded(replayed, dataSet.examples)) output.warn(warning);
  const cache = options.text('cache') ?? (out === undefined ? undefined : join(out, 'cache'));
  const { chunker, template } = asked;
  const retrievers = rows.map(({ retriever }) => retriever);
  const costs = await costsOf(context, { dataSet, chunker, template, retrievers, cache });
  const runs = new RunFiles(
    { runOut: options.text('run-out'), qrelsOut: options.text('qrels-out') },
    rows,
    dataSet,
  );
  const cuts = new CutReplies();
  const questions = new QuestionRecorder(dataSet.examples, recordsOf(dataSet));
  const request: EvaluationRequest = {
    ...asked.request,
    onScored: (...scored) => {
      runs.add(...scored);
      cuts.note(scored[2]);
      if (out !== undefined) questions.note(...scored);
    },
  };
  if (out !== undefined) beginResults(out);
  const { evaluated, ...models } = await overPlace(context, request, opened =>
    evaluate(context, opened, { cache, total }),
  );
  const finished = costs ? { ...evaluated, result: { ...evaluated.result, costs } } : evaluated;
  if (out !== undefined) writeResults(out, finished, dataSet, questions);
  const { examples } = dataSet;
  const failures = gate && failuresOf(gate, finished, examples, measures);
  const failed = printEvaluation(finished, output, failures);
  const cut = cuts.words();
  if (cut !== undefined) output.warn(cut);
  for (const path of runs.write()) output.note(`Written: ${path}`);
  if (out !== undefined)
    output.note(`Results and traces are in ${out}; see: multihop report ${out}`);
  noteReading({ graphModel: models.graph, claimsModel: models.claims }, output);
  const spent = printSpending(models, total, output, failed > 0 && !options.flag('keep-going'));
  const baseline = baselineOf(examples, finished.scores);
  const since = (earlier: Baseline) => changesSince(finished, examples, measures, earlier);
  return { code: failures?.length ? 1 : spent, baseline, since };
}

function checkNamed([name]: readonly string[]): void {
  if (name === undefined)
    throw new InputError('missing-argument', 'DATASET is missing', {
      expected: DATASET_POSITIONAL.summary,
      hint: "multihop eval --init writes a template for questions of one's own",
    });
}

interface OpenRequest extends Pick<EvaluationRequest, 'rows' | 'dataSet' | 'chunker'> {
  readonly template: string;
  readonly replayed: ReplayedFiles;
  readonly request: EvaluationRequest;
}

/** Reads the files and the data set that the options name. */
async function openRequest(context: CommandContext, gate?: Gate): Promise<OpenRequest> {
  const { options, signal } = context;
  const { rows, ...learned } = await openRows(options);
  const replayed = await openReplayedFiles(
    { filters: options.text('filters'), subQuestions: options.text('sub-questions') },
    rows,
  );
  const asked = options.texts('measure').map(measure);
  const usual = options.flag('controls') ? USUAL_CONTROLS : [];
  const controls = [...new Set([...usual, ...options.texts('control')])].map(name =>
    answerControls.create(name),
  );
  const chunker = chunkers.canonical(options.text('chunker') ?? DEFAULT_CHUNKER);
  const template = textTemplates.canonical(options.text('template') ?? DEFAULT_TEMPLATE);
  const choose = questionChoice(options);
  const out = options.text('out');
  const signer = signerOf(options, 'out');
  if (out !== undefined) makeFolder(out);
  const { dataSet: whole, files } = await openDataSet(context);
  const { dataSet, sample } = choose(whole);
  const reported = asked.length > 0 ? asked : defaultMeasureNames(dataSet.examples).map(measure);
  const request = {
    ...learned,
    ...replayed,
    rows,
    measures: gatedMeasures(reported, gate),
    chunker,
    template,
    dataSet,
    files,
    signal,
    sample,
    out,
    signer,
    passages: options.get(PASSAGES_OPTION),
    fullTrace: options.flag('full-trace'),
    parallel: options.integer('parallel', usualParallel(options, '')),
    judgedAtOnce: options.integer('parallel', usualParallel(options, 'judge-')),
    answerControls: controls,
  };
  return { rows, dataSet, chunker, template, replayed, request };
}

/** A recording is the same however often it is made if its completions come one by one. */
const usualParallel = (options: CommandContext['options'], of: '' | 'judge-'): number =>
  behindServer(options.text(of === '' ? 'model' : 'judge')) &&
  options.text(`${of}cassette`) === undefined
    ? 4
    : 1;

/** Reads the rows, and the learned parts that some of them need. */
async function openRows(
  options: CommandContext['options'],
): Promise<Pick<EvaluationRequest, 'rows' | 'resources'>> {
  const resources = await openResourceFiles(
    resourceFiles(options),
    strategyNeeds([...options.texts('strategy'), ...options.texts('row')]),
  );
  const rows = rowsOf({
    resources: resourcesByPort(resources),
    strategy: options.texts('strategy'),
    retriever: options.texts('retriever'),
    context: options.texts('context'),
    reader: options.texts('reader'),
    budget: options.texts('budget'),
    rows: options.texts('row'),
    parseBudget,
  });
  return { rows, resources };
}

/** Runs the evaluation with the models of the options, and shows its progress. */
async function evaluate(
  context: CommandContext,
  request: EvaluationRequest,
  { cache, total }: { readonly cache: string | undefined; readonly total: TotalBudget },
): Promise<ComposedEvaluation> {
  const progress = new Progress(context.output, 'texts');
  const waiting = new Waiting(context.output);
  waiting.begin('indexing');
  try {
    const run = composeEvaluation(request, {
      models: { ...modelSources(context), language: graphModel(context) },
      graph: context.options.text('graph'),
      claims: context.options.text('claims'),
      language: languageModelOptions(context),
      judge: judgeOptions(context),
      cache,
      total,
      onEmbedded: (done, count, worked) => {
        waiting.end();
        progress.update({ count: done, done, total: count, worked });
      },
    });
    // Without --out there is nothing to finish at an interrupt.
    return await watchRun(run, context.output, () => {
      waiting.end();
      if (request.out !== undefined) context.listen();
    });
  } finally {
    waiting.end();
    progress.end();
  }
}
