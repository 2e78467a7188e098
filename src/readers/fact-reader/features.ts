/** Collects named features. */
import type { Features } from '../../models/fact-reader/linear-model.ts';

export type { Features };

/** Omits zeros, which a linear model reads for missing features. */
export class FeatureList {
  readonly values: Map<string, number> = new Map();

  add(name: string, value: number | boolean): void {
    const number = Number(value);
    if (number !== 0 && Number.isFinite(number))
      this.values.set(name, (this.values.get(name) ?? 0) + number);
  }
}

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
