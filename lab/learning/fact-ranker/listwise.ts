/**
 * Fits a linear ranker by the listwise softmax loss over each question's candidates (ListNet's
 * top-one probabilities: Cao et al., Learning to Rank: From Pairwise Approach to Listwise Approach,
 * ICML 2007, doi 10.1145/1273496.1273513).
 */

import { minimise } from '../../../src/evaluation/fitting/minimise.ts';
import type { Weights } from '../../../src/models/fact-ranker/fact-ranker.ts';
import type { Features } from '../../../src/models/fact-ranker/features.ts';

/**
 * A question: features by name over its candidates, their labels, and the candidates to learn from.
 */
export interface Listed {
  readonly features: Features;
  readonly right: readonly boolean[];
  /** Indexes of the candidates to learn from. */
  readonly seen: readonly number[];
  /** Weight beside other questions; 1 by default. */
  readonly weight?: number;
}

/** Factor of the squared standardised weights, added to the mean loss of a question. */
const L2 = 1e-3;
const MIN_DEVIATION = 1e-9;

/** Returns true if a seen candidate is right; other questions carry no information. */
export const isUseful = ({ seen, right }: Pick<Listed, 'seen' | 'right'>): boolean =>
  seen.some(at => right[at]);

export function fitListwise(questions: readonly Listed[], names: readonly string[]): Weights {
  const useful = questions.filter(isUseful);
  const { matrix, deviations } = standardised(useful, names);
  const width = names.length;
  const total = useful.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const weights = minimise(width, (at, gradient) => {
    let loss = 0;
    for (let feature = 0; feature < width; feature++) {
      loss += L2 * at[feature]! ** 2;
      gradient[feature] = 2 * L2 * at[feature]!;
    }
    let from = 0;
    for (const question of useful) {
      loss += addQuestion(question, matrix, from, at, gradient, total / (question.weight ?? 1));
      from += question.seen.length;
    }
    return loss;
  });
  return Object.fromEntries(
    names.map((name, feature) => [name, rounded(weights[feature]! / deviations[feature]!)]),
  );
}

/**
 * Adds a question's gradient and returns its loss: - mean log p of the right candidates, with p the
 * softmax over all; both divided by `questions`, the inverse of the question's share.
 */
function addQuestion(
  { seen, right }: Listed,
  matrix: Float32Array,
  from: number,
  at: Float64Array,
  gradient: Float64Array,
  questions: number,
): number {
  const width = at.length;
  const scores = seen.map((_, row) => {
    let sum = 0;
    for (let feature = 0, cell = (from + row) * width; feature < width; feature++, cell++)
      sum += matrix[cell]! * at[feature]!;
    return sum;
  });
  const top = Math.max(...scores);
  const total = top + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - top), 0));
  const count = seen.reduce((sum, index) => sum + Number(right[index]!), 0);
  let loss = 0;
  for (const [row, index] of seen.entries()) {
    const target = right[index]! ? 1 / count : 0;
    loss += target * (total - scores[row]!);
    const error = (Math.exp(scores[row]! - total) - target) / questions;
    for (let feature = 0, cell = (from + row) * width; feature < width; feature++, cell++)
      gradient[feature]! += error * matrix[cell]!;
  }
  return loss / questions;
}

/**
 * Stacks all candidates, with each feature scaled to mean 0 and deviation 1, weighed as their
 * questions. Means need not be restored, because only differences within a question matter.
 */
function standardised(
  questions: readonly Listed[],
  names: readonly string[],
): { matrix: Float32Array; deviations: Float64Array } {
  const rows = questions.reduce((sum, { seen }) => sum + seen.length, 0);
  const mass = questions.reduce((sum, { seen, weight = 1 }) => sum + weight * seen.length, 0) || 1;
  const matrix = new Float32Array(rows * names.length);
  const deviations = new Float64Array(names.length);
  for (const [feature, name] of names.entries()) {
    let [sum, squares] = [0, 0];
    for (const { features, seen, weight = 1 } of questions)
      for (const index of seen) {
        const value = features[name]![index]!;
        sum += weight * value;
        squares += weight * value * value;
      }
    const mean = sum / mass;
    deviations[feature] = Math.sqrt(Math.max(0, squares / mass - mean * mean)) + MIN_DEVIATION;
    let row = 0;
    for (const { features, seen } of questions)
      for (const index of seen)
        matrix[row++ * names.length + feature] =
          (features[name]![index]! - mean) / deviations[feature];
  }
  return { matrix, deviations };
}

/** Rounds a weight; a constant feature has weight 0. */
const rounded = (weight: number): number =>
  Math.abs(weight) > 1e6 ? 0 : Number(weight.toFixed(5));
