/** Values as reports print them: shares in percent, counts and tokens as they are. */
import { InputError } from '../../core/errors.ts';
import { CONTROL_FIGURES } from '../control-figures.ts';
import type { Estimate } from '../evaluation-result.ts';
import type { Measure, MeasureUnit } from '../example.ts';
import { measure } from '../measures.ts';

/** Reciprocal ranks and average precision are shares by range, but papers print them so. */
const PRINTED_AS_SHARE = /^(?:ReciprocalRank|MRR@|MAP@)/;

/** Returns unit and table of a measure, or of a figure of controls, by its name. */
export function measureOf(name: string): Pick<Measure, 'unit' | 'table'> | undefined {
  if (CONTROL_FIGURES.includes(name)) return { table: 'answers' };
  try {
    return measure(name);
  } catch (error) {
    if (InputError.is(error)) return undefined;
    throw error;
  }
}

/** Returns the unit of a measure by its name; a count for one that the family does not know. */
export function unitOf(name: string): MeasureUnit {
  const known = measureOf(name);
  return known ? (known.unit ?? 'share') : 'count';
}

/** Tells whether a value is printed in percent. */
export const inPercent = (name: string): boolean =>
  unitOf(name) === 'share' && !PRINTED_AS_SHARE.test(name);

/**
 * `62.75` for a share of 0.6275, `0.853` for a reciprocal rank, `509.7` tokens, `4.70` documents;
 * an en dash for no value.
 */
export function formatValue(name: string, value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '–';
  if (inPercent(name)) return (value * 100).toFixed(2);
  if (PRINTED_AS_SHARE.test(name) || unitOf(name) === 'coefficient') return value.toFixed(3);
  if (name === 'EMPer100Tokens') return (value * 100).toFixed(2);
  // A cent buys many calls of a small model.
  if (unitOf(name) === 'usd') return value.toFixed(6);
  return value.toFixed(unitOf(name) === 'tokens' ? 1 : 2);
}

/** With its sign; points for shares. */
export function formatDelta(name: string, value: number | undefined): string {
  if (value === undefined) return '–';
  const text = formatValue(name, Math.abs(value));
  return /^[0.]+$/.test(text) ? text : `${value < 0 ? '−' : '+'}${text}`;
}

/**
 * Fewest questions whose interval is printed. A resample of a few questions repeats them: two right
 * answers of two give [100, 100], although the true share may be anything above a third.
 */
export const LEAST_QUESTIONS = 20;

/**
 * The value with its interval, and with that of clusters where there is one. Of few questions, and
 * of questions that all score the same, it is the value and their number.
 */
export function formatEstimate(
  name: string,
  {
    mean,
    clustered,
    n,
    ...interval
  }: Pick<Estimate, 'mean' | 'low' | 'high' | 'clustered'> & Partial<Pick<Estimate, 'n'>>,
): string {
  if (n !== undefined && n < LEAST_QUESTIONS) return `${formatValue(name, mean)} (n=${n})`;
  // Resamples of equal scores are equal: that shows nothing of other questions.
  if (n !== undefined && interval.low === interval.high)
    return `${formatValue(name, mean)} (n=${n}, all alike)`;
  const wide = clustered ? ` ${formatInterval(name, clustered)}` : '';
  return `${formatValue(name, mean)} ${formatInterval(name, interval)}${wide}`;
}

/** The value with its interval and the number of questions, which stands there once. */
export function formatCounted(name: string, estimate: Estimate): string {
  const text = formatEstimate(name, estimate);
  return text.includes('(n=') ? text : `${text} (n=${estimate.n})`;
}

export function formatInterval(
  name: string,
  { low, high }: { readonly low: number; readonly high: number },
): string {
  return `[${formatValue(name, low)}, ${formatValue(name, high)}]`;
}
