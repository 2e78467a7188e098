/**
 * Defines the table of a packed trace: values that were written once and are referred to after
 * that. Writer and reader fill equal tables, so that the table itself is never written.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Field of a packed list of objects that holds their keys; `ROWS` holds their values. */
export const KEYS = '=';
export const ROWS = 'rows';
/** Field that holds values which all rows share, by the index of their key. */
export const SAME = 'same';
/** First character of a packed text that is not written as it is. */
export const MARK = '~';

/** Stands in ids between the document and its part. */
const PART = '#';

/** Returns the beginning of the id of a part: its document's. */
export function wholeOf(text: string): string | undefined {
  const at = text.lastIndexOf(PART);
  return at < 0 ? undefined : text.slice(0, at);
}

/** Lengths in characters of JSON from which on a reference is shorter than the value. */
const LEAST_TEXT = 5;
const LEAST_NUMBER = 10;
const LEAST_FLAT = 9;
/** Keys below it are names of fields and stay readable, unless they are ids of parts. */
const LEAST_KEY = 16;

/** Returns true for a key, plain or packed, that is packed as texts are. */
export const isLongKey = (key: string): boolean => key.length >= LEAST_KEY || key.includes(PART);

export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const isPlain = (value: Json): boolean => typeof value !== 'object' || value === null;
const isShallow = (value: Json): boolean =>
  isPlain(value) || (isList(value) && value.every(isPlain));

/**
 * Returns the text by which the table knows a value; undefined for a value that the table does not
 * hold. Objects and lists are held if they hold plain values or lists of them only: references to
 * deeper ones could make a short line a value of any size.
 */
export function tableKey(value: Json): string | undefined {
  if (typeof value === 'string') return value.length >= LEAST_TEXT ? `"${value}` : undefined;
  if (isPlain(value) && typeof value !== 'number') return undefined;
  if (isList(value) && !value.every(isShallow)) return undefined;
  if (isObject(value) && !Object.values(value).every(isShallow)) return undefined;
  const json = JSON.stringify(value);
  return json.length >= (typeof value === 'number' ? LEAST_NUMBER : LEAST_FLAT) ? json : undefined;
}

/** The least number of rows from which on shared values are written once. */
export const LEAST_ROWS = 4;

/** Returns true if a list is packed as keys and rows: of several objects, none of them empty. */
export const hasRows = (list: readonly Json[]): list is readonly JsonObject[] =>
  list.length > 1 && list.every(item => isObject(item) && Object.keys(item).length > 0);
