/** Prints measured languages beside English: means, paired intervals and controls. */
import { interval, pairedDifference, resampledValues } from '../../src/evaluation/bootstrap.ts';
import { drawResamples } from '../../src/evaluation/resamples.ts';
import { seriesOf } from '../results/report.ts';
import { percent, table } from '../results/tables.ts';
import type { MeasuredLanguage, Outcome } from './measure.ts';

type Pick = (outcome: Outcome) => number;

/** Averages shares over the questions. */
const MEAN = 'Recall@5';

const mean = (outcomes: readonly Outcome[], pick: Pick): number =>
  outcomes.reduce((sum, outcome) => sum + pick(outcome), 0) / outcomes.length;

/** Returns the mean in per cent with its 95 % interval over resampled questions. */
function estimate(outcomes: readonly Outcome[], pick: Pick): string {
  const values = resampledValues(drawResamples(outcomes.length), [
    seriesOf(MEAN, outcomes.map(pick)),
  ]);
  const bounds = interval(values[0]!)!;
  return `${percent(mean(outcomes, pick))} [${percent(bounds.low)}, ${percent(bounds.high)}]`;
}

/** Returns the paired difference in points with its 95 % interval over resampled questions. */
function difference(a: readonly Outcome[], b: readonly Outcome[], pick: Pick): string {
  const [left, right] = resampledValues(
    drawResamples(a.length),
    [a, b].map(outcomes => seriesOf(MEAN, outcomes.map(pick))),
  );
  const { low, high } = pairedDifference(left!, right!)!;
  return `${percent(mean(a, pick) - mean(b, pick))} [${percent(low)}, ${percent(high)}]`;
}

const recall: Pick = outcome => outcome.recall;
const suffices: Pick = outcome => Number(outcome.suffices);

const COLUMNS = [
  'system',
  'language',
  'Recall@5',
  'less English',
  'evidence suffices',
  'less English',
  'shuffled',
  'tokens',
  'text',
];

/** Returns a table of every system and language, of which the first is English. */
export function languagesTable(measured: readonly MeasuredLanguage[]): string {
  const english = measured[0]!;
  const rows = english.systems.flatMap(({ label }, system) =>
    measured.map(({ language, systems }) =>
      rowOf(label, language, systems[system]!.outcomes, english.systems[system]!.outcomes),
    ),
  );
  return table(COLUMNS, rows, ['system', 'language']);
}

function rowOf(
  label: string,
  language: string,
  outcomes: readonly Outcome[],
  english: readonly Outcome[],
): string[] {
  const beside = (pick: Pick): string =>
    outcomes === english ? '–' : difference(outcomes, english, pick);
  const control = [
    mean(outcomes, ({ control }) => control.recall),
    mean(outcomes, ({ control }) => Number(control.suffices)),
  ];
  return [
    label,
    language,
    estimate(outcomes, recall),
    beside(recall),
    estimate(outcomes, suffices),
    beside(suffices),
    control.map(percent).join(' / '),
    mean(outcomes, ({ tokens }) => tokens).toFixed(0),
    (mean(outcomes, ({ shown }) => shown) / mean(english, ({ shown }) => shown)).toFixed(2),
  ];
}
