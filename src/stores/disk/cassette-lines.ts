/**
 * Writes and parses the lines of a cassette; a line that differs from its checksum counts as
 * unreadable.
 */

import { defined } from '../../core/defined.ts';
import { parseJson } from '../../core/text/bounded-json.ts';
import type { Cut } from '../../core/trace/answer.ts';
import type { Completion, TokenUsage } from '../../models/language-model.ts';
import type { Price } from '../../models/price.ts';
import type { ContentHash } from '../../models/vector-cache.ts';

export const FORMAT = 'multihop cassette 1';
/** Number of hexadecimal digits of a line's sum. */
const SUM = 16;

interface Header {
  readonly id: string;
  readonly price?: Price;
}

export function headerLine({ id, price }: Header): string {
  return JSON.stringify(defined({ format: FORMAT, model: id, price }));
}

/** Parses a header line; returns undefined for any other line. */
export function readHeaderLine(line: string): Header | undefined {
  if (!line.startsWith('{"format":')) return undefined;
  const header = parsed(line);
  if (header?.['format'] !== FORMAT || typeof header['model'] !== 'string') return undefined;
  const price = readPrice(header['price']);
  return defined({ id: header['model'], price });
}

/** Returns a line without its line end; equal completions have equal bytes. */
export function completionLine(
  key: string,
  { text, usage, finish, cut }: Completion,
  hash: ContentHash,
): string {
  const { input, output, thoughts, estimated } = usage;
  const counts = defined({ input, output, thoughts, estimated });
  const content = defined({ key, text, usage: counts, finish, cut: cut && writtenCut(cut) });
  return JSON.stringify({ ...content, sum: sumOf(content, hash) });
}

/** Parses a completion line; returns undefined if it is cut, damaged or of another kind. */
export function readCompletionLine(
  line: string,
  hash: ContentHash,
): { readonly key: string; readonly completion: Completion } | undefined {
  const value = parsed(line);
  if (!value) return undefined;
  const { key, text, finish, sum } = value;
  const usage = readUsage(value['usage']);
  if (typeof key !== 'string' || typeof text !== 'string' || !usage) return undefined;
  if (finish !== 'stop' && finish !== 'length' && finish !== 'filtered' && finish !== 'other')
    return undefined;
  const cut = value['cut'] ? writtenCut(value['cut']) : undefined;
  const completion = defined<Completion>({ text, usage, finish, cut });
  return sum === sumOf({ key, ...completion }, hash) ? { key, completion } : undefined;
}

/** Returns the fields in the one order of a line. */
const writtenCut = ({ tokens, ms, thinking }: Cut): Cut => defined({ tokens, ms, thinking });

const sumOf = (content: object, hash: ContentHash): string =>
  hash(JSON.stringify(content)).slice(0, SUM);

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseJson(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function readUsage(value: unknown): TokenUsage | undefined {
  const { input, output, thoughts, estimated } = (value ?? {}) as Record<string, unknown>;
  if (!isCount(input) || !isCount(output) || (estimated !== undefined && estimated !== true))
    return undefined;
  return defined({ input, output, thoughts: isCount(thoughts) ? thoughts : undefined, estimated });
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function readPrice(value: unknown): Price | undefined {
  const { input, output, asOf } = (value ?? {}) as Record<string, unknown>;
  if (!isAmount(input) || !isAmount(output)) return undefined;
  return defined({ input, output, asOf: typeof asOf === 'string' ? asOf : undefined });
}

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
