/**
 * `learn fact-reader`: fits the fact reader's weights, and prints what it does on
 * questions that they were not fitted on.
 */

import { readFileSync } from 'node:fs';
import type { CommandContext } from '../../../src/cli/command.ts';
import { type LearnRows, openLearnRows, percent } from '../../../src/cli/learn-rows.ts';
import type { Output } from '../../../src/cli/output.ts';
import { factFolds } from '../../../src/evaluation/fitting/fact-folds.ts';
import { foldsOf } from '../../../src/evaluation/fitting/folds.ts';
import { isNull } from '../../../src/evaluation/gold-evidence.ts';
import { writeFacts } from '../../../src/models/fact-reader/fact-checkpoint.ts';
import { thisPackage } from '../../../src/platform/package-root.ts';
import { replaceFile } from '../../../src/platform/replace-file.ts';
import { sha256 } from '../../../src/platform/sha256.ts';
import type { FactReaderSettings } from '../../../src/readers/fact-answer.ts';
import { FACT_SETTINGS, fitFacts } from '../../learning/fact-reader/fact-training.ts';
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
import type { LearnTask } from './task.ts';

export const factReaderTask: LearnTask = {
  name: 'fact-reader',
  summary: 'the weights of the fact reader',
  run: learnFactReader,
};

const FOLDS = 5;
const THRESHOLDS = [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98];

async function learnFactReader(context: CommandContext): Promise<number> {
  const { options, output } = context;
  const opened = await openLearnRows(context, 'evidence-only');
  const met = await askedSamples(context, opened, FOLDS);
  const { dataSet, files, rows } = opened;
  const samples = [...met.rows.flatMap(one => one.samples), ...met.extra, ...met.swapped];
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
  const ofRow = (all: readonly HeldOut[], index: number): HeldOut[] =>
    all.slice(index * size, (index + 1) * size);
  const chosen = chosenThresholds(ofRow(held, 0), FOLDS);
  const refusing = { support: chosen.threshold, form: false };
  const reports = met.rows.map(({ row }, index) =>
    reportOf(row, ofRow(held, index), ofRow(ungrouped, index), refusing),
  );
  const extra = refusedExtra(held, chosen.threshold);
  const controls = heldOutControls(
    ofRow(held, 0),
    held.filter(({ sample }) => sample.swapped),
    chosen.threshold,
  );
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
      ...{ settings: FACT_SETTINGS, folds: FOLDS, support: chosen.threshold },
      heldOut: reports.map(({ row, all }) => ({ row, ...all })),
      heldOutRefused: extra,
      heldOutControls: controls,
    };
    replaceFile(out, writeFacts({ model: fitFacts(samples), provenance }));
  }
  tell(output, { reports, extra, controls, chosen, out });
  return 0;
}

/** Returns the files by content: paths differ between machines. */
const hashesOf = (files: LearnRows['files']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([what, path]) => [what, sha256(readFileSync(path as string))]),
  );

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
      figures(held.filter(one => one.fold === fold)),
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

interface Told {
  readonly reports: readonly Report[];
  readonly extra: Readonly<Record<string, number>>;
  readonly controls: HeldOutControls;
  readonly chosen: ReturnType<typeof chosenThresholds>;
  readonly out: string | undefined;
}

function tell(output: Output, { reports, extra, controls, chosen, out }: Told): void {
  if (output.json) {
    const written = out === undefined ? {} : { out };
    output.object({ rows: reports, extra, controls, chosen, ...written });
    return;
  }
  output.line(
    `Each question answered by weights that were fitted on the other ${FOLDS - 1} folds (support ${chosen.threshold}):`,
  );
  for (const { row, all, byForm, ungrouped, byType, byFold, majority, thresholds } of reports) {
    output.line(row);
    output.line(figuresLine('all', all));
    output.line(figuresLine('all, with form', byForm));
    output.line(figuresLine('all, ungrouped folds', ungrouped));
    for (const [type, figures] of Object.entries(byType))
      output.line(figuresLine(`${type} (${figures.questions})`, figures));
    for (const [fold, figures] of byFold.entries())
      output.line(figuresLine(`fold ${fold + 1}`, figures));
    output.line(figuresLine('majority of the type read', majority));
    for (const { threshold, abstainedNull, refusedAnswerable } of thresholds)
      output.line(
        `  support ${threshold.toFixed(2)} refuses ${percent(abstainedNull)} of null questions and ${percent(refusedAnswerable)} of answerable ones`,
      );
  }
  for (const [kind, share] of Object.entries(extra))
    output.line(`of ${kind} questions it refuses ${percent(share)}`);
  for (const [row, figures] of Object.entries(controls))
    for (const [type, [mean, low, high, ...wide]] of Object.entries(figures))
      output.line(
        `${row}, ${type}: ${percent(mean!)} [${percent(low!)}, ${percent(high!)}]${wide.length > 0 ? ` by cluster [${wide.map(percent).join(', ')}]` : ''}`,
      );
  output.line(
    `support ${chosen.threshold.toFixed(2)} is the highest that refuses at most ${percent(MAX_REFUSED)} of answerable questions (median of ${FOLDS} folds, first row)`,
  );
  for (const [fold, { threshold, abstainedNull, refusedAnswerable }] of chosen.folds.entries())
    output.line(
      `  fold ${fold + 1}: ${threshold.toFixed(2)} chosen on the others; here it refuses ${percent(abstainedNull)} of null questions and ${percent(refusedAnswerable)} of answerable ones`,
    );
  if (out !== undefined) output.line(`Weights fitted on all of them are in ${out}`);
}

const figuresLine = (what: string, figures: FactFigures): string =>
  `  ${what.padEnd(26)} ${FACT_MEASURES.flatMap(name => (figures[name] === undefined ? [] : [`${name} ${percent(figures[name])}`])).join('  ')}`;
