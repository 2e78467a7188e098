/**
 * Loads the shipped curves: `answer-probability.json`, written by `npm run lab -- learn
 * answer-probability`.
 */

import written from './answer-probability.json' with { type: 'json' };
import { type ProbabilityModel, readProbability } from './answer-probability.ts';

let model: ProbabilityModel | undefined;

/** Returns the shipped curves, parsed at the first use. */
export function shippedProbability(): ProbabilityModel {
  model ??= readProbability(written).model;
  return model;
}
