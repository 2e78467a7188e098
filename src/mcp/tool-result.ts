/** Turns replies and errors of tools into results of a bounded length. */

import { defined } from '../core/defined.ts';
import { isBug, type Problem, problemOf } from '../session/requests/problem.ts';
import type { Redact } from '../session/requests/redact.ts';
import { boundedRecord, sizeOf, wholeCharacters } from './bounded-record.ts';
import type { CallToolResult } from './sdk.ts';
import type { ToolReply } from './tool.ts';

/** UTF-16 units of a whole result: some 15,000 tokens. */
export const MOST_RESULT = 60_000;
/** UTF-16 units of JSON around text and fields. */
export const FRAME = 300;

/** A result in words and as a record. */
export interface TextResult extends CallToolResult {
  content: [{ type: 'text'; text: string }];
  structuredContent: Readonly<Record<string, unknown>>;
}

export function toolResult({ fields, cuts, text }: ToolReply, most: number): TextResult {
  const room = most - FRAME;
  const whole = text(fields);
  if (sizeOf(fields) + sizeOf(whole) <= room) return resultOf(fields, whole);
  const shown = boundedRecord(fields, cuts, Math.floor(room / 2));
  return resultOf(shown, `${wordsLeftOut(shown)}${text(shown)}`, room);
}

function resultOf(
  fields: Readonly<Record<string, unknown>>,
  text: string,
  room: number = Number.POSITIVE_INFINITY,
): TextResult {
  const left = room - sizeOf(fields);
  return {
    content: [{ type: 'text', text: sizeOf(text) <= left ? text : shortText(text, left) }],
    structuredContent: fields,
  };
}

const ENDS = '\n(The text ends here for its length; the structured result holds more.)';

/** JSON escapes make a text longer: halves it until it fits. */
function shortText(text: string, room: number): string {
  for (let units = Math.max(0, room - ENDS.length - 2); ; units = Math.floor(units / 2)) {
    const short = `${text.slice(0, wholeCharacters(text, units))}${ENDS}`;
    if (units === 0 || sizeOf(short) <= room) return short;
  }
}

function wordsLeftOut(fields: Readonly<Record<string, unknown>>): string {
  const leftOut = (fields['leftOut'] ?? []) as readonly {
    readonly [name in 'field' | 'left' | 'of' | 'readOn']: unknown;
  }[];
  const parts = leftOut.map(
    ({ field, left, of, readOn }) => `${field}: ${left} of ${of} (${readOn})`,
  );
  return parts.length === 0 ? '' : `Left out for length: ${parts.join('; ')}.\n\n`;
}

export interface Reporting {
  /** Hides secrets and paths of this machine in messages. */
  readonly redact: Redact;
  /** Receives the stack of a bug. */
  readonly log?: (line: string) => void;
}

/** Returns the problem of an error; a bug is logged, not shown. */
export function reported(error: unknown, { redact, log }: Reporting): Problem {
  if (isBug(error)) log?.(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return problemOf(error, redact);
}

/** Returns the code and the message, which ends with what to do. */
export function errorResult(error: unknown, reporting: Reporting): CallToolResult {
  const { code, detail, hint } = reported(error, reporting);
  const retryable = (error as { readonly retryable?: unknown } | null)?.retryable === true;
  return {
    content: [{ type: 'text', text: `${code}: ${detail}` }],
    isError: true,
    _meta: { 'multihop/error': defined({ code, hint, retryable }) },
  };
}
