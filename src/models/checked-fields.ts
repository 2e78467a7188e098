/** Validates the fields of weight files. `bad` creates the error of the file's own kind. */
import { describeValue, InputError } from '../core/errors.ts';

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

/** Returns the errors of a checkpoint, which are for "the open reader". */
export const badCheckpoint =
  (whose: string): Bad =>
  (field, expected, received) =>
    new InputError('bad-checkpoint', `Invalid checkpoint of ${whose}: ${field}`, {
      expected,
      received: describeValue(received),
    });

/** Returns the fields of a checkpoint of the format, and its provenance. */
export function checkpointFields(
  json: unknown,
  format: string,
  bad: Bad,
): { readonly all: Record<string, unknown>; readonly provenance: Provenance } {
  const all = recordField(json, 'the checkpoint', bad);
  if (all['format'] !== format) throw bad('its format', `"${format}"`, all['format']);
  return { all, provenance: recordField(all['provenance'], 'provenance', bad) };
}

/** Free-form: data with hashes, settings and figures of what was held out; no times. */
export type Provenance = Readonly<Record<string, unknown>>;

const DIGITS = 3;
/** Three digits of a weight are kept: more are noise of the fit. */
export const rounded = (value: number): number => Number(value.toFixed(DIGITS));
