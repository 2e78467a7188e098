/** The laws of measures, in the shape of all other laws. */

import type { Measure } from '../evaluation/example.ts';
import { measureLaws as lawsOfMeasures, type MeasureClaims } from '../evaluation/measure-laws.ts';
import { type Law, law } from './law.ts';

export function measureLaws(measure: Measure, claims: MeasureClaims = {}): Law[] {
  return lawsOfMeasures(measure, claims).map(({ name, run }) => law(name, run));
}
