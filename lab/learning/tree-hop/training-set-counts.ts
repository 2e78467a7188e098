/** Counts the questions of a training set, accepted and rejected, by data set and type. */

import type { TrainingDataset } from '../training-question.ts';
import type { Rejection } from './rejections.ts';
import type { TrainingExample, TrainingSet } from './training-set.ts';

/**
 * Counts of one data set and type: accepted by the source of graph and negatives, rejected by
 * reason.
 */
export interface TrainingSetCounts {
  readonly dataset: TrainingDataset;
  readonly type: string;
  readonly questions: number;
  readonly ownContext: number;
  readonly pooled: number;
  /** Updates to learn from: records with a path. */
  readonly updates: number;
  readonly from: Readonly<Partial<Record<TrainingExample['from'], number>>>;
  readonly rejected: Readonly<Partial<Record<Rejection, number>>>;
}

export function countTrainingSet({ examples, rejected }: TrainingSet): TrainingSetCounts[] {
  const kinds = new Map(
    [...examples, ...rejected].map(({ dataset, type }) => [
      `${dataset} ${type}`,
      { dataset, type },
    ]),
  );
  return [...kinds.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, kind]) => {
      const isOfKind = (example: { dataset: string; type: string }): boolean =>
        example.dataset === kind.dataset && example.type === kind.type;
      const accepted = examples.filter(isOfKind);
      const refused = rejected.filter(isOfKind);
      const counts = <T extends string>(of: readonly T[]): Partial<Record<T, number>> =>
        Object.fromEntries(
          [...new Set(of)].map(each => [each, of.filter(other => other === each).length]),
        ) as Partial<Record<T, number>>;
      const withContext = accepted.filter(({ ownContext }) => ownContext).length;
      return {
        ...kind,
        questions: accepted.length,
        ownContext: withContext,
        pooled: accepted.length - withContext,
        updates: accepted.reduce(
          (sum, { records }) => sum + records.filter(({ path }) => path.length > 0).length,
          0,
        ),
        from: counts(accepted.map(({ from }) => from)),
        rejected: counts(refused.map(({ reason }) => reason)),
      };
    });
}
