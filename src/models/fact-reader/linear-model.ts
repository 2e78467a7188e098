/**
 * A linear model over named features: for each output a sum of weights, read as a score, as odds or
 * as shares.
 */

/** Named numbers; a feature that is missing is 0. */
export type Features = ReadonlyMap<string, number>;

export interface LinearModel {
  /** What each weight of a feature speaks for; one output: for it, against nothing. */
  readonly outputs: readonly string[];
  readonly bias: readonly number[];
  /** For each feature a weight an output. */
  readonly weights: ReadonlyMap<string, readonly number[]>;
}

/** One score an output. Features that the model does not know say nothing. */
export function scoresOf({ bias, weights }: LinearModel, features: Features): number[] {
  const scores = [...bias];
  for (const [name, value] of features) {
    const own = weights.get(name);
    if (own) for (const [output, weight] of own.entries()) scores[output]! += weight * value;
  }
  return scores;
}

export const sigmoid = (score: number): number => 1 / (1 + Math.exp(-score));

/** The probability of the one output. */
export const probabilityOf = (model: LinearModel, features: Features): number =>
  sigmoid(scoresOf(model, features)[0]!);

/** The output with the greatest score among those that are allowed, the first of equals. */
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
