/**
 * Compares rows with their controls: how much accuracy goes away with the evidence, and how often
 * answers follow an edit of it.
 */

import type { Treatment } from './answer-controls/answer-control.ts';
import type { ControlledRow } from './answer-controls/controlled-rows.ts';
import { isRight } from './answer-rules.ts';
import { interval, resampledValues } from './bootstrap.ts';
import { clusterResamples } from './clusters.ts';
import { EVIDENCE_RELIANCE, FOLLOWS_EDIT, FOLLOWS_EDIT_WHEN_RIGHT } from './control-figures.ts';
import type {
  ControlFigure,
  ControlSummary,
  Estimate,
  Evaluation,
  Outcome,
} from './evaluation-result.ts';
import type { Example, Measure } from './example.ts';
import { givenAnswer } from './given-answer.ts';
import { isNull } from './gold-evidence.ts';
import { drawResamples, type Resamples } from './resamples.ts';

/** A mean of numbers, to resample. */
const MEAN: Measure = { name: 'Mean', summary: 'Mean', score: () => 0 };

/** Returns the mean with both intervals; undefined if no question has a score. */
export function estimateOf(
  scores: readonly (number | undefined)[],
  plain: Resamples,
  clustered: Resamples | undefined,
): Estimate | undefined {
  const defined = scores.filter(score => score !== undefined);
  const series = [{ measure: MEAN, scores }];
  const bounds = defined.length === 0 ? undefined : interval(resampledValues(plain, series)[0]!);
  if (!bounds) return undefined;
  const wide = clustered && interval(resampledValues(clustered, series)[0]!);
  return {
    mean: defined.reduce((sum, score) => sum + score, 0) / defined.length,
    ...bounds,
    clustered: wide,
    n: defined.length,
  };
}

/**
 * Adds the summaries of controls to an evaluation, and their figures to the rows that they repeat.
 */
export function withControlSummaries(
  evaluation: Evaluation,
  controlled: readonly ControlledRow[],
  examples: readonly Example[],
): Evaluation {
  const summaries = summariesOf(evaluation.outcomes, controlled, examples);
  const { result } = evaluation;
  const rows = result.rows.map(row => {
    const ofRow = summaries
      .filter(({ of }) => of === row.id)
      .flatMap(({ figures }) => Object.entries(figures));
    return {
      ...row,
      measures: {
        ...row.measures,
        ...Object.fromEntries(ofRow.map(([name, { all }]) => [name, all])),
      },
      byType: Object.fromEntries(
        Object.entries(row.byType).map(([type, values]) => [
          type,
          {
            ...values,
            ...Object.fromEntries(
              ofRow.flatMap(([name, { byType }]) => {
                const found = byType[type];
                return found ? [[name, found.mean]] : [];
              }),
            ),
          },
        ]),
      ),
    };
  });
  return {
    ...evaluation,
    result: { ...result, rows, controls: summaries.length > 0 ? summaries : undefined },
  };
}

type Outcomes = Readonly<Record<string, readonly Outcome[]>>;

function summariesOf(
  outcomes: Outcomes,
  controlled: readonly ControlledRow[],
  examples: readonly Example[],
): ControlSummary[] {
  const plain = drawResamples(examples.length);
  const clustered = clusterResamples(examples);
  const figure = (scores: readonly (number | undefined)[]): ControlFigure | undefined => {
    const all = estimateOf(scores, plain, clustered);
    if (!all) return undefined;
    const types = [...new Set(examples.map(({ type = 'untyped' }) => type))].sort();
    const byType = types.flatMap((type): [string, Estimate][] => {
      const of = scores.map((score, index) =>
        (examples[index]!.type ?? 'untyped') === type ? score : undefined,
      );
      const found = estimateOf(of, plain, clustered);
      return found ? [[type, found]] : [];
    });
    return { all, byType: Object.fromEntries(byType) };
  };
  return controlled.flatMap((repeatedRow): ControlSummary[] => {
    // The row without abstention, if any, is what figures are computed from.
    if (repeatedRow.row.control === undefined || repeatedRow.compared === undefined) return [];
    const treatments = repeatedRow.treatments();
    const [before, after] = [outcomes[repeatedRow.compared]!, outcomes[repeatedRow.row.id]!];
    const figures = figuresOf(examples, treatments, before, after).flatMap(
      ([name, scores]): [string, ControlFigure][] => {
        const found = figure(scores);
        return found ? [[name, found]] : [];
      },
    );
    return [
      {
        ...repeatedRow.row.control,
        questions: examples.length,
        treated: treatments.filter(each => each !== undefined).length,
        rules: rulesOf(treatments),
        figures: Object.fromEntries(figures),
      },
    ];
  });
}

/** Returns the scores of each figure: undefined for a question that does not count. */
export function figuresOf(
  examples: readonly Example[],
  treatments: readonly (Treatment | undefined)[],
  before: readonly Outcome[],
  after: readonly Outcome[],
): [name: string, scores: (number | undefined)[]][] {
  const answerable = (index: number): boolean => !isNull(examples[index]!);
  const right = (outcome: Outcome, answers: readonly string[]): number | undefined => {
    const said = outcome.failed ? '' : givenAnswer(outcome.answer);
    return said === undefined ? undefined : Number(isRight('strict', said, answers));
  };
  const correct = before.map((outcome, index) => right(outcome, examples[index]!.answers));
  const under = after.map((outcome, index) => {
    const treatment = treatments[index];
    if (treatment === undefined || !answerable(index)) return undefined;
    return right(
      outcome,
      treatment.kind === 'edited' ? treatment.answers : examples[index]!.answers,
    );
  });
  if (treatments.some(treatment => treatment?.kind === 'edited'))
    return [
      [FOLLOWS_EDIT, under],
      [
        FOLLOWS_EDIT_WHEN_RIGHT,
        under.map((score, index) => (correct[index] === 1 ? score : undefined)),
      ],
    ];
  const differences = under.map((score, index) =>
    score === undefined || correct[index] === undefined ? undefined : correct[index]! - score,
  );
  return [[EVIDENCE_RELIANCE, differences]];
}

function rulesOf(treatments: readonly (Treatment | undefined)[]): Record<string, number> {
  const rules: Record<string, number> = {};
  for (const treatment of treatments)
    if (treatment) rules[treatment.rule] = (rules[treatment.rule] ?? 0) + 1;
  return rules;
}
