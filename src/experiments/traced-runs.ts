/** Cuts a trace file into its runs as they stand, line by line, without checking them. */
import { createReadStream } from 'node:fs';
import type { Json } from '../core/trace/packing/packed-table.ts';
import { Unpacker } from '../core/trace/packing/unpacker.ts';
import type { TraceEvent } from '../core/trace/trace.ts';
import { fileError } from '../platform/file-error.ts';
import { byteLines } from './byte-lines.ts';

/** One run of a file. */
export interface TracedRun {
  /** Id and text of its question; empty where the first line is no question. */
  readonly id: string;
  readonly question: string;
  readonly strategy: string;
  /** Its lines without the seal, each of them JSON; `null` for one that is none. */
  readonly lines: string[];
}

/** Yields the runs of a file in their order, one in memory at a time. Throws for a missing file. */
export async function* tracedRuns(file: string): AsyncGenerator<TracedRun, void, void> {
  let current: TracedRun | undefined;
  for await (const { bytes } of byteLines(chunksOf(file))) {
    const line = bytes?.toString('utf8') ?? '';
    if (line.trim() === '') continue;
    const value = parsed(line);
    if (value !== undefined && ('seal' in value || 'signature' in value)) continue;
    const begun = value === undefined ? undefined : begins(value);
    if (begun) {
      if (current) yield current;
      current = { ...begun, lines: [] };
    }
    // A file without a single event is no trace, however many lines it has.
    if (!current && !(value !== undefined && 'event' in value)) continue;
    current ??= { id: '', question: '', strategy: '', lines: [] };
    current.lines.push(value === undefined ? 'null' : line);
  }
  if (current) yield current;
}

async function* chunksOf(file: string): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* createReadStream(file, { highWaterMark: 1 << 18 });
  } catch (error) {
    throw fileError(file, error);
  }
}

type Line = Readonly<Record<string, unknown>>;

function parsed(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads id, question and strategy of a line that begins a run; undefined for any other. */
function begins({ event, content }: Line): Omit<TracedRun, 'lines'> | undefined {
  if ((event as { type?: unknown } | undefined)?.type !== 'question') return undefined;
  try {
    const plain = content === undefined ? new Unpacker().unpack(event as Json) : event;
    const { question, strategy } = plain as Extract<TraceEvent, { type: 'question' }>;
    return { id: String(question.id), question: String(question.text), strategy: String(strategy) };
  } catch {
    return { id: '', question: '', strategy: '' };
  }
}
