/**
 * `multihop learn fact-reader`: fits the fact reader's weights, and prints what it does on
 * questions that they were not fitted on.
 */

import { readFileSync } from 'node:fs';
import { foldsOf } from '../../evaluation/controls.ts';
import { factFolds } from '../../learning/fact-reader/fact-folds.ts';
import {
  FACT_SETTINGS,
  type FactSample,
  fitFacts,
} from '../../learning/fact-reader/fact-training.ts';
import {
  chosenThresholds,
  FACT_MEASURES,
  type FactFigures,
  figuresOf,
  type HeldOut,
  heldOutDecisions,
  MAX_REFUSED,
  majorityOfReadTypes,
  thresholdCurve,
} from '../../learning/fact-reader/fact-validation.ts';
import { lostGold } from '../../learning/fact-reader/lost-gold.ts';
import { writeFacts } from '../../models/fact-reader/fact-checkpoint.ts';
import { FACT_SUPPORT } from '../../reading/fact-answer.ts';
import { DEFAULT_CHUNKER, EmbeddedEngine } from '../../retrieval/embedded-engine.ts';
import { DEFAULT_TEMPLATE } from '../../retrieval/text-templates.ts';
import { takeTurns } from '../clock.ts';
import { thisPackage } from '../package-root.ts';
import { replaceFile } from '../replace-file.ts';
import { strategyOf } from '../runs/asker.ts';
import { factSamples } from '../runs/fact-reader-data.ts';
import { givenOf } from '../runs/opened-resources.ts';
import { retrieverNeeds } from '../runs/retriever-needs.ts';
import { Models } from '../serving/models.ts';
import { sha256 } from '../sha256.ts';
import { named } from '../storage/store-embedders.ts';
import type { CommandContext } from './command.ts';
import { type LearnRows, type LearnTask, openLearnRows, percent } from './learn-task.ts';
import { modelSources } from './model-options.ts';
import type { Output } from './output.ts';
import { Progress } from './progress.ts';

export const factReaderTask: LearnTask = {
  name: 'fact-reader',
  summary: 'the weights of the fact reader',
  run: learnFactReader,
};

const FOLDS = 5;
const REFUSING = { threshold: FACT_SUPPORT, form: false };
const THRESHOLDS = [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98];

interface Met {
  readonly row: string;
  readonly samples: readonly FactSample[];
  /** Questions asked of a corpus without their gold documents. */
  readonly lost: readonly FactSample[];
}

async function learnFactReader(context: CommandContext): Promise<number> {
  const { options, output } = context;
  const opened = await openLearnRows(context, 'evidence-only');
  const met = await meet(context, opened);
  const { dataSet, files, rows } = opened;
  const samples = met.flatMap(one => [...one.samples, ...one.lost]);
  const size = dataSet.examples.length;
  const places = new Map(dataSet.examples.map(({ id }, place) => [id, place]));
  // All samples of a question are held out together.
  const heldBy = (folds: ArrayLike<number>): HeldOut[] =>
    heldOutDecisions(
      samples,
      Int32Array.from(samples, ({ example }) => folds[places.get(example.id)!]!),
      FOLDS,
    );
  const held = heldBy(factFolds(dataSet.examples, FOLDS));
  const ungrouped = heldBy(foldsOf(size, FOLDS));
  let at = 0;
  const reports = met.map(({ row, samples: own, lost }) => {
    const [from, to, end] = [at, at + own.length, at + own.length + lost.length];
    at = end;
    return reportOf(row, held.slice(from, to), held.slice(to, end), ungrouped.slice(from, to));
  });
  const out = options.text('out');
  if (out !== undefined) {
    const provenance = {
      trainedBy: `multihop ${thisPackage().version} learn fact-reader`,
      ...{ dataset: dataSet.name, questions: dataSet.examples.length, files: hashesOf(files) },
      rows: rows.map(({ strategy, retriever, context: read }) => ({
        strategy,
        retriever,
        context: read,
      })),
      ...{ settings: FACT_SETTINGS, folds: FOLDS, support: FACT_SUPPORT },
      heldOut: reports.map(({ row, all, lost }) => ({ row, ...all, lostGoldRefused: lost })),
    };
    replaceFile(out, writeFacts({ model: fitFacts(samples), provenance }));
  }
  const known = held.filter(({ sample }) => !sample.lost);
  tell(output, reports, chosenThresholds(known, FOLDS), out);
  return 0;
}

/** Returns the files by content: paths differ between machines. */
const hashesOf = (files: LearnRows['files']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([what, path]) => [what, sha256(readFileSync(path as string))]),
  );

