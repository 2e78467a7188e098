/** Fits the weights of a conditional logit on questions whose candidates are graded. */

import { minimise } from '../../../src/evaluation/fitting/minimise.ts';
import type { LogitFeatures, LogitModel } from '../../../src/models/conditional-logit.ts';

/** The candidates of a question. */
export interface GradedQuestion<Name extends string> {
  readonly candidates: readonly {
    readonly features: LogitFeatures<Name>;
    readonly right: boolean;
  }[];
  /** Questions that it counts for; 1 if missing. */
  readonly weight?: number;
}

/** Factor of half the squared weights, in questions. */
const L2 = 0.1;

/**
 * Maximises the probability of the right candidates of each question together, or of none where no
 * candidate is right.
 */
export function fitLogit<Name extends string>(
  features: readonly Name[],
  questions: readonly GradedQuestion<Name>[],
): LogitModel<Name> {
  const size = features.length;
  const rows = questions.map(({ candidates, weight = 1 }) => ({
    x: candidates.map(each => features.map(name => each.features[name])),
    right: candidates.map(({ right }) => right),
    weight,
  }));
  const at = minimise(size + 1, (weights, gradient) => {
    let loss = 0;
    gradient[size] = 0;
    for (let j = 0; j < size; j++) {
      loss += (L2 / 2) * weights[j]! ** 2;
      gradient[j] = L2 * weights[j]!;
    }
    for (const row of rows) loss += questionLoss(row, weights, gradient);
    return loss;
  });
  const weights = Object.fromEntries(features.map((name, j) => [name, at[j]!]));
  return { weights: weights as Record<Name, number>, none: at[size]! };
}

interface Row {
  readonly x: readonly (readonly number[])[];
  readonly right: readonly boolean[];
  readonly weight: number;
}

/** Returns minus the logarithm of the share of what is right; adds its gradient. */
function questionLoss(
  { x, right, weight }: Row,
  weights: Float64Array,
  gradient: Float64Array,
): number {
  const size = weights.length - 1;
  const none = weights[size]!;
  const scores = x.map(row => row.reduce((sum, value, j) => sum + value * weights[j]!, 0));
  const most = Math.max(none, ...scores);
  const powers = scores.map(score => Math.exp(score - most));
  const other = Math.exp(none - most);
  const total = powers.reduce((sum, power) => sum + power, other);
  const known = right.includes(true);
  const held = known
    ? powers.reduce((sum, power, at) => (right[at] ? sum + power : sum), 0)
    : other;
  for (const [at, power] of powers.entries()) {
    const error = weight * (power / total - (right[at] ? power / held : 0));
    for (let j = 0; j < size; j++) gradient[j]! += error * x[at]![j]!;
  }
  gradient[size]! += weight * (other / total - (known ? 0 : 1));
  return weight * (Math.log(total) - Math.log(held));
}
