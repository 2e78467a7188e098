/**
 * Evaluates a linear model over named features: one weighted sum for each output, read as a score,
 * a logit or a share.
 */

/** Features by name; a missing feature is 0. */
export type Features = ReadonlyMap<string, number>;

export interface LinearModel {
  /** Classes that the scores are for. A single output is binary: for it, or against it. */
  readonly outputs: readonly string[];
  readonly bias: readonly number[];
  /** For each feature one weight per output. */
  readonly weights: ReadonlyMap<string, readonly number[]>;
}

/** Returns one score for each output. Ignores features that the model does not have. */
export function scoresOf({ bias, weights }: LinearModel, features: Features): number[] {
  const scores = [...bias];
  for (const [name, value] of features) {
    const row = weights.get(name);
    if (!row) continue;
    for (let output = 0; output < row.length; output++) scores[output]! += row[output]! * value;
  }
  return scores;
}

/** Returns shares that sum to 1, in the proportions of the exponentials of the scores. */
export function softmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores);
  const powers = scores.map(score => Math.exp(score - most));
  const sum = powers.reduce((all, power) => all + power, 0);
  return powers.map(power => power / sum);
}

export const sigmoid = (score: number): number => 1 / (1 + Math.exp(-score));

/** Returns the probability of the single output of a binary model. */
export const probabilityOf = (model: LinearModel, features: Features): number =>
  sigmoid(scoresOf(model, features)[0]!);

/** Returns the allowed output with the greatest score, the first of equals. */
export function bestOutput(
  model: LinearModel,
  features: Features,
  allowed: (output: string) => boolean,
): string {
  const scores = scoresOf(model, features);
  const among = model.outputs.flatMap((output, index) =>
    allowed(output) ? [{ output, score: scores[index]! }] : [],
  );
  return among.reduce((best, each) => (each.score > best.score ? each : best)).output;
}
