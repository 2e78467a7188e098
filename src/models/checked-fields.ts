/** Validates the fields of weight files. `bad` creates the error of the file's own kind. */
import type { InputError } from '../core/errors.ts';

export type Bad = (field: string, expected: string, received: unknown) => InputError;

export function recordField(value: unknown, field: string, bad: Bad): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw bad(field, 'an object', value);
}

export function finiteField(value: unknown, field: string, bad: Bad): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw bad(field, 'a finite number', value);
}
