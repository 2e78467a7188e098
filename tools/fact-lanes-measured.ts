/**
 * What the steps of the report of fact-lanes came to: each row with its figures and the scores of
 * its questions, and paired differences between rows.
 */

import { pairedDifference, resampledValues, type Series } from '../src/evaluation/bootstrap.ts';
import { isControl } from '../src/evaluation/controls.ts';
import type { EvaluationResult, RowResult } from '../src/evaluation/evaluation-result.ts';
import { measure } from '../src/evaluation/measures.ts';
import { drawResamples, type Resamples } from '../src/evaluation/resamples.ts';
import { valueOfScores } from '../src/evaluation/value-of-scores.ts';
import type { Columns, Estimated } from './equal-k.ts';
import { finished, finishedScores } from './evaluation-step.ts';
import type { Planned } from './fact-lanes-steps.ts';
import type { SystemRow } from './fact-lanes-systems.ts';

export interface MeasuredRow extends SystemRow {
  readonly result: RowResult;
  /** Empty where none were kept. */
  readonly scores: Columns;
}

export interface MeasuredStep {
  readonly name: string;
  readonly rows: readonly MeasuredRow[];
  /** Those that only answer. */
  readonly controls: readonly RowResult[];
  readonly questions: number;
  readonly manifest: EvaluationResult['manifest'];
  readonly groups: EvaluationResult['groups'];
}

/**
 * Undefined while the step is not finished. Results name rows canonically, so they are known by
 * their order.
 */
export function measuredStep({ step, rows }: Planned, work: string): MeasuredStep | undefined {
  const result = finished(step, work);
  if (!result) return undefined;
  const failed = result.rows.find(row => row.failed > 0);
  if (failed)
    throw new Error(
      `${failed.failed} questions of ${failed.id} failed: delete ${step.name} from ${work} and run it again`,
    );
  const scores = finishedScores(step, work)?.scores ?? {};
  const own = result.rows.filter(row => !isControl(row));
  return {
    name: step.name,
    rows: own.map((row, index) => ({
      ...rows[index]!,
      result: row,
      scores: (scores[row.id] ?? {}) as Columns,
    })),
    controls: result.rows.filter(isControl),
    ...{ questions: result.questions, manifest: result.manifest, groups: result.groups },
  };
}

const drawn = new Map<number, Resamples>();
function resamplesOf(questions: number): Resamples {
  const known = drawn.get(questions) ?? drawResamples(questions);
  drawn.set(questions, known);
  return known;
}

/**
 * A - B with its 95 % interval, both on the same resampled questions; undefined where one of them
 * has no scores.
 */
export function differenceOf(name: string, a: MeasuredRow, b: MeasuredRow): Estimated | undefined {
  const of = measure(name);
  const [first, second] = [a, b].map(({ scores }): Series | undefined => {
    const column = scores[name];
    return column && { measure: of, scores: column.map(score => score ?? undefined) };
  });
  if (!first || !second || first.scores.length !== second.scores.length) return undefined;
  const [x, y] = [first, second].map(({ scores }) => valueOfScores(of, scores)?.value);
  const [all, other] = resampledValues(resamplesOf(first.scores.length), [first, second]);
  const interval = pairedDifference(all!, other!);
  return x === undefined || y === undefined || !interval
    ? undefined
    : { value: x - y, low: interval.low, high: interval.high };
}

/** The mean of a measure; undefined where it has none. */
export const meanOf = ({ result }: MeasuredRow, name: string): number | undefined =>
  result.measures[name]?.mean;
