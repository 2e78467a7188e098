/**
 * Evaluates the network that ranks spans: a weighted sum of all features, plus one layer of
 * rectified units over the frequent ones.
 */
import type { Features } from '../linear-model.ts';

export interface SpanNetwork {
  /** By feature, its weight in the sum and those in each unit; no unit for lexical features. */
  readonly weights: ReadonlyMap<
    string,
    { readonly sum: number; readonly units: readonly number[] }
  >;
  /** For each unit, the value that is added to its input, and its weight in the score. */
  readonly biases: readonly number[];
  readonly outputs: readonly number[];
}

/** Returns the score. Ignores features that the network does not have. */
export function spanScore({ weights, biases, outputs }: SpanNetwork, features: Features): number {
  let score = 0;
  const inputs = Float64Array.from(biases);
  for (const [name, value] of features) {
    const entry = weights.get(name);
    if (entry === undefined) continue;
    score += entry.sum * value;
    const { units } = entry;
    for (let unit = 0; unit < units.length; unit++) inputs[unit]! += units[unit]! * value;
  }
  for (const [unit, input] of inputs.entries()) if (input > 0) score += outputs[unit]! * input;
  return score;
}
