/** Converts the laws of measures to the common form of laws. */

import type { Measure } from '../evaluation/example.ts';
import { measureLaws as lawsOfMeasures, type MeasureClaims } from '../evaluation/measure-laws.ts';
import { type Law, law } from './law.ts';

/**
 * Returns the laws of a measure.
 *
 * @example
 * ```ts
 * import { measure } from 'multihop/evaluation';
 * import { measureLaws } from 'multihop/testing';
 *
 * for (const law of measureLaws(measure('FactRecall'))) await law.run();
 * ```
 */
export function measureLaws(measure: Measure, claims: MeasureClaims = {}): Law[] {
  return lawsOfMeasures(measure, claims).map(({ name, run }) => law(name, run));
}
