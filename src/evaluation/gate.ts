/**
 * Compares an evaluation with least values of measures, and with the scores of an earlier one,
 * question by question.
 */
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import { pairedDifference, resampledValues } from './bootstrap.ts';
import { isControl } from './controls.ts';
import { mainMeasureNames } from './default-measures.ts';
import type { Estimate, Evaluation, EvaluationResult, Scores } from './evaluation-result.ts';
import type { Example, Measure, Score } from './example.ts';
import { lastingNames } from './question-names.ts';
import { drawResamples, type Resamples } from './resamples.ts';
import { valueOfScores } from './value-of-scores.ts';

/** The least value of a measure; shares are from 0 to 1. */
export interface Floor {
  readonly measure: string;
  readonly least: number;
}

/** A row whose measure is below a least value; `estimate` is missing if it has no value at all. */
export interface Miss extends Floor {
  readonly row: string;
  readonly estimate?: Estimate;
}

/** Returns the rows that miss a least value, without controls. */
export const missesOf = ({ rows }: EvaluationResult, floors: readonly Floor[]): Miss[] =>
  rows
    .filter(row => !isControl(row))
    .flatMap(({ id, measures }) =>
      floors
        .map(floor => ({ row: id, ...floor, estimate: measures[floor.measure] }))
        // A value that does not exist reaches nothing.
        .filter(({ estimate, least }) => !(estimate && estimate.mean >= least)),
    );

/** Scores of an earlier evaluation, in the order of its questions. */
export interface Baseline {
  /** Ids of the questions. */
  readonly questions: readonly string[];
  /** Names of the questions that stay if their file changes; missing if they are the ids. */
  readonly names?: readonly string[];
  readonly scores: Scores;
}

/** Returns the scores of an evaluation as the baseline of a later one. */
export function baselineOf(examples: readonly Example[], scores: Scores): Baseline {
  const [questions, names] = [examples.map(({ id }) => id), lastingNames(examples)];
  const differ = names.some((name, at) => name !== questions[at]);
  return defined<Baseline>({ questions, names: differ ? names : undefined, scores });
}

/** A question whose value differs; a value that it does not have is missing. */
export interface ChangedQuestion {
  readonly question: string;
  readonly before?: number;
  readonly now?: number;
}

/** Difference of a row to its baseline: now less before, over the questions that both have. */
export interface Change {
  readonly row: string;
  readonly measure: string;
  readonly difference: number;
  /** 95 % interval of the paired difference over resampled questions. */
  readonly low: number;
  readonly high: number;
  readonly n: number;
  readonly changed: readonly ChangedQuestion[];
}

/**
 * Compares every row with the row of the baseline that has its id, by the measures that compare
 * rows and by those of `also`, costs left out. Throws `InputError('other-baseline')` if a row,
 * every question or every such measure is missing there.
 */
export function changesSince(
  { result, scores }: Pick<Evaluation, 'result' | 'scores'>,
  examples: readonly Example[],
  measures: readonly Measure[],
  baseline: Baseline,
  also: readonly string[] = [],
): Change[] {
  const { questions, names: known = questions } = baseline;
  const before = new Map(known.map((name, index) => [name, index]));
  const shared = lastingNames(examples).flatMap((name, now) =>
    before.has(name) ? [{ question: examples[now]!.id, now, earlier: before.get(name)! }] : [],
  );
  if (shared.length === 0) throw other('a question of this evaluation', 'none of them');
  const names = new Set([...mainMeasureNames(examples, measures), ...also]);
  const compared = measures.filter(({ name, better }) => names.has(name) && better !== 'lower');
  const resamples = drawResamples(shared.length);
  const rows = result.rows.filter(row => !isControl(row));
  return rows.flatMap(({ id: row }) => {
    const earlier = baseline.scores[row];
    if (!earlier) throw other(`the row "${row}"`, Object.keys(baseline.scores).join(', '));
    if (compared.length > 0 && !compared.some(({ name }) => earlier[name]))
      throw other(`a measure of ${[...names].join(', ')}`, Object.keys(earlier).join(', '));
    return compared.flatMap(measure => {
      const [ours, theirs] = [scores[row]![measure.name], earlier[measure.name]];
      if (!ours || !theirs) return [];
      const pairs = shared.map(at => ({
        question: at.question,
        now: ours[at.now] ?? undefined,
        before: theirs[at.earlier] ?? undefined,
      }));
      return changeOf(pairs, measure, resamples).map(change => ({ row, ...change }));
    });
  });
}

interface ScoredTwice {
  readonly question: string;
  readonly now: Score | undefined;
  readonly before: Score | undefined;
}

/** Returns nothing for a measure that has no value on one of the sides. */
function changeOf(
  pairs: readonly ScoredTwice[],
  measure: Measure,
  resamples: Resamples,
): Omit<Change, 'row'>[] {
  const series = [
    { measure, scores: pairs.map(({ now }) => now) },
    { measure, scores: pairs.map(({ before }) => before) },
  ];
  const [now, before] = series.map(({ scores }) => valueOfScores(measure, scores));
  const [a, b] = resampledValues(resamples, series);
  const bounds = pairedDifference(a!, b!);
  if (!now || !before || !bounds) return [];
  const { low, high } = bounds;
  const difference = now.value - before.value;
  const value = (score: Score | undefined): number | undefined =>
    valueOfScores(measure, [score])?.value;
  const changed = pairs
    .map(pair => ({ question: pair.question, before: value(pair.before), now: value(pair.now) }))
    .filter(change => change.before !== change.now);
  return [{ measure: measure.name, difference, low, high, n: now.n, changed }];
}

const other = (expected: string, received: string): InputError =>
  new InputError('other-baseline', 'The baseline is of another evaluation', { expected, received });
