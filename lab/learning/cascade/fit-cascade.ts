/**
 * Fits the weights of `cascade`: for each question, which of its candidates is right, or none.
 * Every domain weighs the same.
 */
import { minimise } from '../../../src/evaluation/fitting/minimise.ts';
import {
  CASCADE_FEATURES,
  type CascadeFeatures,
  type CascadeModel,
  cascadeShares,
} from './cascade-weights.ts';

/** The candidates of one question; `right` is the index of a right one, -1 if none is. */
export interface CascadeExample {
  readonly domain: string;
  readonly candidates: readonly CascadeFeatures[];
  readonly right: number;
}

/** Factor of half the squared weights, in questions: few questions must not make large weights. */
const L2 = 1;

/** Returns the weights with the least logistic loss. */
export function fitCascade(examples: readonly CascadeExample[]): CascadeModel {
  const sizes = new Map<string, number>();
  for (const { domain } of examples) sizes.set(domain, (sizes.get(domain) ?? 0) + 1);
  const mean = examples.length / Math.max(1, sizes.size);
  const size = CASCADE_FEATURES.length + 1;
  const found = minimise(size, (at, gradient) => {
    const model = modelOf(at);
    let loss = 0;
    for (let index = 0; index < size; index++) {
      gradient[index] = L2 * at[index]!;
      loss += (L2 / 2) * at[index]! ** 2;
    }
    for (const { domain, candidates, right } of examples) {
      const weight = mean / sizes.get(domain)!;
      const shares = cascadeShares(model, candidates);
      const none = Math.max(1e-12, 1 - shares.reduce((sum, share) => sum + share, 0));
      loss -= weight * Math.log(Math.max(1e-12, right < 0 ? none : shares[right]!));
      for (const [place, features] of candidates.entries()) {
        const error = weight * (shares[place]! - Number(place === right));
        for (const [index, name] of CASCADE_FEATURES.entries())
          gradient[index]! += error * features[name];
      }
      gradient[size - 1]! += weight * (none - Number(right < 0));
    }
    return loss;
  });
  return modelOf(found);
}

const modelOf = (at: ArrayLike<number>): CascadeModel => ({
  weights: Object.fromEntries(
    CASCADE_FEATURES.map((name, index) => [name, at[index]!]),
  ) as CascadeFeatures,
  none: at[CASCADE_FEATURES.length]!,
});
