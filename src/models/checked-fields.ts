/**
 * What files of weights are made of, checked field by field: `bad` makes the error of the file's
 * own kind.
 */
import type { InputError } from '../errors.ts';

export type Bad = (what: string, expected: string, received: unknown) => InputError;

export function recordField(value: unknown, what: string, bad: Bad): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw bad(what, 'an object', value);
}

export function finiteField(value: unknown, what: string, bad: Bad): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw bad(what, 'a finite number', value);
}
