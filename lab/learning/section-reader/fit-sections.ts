/** Fits the weights of the section reader on questions whose candidates are graded. */

import { minimise } from '../../../src/evaluation/fitting/minimise.ts';
import {
  SECTION_FEATURES,
  type SectionFeatures,
  type SectionModel,
} from '../../../src/models/section-reader/section-checkpoint.ts';

/** The candidates of a question. */
export interface GradedQuestion {
  readonly candidates: readonly {
    readonly features: SectionFeatures;
    readonly right: boolean;
  }[];
}

/** Factor of half the squared weights, in questions. */
const L2 = 0.1;
const SIZE = SECTION_FEATURES.length;

/**
 * Maximises the probability of the right candidates of each question together, or of none where no
 * candidate is right.
 */
export function fitSections(questions: readonly GradedQuestion[]): SectionModel {
  const rows = questions.map(({ candidates }) => ({
    x: candidates.map(({ features }) => SECTION_FEATURES.map(name => features[name])),
    right: candidates.map(({ right }) => right),
  }));
  const at = minimise(SIZE + 1, (weights, gradient) => {
    let loss = 0;
    gradient[SIZE] = 0;
    for (let j = 0; j < SIZE; j++) {
      loss += (L2 / 2) * weights[j]! ** 2;
      gradient[j] = L2 * weights[j]!;
    }
    for (const row of rows) loss += questionLoss(row, weights, gradient);
    return loss;
  });
  const weights = Object.fromEntries(SECTION_FEATURES.map((name, j) => [name, at[j]!]));
  return { weights: weights as Record<keyof SectionFeatures, number>, none: at[SIZE]! };
}

interface Row {
  readonly x: readonly (readonly number[])[];
  readonly right: readonly boolean[];
}

/** Returns minus the logarithm of the share of what is right; adds its gradient. */
function questionLoss({ x, right }: Row, weights: Float64Array, gradient: Float64Array): number {
  const none = weights[SIZE]!;
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
    const error = power / total - (right[at] ? power / held : 0);
    for (let j = 0; j < SIZE; j++) gradient[j]! += error * x[at]![j]!;
  }
  gradient[SIZE]! += other / total - (known ? 0 : 1);
  return Math.log(total) - Math.log(held);
}