/** Returns the samples of every question under every row, in the order of the rows. */
async function meet(
  context: CommandContext,
  { rows, dataSet, resources: given }: LearnRows,
): Promise<Met[]> {
  const { options, output, signal } = context;
  const retrievers = rows.map(({ retriever }) => retriever);
  const models = new Models({
    ...modelSources(context),
    cache: options.text('cache'),
    queries: true,
  });
  const progress = new Progress(output, 'questions');
  try {
    const embedders = (await models.forSearch(retrievers)).map(named);
    const strategies = rows.map(row => strategyOf(row));
    const needs = strategies.flatMap(strategy => strategy.needs ?? []);
    const provided = await models.forNeeds([...retrieverNeeds(retrievers), ...needs]);
    const resources = givenOf([...given, ...provided]);
    const sets = [dataSet, ...lostGold(dataSet, factFolds(dataSet.examples, FOLDS), FOLDS)];
    const total = rows.length * sets.reduce((sum, { examples }) => sum + examples.length, 0);
    let done = 0;
    const met = rows.map(({ id }) => ({
      row: id,
      samples: [] as FactSample[],
      lost: [] as FactSample[],
    }));
    for (const set of sets) {
      const engine = new EmbeddedEngine({
        documents: set.documents,
        chunker: DEFAULT_CHUNKER,
        template: DEFAULT_TEMPLATE,
        embedders,
      }).current;
      for (const [place, row] of rows.entries())
        for await (const sample of factSamples({ engine, resources, dataSet: set, row, signal })) {
          if (set === dataSet) met[place]!.samples.push(sample);
          else met[place]!.lost.push({ ...sample, lost: true });
          done++;
          progress.update({ count: done, done, total });
          await takeTurns();
        }
    }
    return met;
  } finally {
    progress.end();
    await models.close();
  }
}

interface Report {
  readonly row: string;
  readonly all: FactFigures;
  /** Figures if the words of the question count in refusals. */
  readonly byForm: FactFigures;
  /**
   * Figures over folds of single questions: other questions on the same documents may be learnt
   * from, as for a known corpus.
   */
  readonly ungrouped: FactFigures;
  readonly byType: Readonly<Record<string, FactFigures & { readonly questions: number }>>;
  readonly byFold: readonly FactFigures[];
  readonly majority: FactFigures;
  readonly thresholds: ReturnType<typeof thresholdCurve>;
  /** Share of questions that are refused when their gold documents are taken out of the corpus. */
  readonly lost: number;
}

function reportOf(
  row: string,
  held: readonly HeldOut[],
  lost: readonly HeldOut[],
  ungrouped: readonly HeldOut[],
): Report {
  const types = Map.groupBy(held, ({ sample }) => sample.example.type ?? 'none');
  const figures = (some: readonly HeldOut[]): FactFigures => figuresOf(some, REFUSING);
  return {
    row,
    all: figures(held),
    byForm: figuresOf(held, { ...REFUSING, form: true }),
    ungrouped: figures(ungrouped),
    byType: Object.fromEntries(
      [...types].map(([type, some]) => [type, { questions: some.length, ...figures(some) }]),
    ),
    byFold: Array.from({ length: FOLDS }, (_, fold) =>
      figures(held.filter(one => one.fold === fold)),
    ),
    majority: majorityOfReadTypes(held, REFUSING),
    thresholds: thresholdCurve(held, THRESHOLDS),
    lost: figures(lost).AbstainedNull ?? 0,
  };
}

function tell(
  output: Output,
  reports: readonly Report[],
  chosen: ReturnType<typeof chosenThresholds>,
  out: string | undefined,
): void {
  if (output.json) {
    output.object({ rows: reports, chosen, ...(out === undefined ? {} : { out }) });
    return;
  }
  output.line(
    `Each question answered by weights that were fitted on the other ${FOLDS - 1} folds (support ${FACT_SUPPORT}):`,
  );
  for (const {
    row,
    all,
    byForm,
    ungrouped,
    byType,
    byFold,
    majority,
    thresholds,
    lost,
  } of reports) {
    output.line(row);
    output.line(figuresLine('all', all));
    output.line(figuresLine('all, with form', byForm));
    output.line(figuresLine('all, ungrouped folds', ungrouped));
    for (const [type, figures] of Object.entries(byType))
      output.line(figuresLine(`${type} (${figures.questions})`, figures));
    for (const [fold, figures] of byFold.entries())
      output.line(figuresLine(`fold ${fold + 1}`, figures));
    output.line(figuresLine('majority of the type read', majority));
    output.line(
      `  without their gold documents ${percent(lost)} of answerable questions are refused`,
    );
    for (const { threshold, abstainedNull, refusedAnswerable } of thresholds)
      output.line(
        `  support ${threshold.toFixed(2)} refuses ${percent(abstainedNull)} of null questions and ${percent(refusedAnswerable)} of answerable ones`,
      );
  }
  output.line(
    `support ${chosen.threshold.toFixed(2)} is the highest that refuses at most ${percent(MAX_REFUSED)} of answerable questions (median of ${FOLDS} folds, all rows)`,
  );
  for (const [fold, { threshold, abstainedNull, refusedAnswerable }] of chosen.folds.entries())
    output.line(
      `  fold ${fold + 1}: ${threshold.toFixed(2)} chosen on the others; here it refuses ${percent(abstainedNull)} of null questions and ${percent(refusedAnswerable)} of answerable ones`,
    );
  if (out !== undefined) output.line(`Weights fitted on all of them are in ${out}`);
}

const figuresLine = (what: string, figures: FactFigures): string =>
  `  ${what.padEnd(26)} ${FACT_MEASURES.flatMap(name => (figures[name] === undefined ? [] : [`${name} ${percent(figures[name])}`])).join('  ')}`;
