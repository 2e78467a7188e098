/**
 * JSON: a list of records, `{ "documents": [...] }`, or one record; JSONL: one record a line, read
 * as a stream. Content decides which of them it is.
 */
import { InputError } from '../../core/errors.ts';
import { decodeLine, readText } from '../files/decode.ts';
import { type Limits, printBytes, type Source } from '../files/source.ts';
import type { DetectedFormat, Format } from '../format.ts';
import { parseJson } from '../records/json-text.ts';
import { splitLines } from '../records/lines.ts';
import { documentFromRecord, isFields } from '../records/record.ts';

/** A value of a file of records: where it stands, and what it is or why it was not read. */
export interface Value {
  readonly line?: number;
  /** Position in the list, from 0. */
  readonly index?: number;
  readonly value?: unknown;
  readonly skipped?: string;
  /** The error of a line that is not JSON. */
  readonly error?: InputError;
  /** The only value of its file. */
  readonly alone?: boolean;
}

export const json: Format = {
  name: 'json',
  extensions: ['json'],
  records: true,
  summary: 'a list of objects, {"documents": [...]}, or one object',
  read: (source, limits) => readRecords(source, limits, 'json'),
};

export const jsonl: Format = {
  name: 'jsonl',
  extensions: ['jsonl', 'ndjson'],
  records: true,
  summary: 'one JSON object a line, read line by line',
  read: (source, limits) => readRecords(source, limits, 'jsonl'),
};

async function* readRecords(
  source: Source,
  limits: Limits,
  format: 'json' | 'jsonl',
): AsyncGenerator<DetectedFormat, void, void> {
  const values = readValues(source, limits, format, { badLines: 'skip' });
  for await (const { value, skipped, alone, error, ...place } of values) {
    if (skipped !== undefined) {
      const why = error === undefined ? {} : { error };
      yield { type: 'skipped', reason: skipped, ...place, ...why };
      continue;
    }
    const loaded = isFields(value)
      ? documentFromRecord(value, alone ? source.id : undefined)
      : { skipped: 'not a JSON object' };
    if ('skipped' in loaded) yield { type: 'skipped', reason: loaded.skipped, ...place };
    else yield { type: 'document', ...loaded, ...place };
  }
}

/**
 * The values of a JSON or JSONL file. Throws `InputError('bad-json')` naming file, line and column;
 * on request a line that is not JSON comes with its error instead.
 */
export async function* readValues(
  source: Source,
  limits: Limits,
  format: 'json' | 'jsonl',
  { badLines = 'throw' }: { readonly badLines?: 'throw' | 'skip' } = {},
): AsyncGenerator<Value, void, void> {
  if (await isLines(source, limits, format)) yield* lineValues(source, limits, badLines);
  else yield* listValues(source, limits);
}

/**
 * Tells whether a file holds one value a line; its name decides only where its content does not.
 */
async function isLines(source: Source, limits: Limits, format: 'json' | 'jsonl'): Promise<boolean> {
  let first: string | undefined;
  for await (const { bytes } of splitLines(source.stream(), limits.documentBytes)) {
    if (first !== undefined) return true;
    const text = bytes === undefined ? undefined : decodeLine(bytes);
    if (typeof text !== 'string') return format === 'jsonl';
    first = text.trim();
    if (first.startsWith('[') || first === '{') return false;
    if (!isJson(first) || format === 'jsonl') return format === 'jsonl';
  }
  return false;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function* lineValues(
  source: Source,
  limits: Limits,
  badLines: 'throw' | 'skip',
): AsyncGenerator<Value, void, void> {
  for await (const { line, bytes, size } of splitLines(source.stream(), limits.documentBytes)) {
    const text =
      bytes === undefined
        ? {
            skipped: `a line of ${printBytes(size)}: larger than ${printBytes(limits.documentBytes)}`,
          }
        : decodeLine(bytes);
    if (typeof text === 'string') yield lineValue(text, source.path, line, badLines);
    else {
      yield { line, ...text };
      // A file that begins with NUL bytes is binary as a whole.
      if (line === 1 && bytes?.includes(0)) return;
    }
  }
}

function lineValue(text: string, path: string, line: number, badLines: 'throw' | 'skip'): Value {
  try {
    return { line, value: parseJson(text, path, line) };
  } catch (error) {
    if (badLines === 'throw' || !InputError.is(error)) throw error;
    return { line, skipped: withoutPath(error, path), error };
  }
}

/** Returns what an error says about a file, for a message that names the file already. */
export function withoutPath({ message }: InputError, path: string): string {
  return message.replace(`${JSON.stringify(path)} is `, '');
}

async function* listValues(source: Source, limits: Limits): AsyncGenerator<Value, void, void> {
  const text = await readText(source, limits.jsonBytes);
  if (typeof text !== 'string') return yield text;
  const parsed = parseJson(text, source.path);
  const list =
    isFields(parsed) && Object.hasOwn(parsed, 'documents') && Array.isArray(parsed['documents'])
      ? parsed['documents']
      : parsed;
  if (!Array.isArray(list)) return yield { value: parsed, alone: true };
  if (list.length === 0) yield { skipped: 'an empty list' };
  for (const [index, value] of list.entries()) yield { index, value };
}
