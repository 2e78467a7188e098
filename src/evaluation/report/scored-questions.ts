/**
 * Joins the records of questions with their scores: whether each answer is right, and intervals of
 * measures within a group of questions.
 */
import { type Interval, interval, resampledValues } from '../bootstrap.ts';
import type { EvaluationResult, Scores } from '../evaluation-result.ts';
import { measure } from '../measures.ts';
import type { AskedQuestion, QuestionRecords, RowQuestion } from '../question-records.ts';
import { drawResamples } from '../resamples.ts';
import { LEAST_QUESTIONS } from './format-value.ts';
import type { TracePages } from './trace-pages.ts';

/** Every question of an evaluation, and its scores, both in one order. */
export interface ScoredQuestions {
  readonly records: QuestionRecords;
  readonly scores: Scores;
  /** Pages with the traces of its rows, if they were written. */
  readonly traces?: TracePages;
}

/**
 * `right` and `wrong` as a measure says; `refused`: no answer, where that is not right; `failed`:
 * the run ended in an error; `ungraded`: no measure judges the answer.
 */
export type Verdict = 'right' | 'wrong' | 'refused' | 'failed' | 'ungraded';

/** Measures that say right or wrong of one answer; the first that an evaluation has is taken. */
const RIGHT = [
  /^JudgeAccuracy\b/,
  /^QaAccuracy\(strict\)$/,
  /^AnswerEM\b/,
  /^QaAccuracy\b/,
] as const;

/** Returns the measure whose 1 means a right answer; undefined if every row lacks it. */
export function rightMeasure({ rows }: EvaluationResult): string | undefined {
  const names = [...new Set(rows.flatMap(row => Object.keys(row.measures)))];
  for (const form of RIGHT) {
    const found = names.find(name => form.test(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The verdict on the answer of a row to a question. */
export function verdictOf(
  { kind }: RowQuestion,
  score: Scores[string][string][number] | null,
): Verdict {
  if (kind === 'failed') return 'failed';
  if (typeof score !== 'number') return 'ungraded';
  if (score === 1) return 'right';
  return kind === 'abstained' ? 'refused' : 'wrong';
}

/** Resamples of a group: enough for two digits of an interval's ends. */
const GROUP_RESAMPLES = 2_000;

/**
 * Returns the 95 % intervals of a measure in a group of questions by row id: percentile bootstrap
 * over its questions. A row without enough scored questions there has none.
 */
export function groupIntervals(
  { records, scores }: ScoredQuestions,
  name: string,
  isMember: (question: AskedQuestion) => boolean,
): ReadonlyMap<string, Interval> {
  const members = records.questions.flatMap((question, index) =>
    isMember(question) ? [index] : [],
  );
  const rows = Object.entries(scores).flatMap(([id, byMeasure]) => {
    const all = byMeasure[name];
    // JSON writes a missing score as null.
    const ofMembers = members.map(index => all?.[index] ?? undefined);
    const n = ofMembers.filter(score => score !== undefined).length;
    return n < LEAST_QUESTIONS ? [] : [{ id, scores: ofMembers }];
  });
  const drawn = drawResamples(members.length, { resamples: GROUP_RESAMPLES });
  const values = resampledValues(
    drawn,
    rows.map(row => ({ measure: measure(name), scores: row.scores })),
  );
  return new Map(
    rows.flatMap(({ id }, index) => {
      const found = interval(values[index]!);
      return found ? [[id, found] as const] : [];
    }),
  );
}
