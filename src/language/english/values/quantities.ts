/**
 * Reads a value of a setting as a quantity that can be compared: a number of seconds, of bytes, a
 * bare number, a version, a day, or on and off.
 */

import { truthOf } from './polarity.ts';
import { numberOf, SECONDS } from './units.ts';

export type Dimension = 'time' | 'bytes' | 'number' | 'version' | 'date' | 'truth' | 'word';

export interface Quantity {
  readonly dimension: Dimension;
  /** In seconds, bytes, or as it stands; a version part by part, a date by year, month and day. */
  readonly parts: readonly number[];
  /** The words of a value that is no number. */
  readonly word: string;
}

/** Powers of 1,024, by which software counts; a kilobyte is seldom written for 1,000. */
const POWERS = ['', 'k', 'm', 'g', 't'];
const quantity = (dimension: Dimension, parts: readonly number[]): Quantity => ({
  dimension,
  parts,
  word: '',
});

/** Returns undefined for a text that holds no value. */
export function quantityOf(text: string): Quantity | undefined {
  const value = text.trim().replace(/^["'“‘`]|["'”’`]$/gu, '');
  return dateOf(value) ?? productOf(value) ?? measureOf(value) ?? versionOf(value) ?? wordOf(value);
}

function dateOf(value: string): Quantity | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/u.exec(value);
  return match ? quantity('date', match.slice(1).map(Number)) : undefined;
}

/** "1024**2", "10 * 1024", as code states sizes. */
function productOf(value: string): Quantity | undefined {
  const power = /^(\d+)\s*\*\*\s*(\d)\b\s*(bytes)?$/iu.exec(value);
  if (power) return quantity(power[3] ? 'bytes' : 'number', [Number(power[1]) ** Number(power[2])]);
  if (!/^\d+(?:\s*\*\s*\d+)+$/u.test(value)) return undefined;
  return quantity('number', [value.split('*').reduce((all, each) => all * Number(each), 1)]);
}

const MEASURE =
  /^(?<num>-?\d+(?:[,_]\d{3})+|-?\d+(?:\.\d+)?|\p{L}+)(?:[\s-]*(?<unit>\p{L}+))?(?:\s*\([^()]*\))?$/u;

function measureOf(value: string): Quantity | undefined {
  const { num = '', unit } = MEASURE.exec(value)?.groups ?? {};
  const number = numberOf(num);
  if (number === undefined) return undefined;
  if (unit === undefined) {
    // "1048576 (1 MiB)", "72000 (72 seconds)": the parenthesis says what the number counts.
    const inside = /\(([^()]*)\)$/u.exec(value)?.[1]?.trim() ?? '';
    const measured = /^\d/u.test(inside) ? measureOf(inside) : undefined;
    return measured && measured.dimension !== 'number' ? measured : quantity('number', [number]);
  }
  const lower = unit.toLowerCase();
  const seconds = SECONDS[lower] ?? SECONDS[lower.replace(/s$/u, '')];
  if (seconds !== undefined) return quantity('time', [number * seconds]);
  const bytes = /^(?:(k|m|g|t)i?b|(k|m|g|t)|b|(?:(kilo|mega|giga|tera))?bytes?)$/u.exec(lower);
  if (!bytes) return quantity('number', [number]);
  const power = POWERS.indexOf((bytes[1] ?? bytes[2] ?? bytes[3] ?? '').slice(0, 1));
  return quantity('bytes', [number * 1024 ** power]);
}

function versionOf(value: string): Quantity | undefined {
  const match = /^v?(\d+(?:\.\d+)+)(?:\.x)?\+?$/iu.exec(value);
  return match ? quantity('version', match[1]!.split('.').map(Number)) : undefined;
}

function wordOf(value: string): Quantity | undefined {
  const truth = /^[\p{L}]+$/u.test(value) ? truthOf(value) : undefined;
  if (truth !== undefined && !/^(?:none|null|undefined|never|always|no)$/iu.test(value))
    return quantity('truth', [Number(truth)]);
  const word = value
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return word === '' ? undefined : { dimension: 'word', parts: [], word };
}

/** A version of two parts reads as a number too: "3.10" against "3.9.1". */
export function asVersion(value: string): Quantity | undefined {
  const match = /^v?(\d+(?:\.\d+)*)(?:\.x)?\+?$/iu.exec(value.trim());
  return match ? quantity('version', match[1]!.split('.').map(Number)) : undefined;
}

/** Returns the sign of a less b; undefined if they have no common dimension or no order. */
export function compareQuantities(a: Quantity, b: Quantity): number | undefined {
  if (a.dimension !== b.dimension) return undefined;
  if (a.dimension === 'word') return a.word === b.word ? 0 : undefined;
  for (let at = 0; at < Math.max(a.parts.length, b.parts.length); at++) {
    const difference = (a.parts[at] ?? 0) - (b.parts[at] ?? 0);
    if (Math.abs(difference) > 1e-9) return Math.sign(difference);
  }
  return 0;
}

/** Returns true or false if the values are equal or differ; undefined if their units differ. */
export function sameQuantity(a: Quantity, b: Quantity): boolean | undefined {
  const order = compareQuantities(a, b);
  if (order !== undefined) return order === 0;
  return a.dimension === b.dimension ? false : undefined;
}
