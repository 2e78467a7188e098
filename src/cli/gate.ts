/** Options that make an evaluation a gate: least values of measures, and an earlier evaluation. */
import { InputError } from '../core/errors.ts';
import type { Evaluation } from '../evaluation/evaluation-result.ts';
import type { Example, Measure } from '../evaluation/example.ts';
import {
  type Baseline,
  type Change,
  changesSince,
  type Floor,
  type Miss,
  missesOf,
} from '../evaluation/gate.ts';
import { measure } from '../evaluation/measures.ts';
import {
  formatCounted,
  formatDelta,
  formatInterval,
  formatValue,
  inPercent,
} from '../evaluation/report/format-value.ts';
import { readScores } from '../experiments/results-folder.ts';
import type { Option, OptionValues } from './option.ts';
import type { Output } from './output.ts';
import { printable } from './wrap.ts';

export const GATE_OPTIONS: readonly Option[] = [
  {
    name: 'at-least',
    value: 'MEASURE=VALUE',
    repeatable: true,
    summary: 'exit with 1 if a row has less, as the report prints it: "Recall@5=60"',
  },
  {
    name: 'not-below',
    value: 'PATH',
    access: 'read',
    summary:
      'exit with 1 if a row is worse than in this earlier evaluation: the folder of its --out, or the file scores.json in it',
  },
];

export const GATE_NOTE =
  '--not-below compares each row with the row of that id over the questions that both evaluations have, by the measures that compare rows and those of --at-least. A row is worse if the 95 % interval of the paired difference lies wholly below 0; costs are not compared. The failure names the measure, its interval and the questions that changed. --json adds gate: [{ row, measure, least, estimate } or { row, measure, difference, low, high, n, changed: [{ question, before, now }] }], which is empty if nothing failed.';

/** The least values and the earlier scores that the options name. */
export interface Gate {
  readonly floors: readonly Floor[];
  readonly baseline: Baseline | undefined;
}

export type GateFailure = Miss | Change;

/** Returns undefined without such an option. Throws `InputError`. */
export function gateOf(options: OptionValues): Gate | undefined {
  const path = options.text('not-below');
  const floors = options.texts('at-least').map(floorOf);
  if (path === undefined && floors.length === 0) return undefined;
  return { floors, baseline: path === undefined ? undefined : readScores(path) };
}

/** Names of measures may hold a sign of equality: `HopF1@2(nulls=zero)=30`. */
function floorOf(text: string): Floor {
  const at = text.lastIndexOf('=');
  const value = text.slice(at + 1).trim();
  if (at < 1 || value === '' || !Number.isFinite(Number(value)))
    throw new InputError('bad-value', 'The option --at-least', {
      expected: 'MEASURE=VALUE, such as Recall@5=60',
      received: text,
    });
  const { name } = measure(text.slice(0, at).trim());
  const least = inPercent(name) ? Number(value) / 100 : Number(value);
  if (inPercent(name) && least > 1)
    throw new InputError('bad-value', 'The option --at-least', {
      expected: `at most 100: ${name} is in percent`,
      received: text,
    });
  return { measure: name, least };
}

/** Adds the measures of least values to those that are asked for. */
export const gatedMeasures = (measures: readonly Measure[], gate?: Gate): Measure[] => {
  const names = new Set(measures.map(({ name }) => name));
  const more = new Set((gate?.floors ?? []).map(floor => floor.measure).filter(n => !names.has(n)));
  return [...measures, ...[...more].map(name => measure(name))];
};

/** Returns what an evaluation misses. */
export function failuresOf(
  gate: Gate,
  evaluation: Pick<Evaluation, 'result' | 'scores'>,
  examples: readonly Example[],
  measures: readonly Measure[],
): GateFailure[] {
  const { floors, baseline } = gate;
  const also = floors.map(floor => floor.measure);
  const changes = baseline ? changesSince(evaluation, examples, measures, baseline, also) : [];
  if (baseline && changes.length === 0)
    throw new InputError('other-baseline', 'The baseline is of another evaluation', {
      expected: 'a measure of quality that both evaluations have, such as FactRecall',
      received: measures.map(({ name }) => name).join(', '),
    });
  return [...missesOf(evaluation.result, floors), ...changes.filter(({ high }) => high < 0)];
}

/** Questions that a line names. */
const NAMED = 20;

export function printFailures(failures: readonly GateFailure[], output: Output): void {
  for (const failure of failures)
    output.error(`${output.noteStyle.red('failed:')} ${failureWords(failure)}`);
}

/** Prints what differs from the evaluation before. */
export function printChanges(changes: readonly Change[], output: Output): void {
  const differing = changes.filter(({ changed }) => changed.length > 0);
  if (differing.length === 0) output.note('No question changed');
  for (const change of differing) output.note(changeWords(change));
}

const failureWords = (failure: GateFailure): string =>
  'least' in failure ? missWords(failure) : changeWords(failure);

function missWords({ row, measure: name, least, estimate }: Miss): string {
  const found = estimate ? formatCounted(name, estimate) : 'no value';
  return `${name} of ${printable(row)} is ${found}, and must be at least ${formatValue(name, least)}`;
}

/** `Recall@5 of ROW: −4.20 [−8.00, −0.50] (n=42); changed: q1 100.00 → 0.00, ...`. */
function changeWords({ row, measure: name, ...change }: Change): string {
  const { difference, n, changed } = change;
  const named = changed
    .slice(0, NAMED)
    .map(
      ({ question, before, now }) =>
        `${printable(question)} ${formatValue(name, before)} → ${formatValue(name, now)}`,
    );
  const more = changed.length > NAMED ? [`and ${changed.length - NAMED} more`] : [];
  const questions = changed.length === 0 ? 'none' : [...named, ...more].join(', ');
  return `${name} of ${printable(row)}: ${formatDelta(name, difference)} ${formatInterval(name, change)} (n=${n}); changed: ${questions}`;
}
