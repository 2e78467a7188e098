/** Collects named features, and shares that features are made of. */
import type { Features } from '../models/linear-model.ts';

export type { Features };

/** Takes a feature. */
export type AddFeature = (name: string, value: number | boolean) => void;

/** Omits zeros, which a linear model reads for missing features. */
export class FeatureList {
  readonly values: Map<string, number> = new Map();

  readonly add: AddFeature = (name, value) => {
    const number = Number(value);
    if (number !== 0 && Number.isFinite(number))
      this.values.set(name, (this.values.get(name) ?? 0) + number);
  };
}

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Weighs what `df` of `n` texts hold: ln(1 + (n + 1) / (1 + df)). */
export const rarity = (n: number, df: number): number => Math.log(1 + (n + 1) / (1 + df));

/** Returns the weighted share of the keys that are held, from 0 to 1; 0 without keys. */
export function heldShare<K>(
  weights: Iterable<readonly [key: K, weight: number]>,
  isHeld: (key: K) => boolean,
): number {
  let [held, total] = [0, 0];
  for (const [key, weight] of weights) {
    total += weight;
    if (isHeld(key)) held += weight;
  }
  return total === 0 ? 0 : held / total;
}
