/**
 * `learn fact-reader`: fits the fact reader's weights, and prints what it does on
 * questions that they were not fitted on.
 */

import type { CommandContext } from '../../../src/cli/command.ts';
import { type LearnRows, openLearnRows, percent } from '../../../src/cli/learn-rows.ts';
import { foldLines, refusesText } from '../../../src/cli/learn-support-threshold.ts';
import { factFolds, foldsOf } from '../../../src/evaluation/fitting/folds.ts';
import { isNull } from '../../../src/evaluation/gold-evidence.ts';
import { writeFacts } from '../../../src/models/fact-reader/fact-checkpoint.ts';
import { replaceFile } from '../../../src/platform/replace-file.ts';
import type { FactReaderSettings } from '../../../src/readers/fact-reader.ts';
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
import {
  type HeldOutControls,
  heldOutControls,
} from '../../learning/fact-reader/held-out-controls.ts';
import { askedSamples } from './fact-samples.ts';
import { hashesOf, type LearnTask, learnTask, trainedBy } from './task.ts';

const FOLDS = 5;
const THRESHOLDS = [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98];

interface Figures {
  readonly rows: readonly Report[];
  /** Shares that are refused of the questions of altered corpora. */
  readonly extra: Readonly<Record<string, number>>;
  readonly controls: HeldOutControls;
  readonly chosen: ReturnType<typeof chosenThresholds>;
}

interface Learnt {
  readonly opened: LearnRows;
  readonly samples: readonly FactSample[];
  readonly figures: Figures;
}

export const factReaderTask: LearnTask = learnTask<Learnt>({
  name: 'fact-reader',
  summary: 'the weights of the fact reader',
  learn: learnFactReader,
  object: ({ figures }) => figures,
  lines: ({ figures }) => linesOf(figures),
  write(out, { opened: { dataSet, files, rows }, samples, figures }) {
    const provenance = {
      trainedBy: trainedBy('fact-reader'),
      dataset: dataSet.name,
      questions: dataSet.examples.length,
      files: hashesOf(files),
      rows: rows.map(({ strategy, retriever, context }) => ({ strategy, retriever, context })),
      settings: FACT_SETTINGS,
      folds: FOLDS,
      support: figures.chosen.threshold,
      heldOut: figures.rows.map(({ row, all }) => ({ row, ...all })),
      heldOutRefused: figures.extra,
      heldOutControls: figures.controls,
    };
    replaceFile(out, writeFacts({ model: fitFacts(samples), provenance }));
  },
});

async function learnFactReader(context: CommandContext): Promise<Learnt> {
  const opened = await openLearnRows(context, 'evidence-only');
  const met = await askedSamples(context, opened, FOLDS);
  const { examples } = opened.dataSet;
  const samples = [...met.rows.flatMap(item => item.samples), ...met.extra, ...met.swapped];
  const size = examples.length;
  const places = new Map(examples.map(({ id }, place) => [id, place]));
  // All samples of a question are held out together.
  const heldBy = (folds: ArrayLike<number>): HeldOut[] =>
    heldOutDecisions(
      samples,
      Int32Array.from(samples, ({ example }) => folds[places.get(example.id)!]!),
      FOLDS,
    );
  const held = heldBy(factFolds(examples, FOLDS));
  const ungrouped = heldBy(foldsOf(size, FOLDS));
  const ofRow = (all: readonly HeldOut[], index: number): HeldOut[] =>
    all.slice(index * size, (index + 1) * size);
  const chosen = chosenThresholds(ofRow(held, 0));
  const refusing = { support: chosen.threshold, form: false };
  const swapped = held.filter(({ sample }) => sample.swapped);
  return {
    opened,
    samples,
    figures: {
      rows: met.rows.map(({ row }, index) =>
        reportOf(row, ofRow(held, index), ofRow(ungrouped, index), refusing),
      ),
      extra: refusedExtra(held, chosen.threshold),
      controls: heldOutControls(ofRow(held, 0), swapped, chosen.threshold),
      chosen,
    },
  };
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
}

function reportOf(
  row: string,
  held: readonly HeldOut[],
  ungrouped: readonly HeldOut[],
  refusing: FactReaderSettings,
): Report {
  const types = Map.groupBy(held, ({ sample }) => sample.example.type ?? 'none');
  const figures = (some: readonly HeldOut[]): FactFigures => figuresOf(some, refusing);
  return {
    row,
    all: figures(held),
    byForm: figuresOf(held, { ...refusing, form: true }),
    ungrouped: figures(ungrouped),
    byType: Object.fromEntries(
      [...types].map(([type, some]) => [type, { questions: some.length, ...figures(some) }]),
    ),
    byFold: Array.from({ length: FOLDS }, (_, fold) =>
      figures(held.filter(item => item.fold === fold)),
    ),
    majority: majorityOfReadTypes(held, refusing),
    thresholds: thresholdCurve(held, THRESHOLDS),
  };
}

/** Returns the share that is refused of the questions of each altered corpus, by kind. */
function refusedExtra(held: readonly HeldOut[], threshold: number): Record<string, number> {
  const extra = held.filter(({ sample }) => sample.extra !== undefined);
  const kinds = Map.groupBy(
    extra,
    ({ sample: { extra: kind, example } }) => `${kind}, ${isNull(example) ? 'null' : 'answerable'}`,
  );
  return Object.fromEntries(
    [...kinds].map(([kind, some]) => [
      kind,
      some.filter(({ decision }) => (decision?.support ?? 0) < threshold).length / some.length,
    ]),
  );
}

function linesOf({ rows, extra, controls, chosen }: Figures): string[] {
  return [
    `Each question answered by weights that were fitted on the other ${FOLDS - 1} folds (support ${chosen.threshold}):`,
    ...rows.flatMap(reportLines),
    ...Object.entries(extra).map(
      ([kind, share]) => `of ${kind} questions it refuses ${percent(share)}`,
    ),
    ...Object.entries(controls).flatMap(([row, figures]) =>
      Object.entries(figures).map(
        ([type, [mean, low, high, ...wide]]) =>
          `${row}, ${type}: ${percent(mean!)} [${percent(low!)}, ${percent(high!)}]${wide.length > 0 ? ` by cluster [${wide.map(percent).join(', ')}]` : ''}`,
      ),
    ),
    `support ${chosen.threshold.toFixed(2)} is the highest that refuses at most ${percent(MAX_REFUSED)} of answerable questions (median of ${FOLDS} folds, first row)`,
    ...foldLines(chosen.folds),
  ];
}

const reportLines = ({ row, ...report }: Report): string[] => [
  row,
  figuresLine('all', report.all),
  figuresLine('all, with form', report.byForm),
  figuresLine('all, ungrouped folds', report.ungrouped),
  ...Object.entries(report.byType).map(([type, figures]) =>
    figuresLine(`${type} (${figures.questions})`, figures),
  ),
  ...report.byFold.map((figures, fold) => figuresLine(`fold ${fold + 1}`, figures)),
  figuresLine('majority of the type read', report.majority),
  ...report.thresholds.map(
    ({ threshold, ...shares }) => `  support ${threshold.toFixed(2)} ${refusesText(shares)}`,
  ),
];

const figuresLine = (what: string, figures: FactFigures): string =>
  `  ${what.padEnd(26)} ${FACT_MEASURES.flatMap(name => (figures[name] === undefined ? [] : [`${name} ${percent(figures[name])}`])).join('  ')}`;
