/**
 * The abstention curve: what a reader's threshold buys in null questions refused, and costs in
 * answerable ones refused.
 */

import { emptyTrace } from './empty-trace.ts';
import type { Outcome } from './evaluation-result.ts';
import type { Example, Measure, Records } from './example.ts';
import { isNull } from './gold-evidence.ts';

export interface Judged {
  /** On the reader's own scale. */
  readonly support: number;
  /**
   * Tells whether the answer, shown or withheld, is right. It never is for a null question, whose
   * only right answer is to refuse.
   */
  readonly correct: boolean;
  readonly isNull: boolean;
}

export interface CurvePoint {
  /** Answers with less support are refused; null: everything is. */
  readonly threshold: number | null;
  /** Share of null questions refused; 0 when there is none. */
  readonly abstainedNull: number;
  /** Share of answerable questions refused; 0 when there is none. */
  readonly refusedAnswerable: number;
  /**
   * Share of all questions that end right: null ones refused, answerable ones answered, and
   * correctly.
   */
  readonly accuracy: number;
}

const part = (count: number, of: number): number => (of === 0 ? 0 : count / of);

/**
 * One point for every support that occurs, ascending, and one above them all at which everything is
 * refused.
 */
export function abstentionCurve(judged: readonly Judged[]): CurvePoint[] {
  const sorted = [...judged].sort((a, b) => a.support - b.support);
  const nulls = sorted.filter(item => item.isNull).length;
  let refusedNulls = 0;
  let refused = 0;
  let right = sorted.filter(item => !item.isNull && item.correct).length;
  const points: CurvePoint[] = [];
  for (const [index, item] of sorted.entries()) {
    if (index === 0 || item.support !== sorted[index - 1]!.support)
      points.push(point(item.support));
    refused++;
    if (item.isNull) refusedNulls++;
    right += item.isNull ? 1 : item.correct ? -1 : 0;
  }
  return [...points, point(null)];

  function point(threshold: number | null): CurvePoint {
    const refusedAnswerable = part(refused - refusedNulls, sorted.length - nulls);
    return {
      threshold,
      abstainedNull: part(refusedNulls, nulls),
      refusedAnswerable,
      accuracy: part(right, sorted.length),
    };
  }
}

/**
 * Returns the support and correctness of each outcome, judged by an answer measure. Withheld
 * answers count as if they had been shown; answers without support are left out.
 */
export function judgedOutcomes(
  examples: readonly Example[],
  outcomes: readonly Outcome[],
  correctness: Measure,
  records: Records,
): Judged[] {
  return examples.flatMap((example, index) => {
    const { answer, failed } = outcomes[index]!;
    if (failed || answer.kind === 'evidence' || answer.support === undefined) return [];
    const text = answer.kind === 'answered' ? answer.text : (answer.withheld?.text ?? '');
    const row = { strategy: '', retriever: '', context: '', reader: '', budget: {} };
    const trace = {
      ...emptyTrace(example.question, row),
      answer: { kind: 'answered' as const, text, citations: [] },
    };
    const correct = !isNull(example) && correctness.score(example, trace, records) === 1;
    return [{ support: answer.support, correct, isNull: isNull(example) }];
  });
}
