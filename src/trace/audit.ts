/**
 * The audit chain: a trace as JSONL in which every line carries two chained hashes.
 *
 * `content` chains what happened, without times: the same script gives the same head. `line` chains everything. The last line, the seal,
 * holds the number of lines and both heads, so that a cut is noticed. A full rewrite is noticed only by who kept a head (`expectHead`).
 */
import { InputError } from '../errors.ts';
import type { TraceEvent } from './trace.ts';

/** SHA-256 of a UTF-8 text, in hexadecimal; comes in as a port because the core imports nothing. */
export type Hash = (text: string) => string;

export const TRACE_FORMAT = 'multihop-trace-1';

export interface Heads {
  readonly count: number;
  readonly content: string;
  readonly line: string;
}

/** Turns events into chained lines, one call an event; `seal` gives the last line. */
export class AuditChain {
  private heads: Heads;
  private readonly hash: Hash;

  constructor(hash: Hash) {
    this.hash = hash;
    const start = hash(TRACE_FORMAT);
    this.heads = { count: 0, content: start, line: start };
  }

  /** The next line, without its line end. */
  line(event: TraceEvent): string {
    const { ms, ...content } = event;
    const json = JSON.stringify(content);
    const seq = this.heads.count;
    const contentHash = this.hash(`${this.heads.content}\n${seq}\n${json}`);
    const lineHash = this.hash(`${this.heads.line}\n${contentHash}\n${JSON.stringify(ms)}`);
    this.heads = { count: seq + 1, content: contentHash, line: lineHash };
    return `{"seq":${seq},"ms":${JSON.stringify(ms)},"event":${json},"content":"${contentHash}","line":"${lineHash}"}`;
  }

  /** The last line: the count and both heads. */
  seal(): string {
    return `{"seal":"${TRACE_FORMAT}","count":${this.heads.count},"content":"${this.heads.content}","line":"${this.heads.line}"}`;
  }

  /** Where the chain stands. */
  now(): Heads {
    return this.heads;
  }
}

/** All lines of a list of events, each ended by a newline, sealed. */
export function sealEvents(events: readonly TraceEvent[], hash: Hash): string {
  const chain = new AuditChain(hash);
  const lines = events.map(event => chain.line(event));
  return `${[...lines, chain.seal()].join('\n')}\n`;
}

export type Verified =
  | { readonly ok: true; readonly heads: Heads; readonly events: readonly TraceEvent[] }
  | { readonly ok: false; readonly line: number; readonly problem: string; readonly events: readonly TraceEvent[] };

/**
 * Checks a trace line by line. Every line must be, byte for byte, what the chain writes for its event, so any change, cut, insertion or
 * reordering is found. `expectHead` is a content or line head that was kept elsewhere.
 */
export function verifyTrace(text: string, hash: Hash, expectHead?: string): Verified {
  const chain = new AuditChain(hash);
  const events: TraceEvent[] = [];
  const lines = text.split('\n');
  const fail = (line: number, problem: string): Verified => ({ ok: false, line, problem, events });
  if (lines.pop() !== '') return fail(lines.length + 1, 'the file does not end with a line end: its last line was cut');
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const parsed = parseLine(line);
    if (parsed === undefined) return fail(number, 'this line is not a line of a trace');
    if ('seal' in parsed) {
      if (chain.seal() !== line)
        return fail(number, 'the seal does not fit the lines before it: a line is missing, added, changed or moved');
      if (number !== lines.length) return fail(number + 1, 'lines follow the seal');
      const heads = chain.now();
      if (expectHead !== undefined && expectHead !== heads.content && expectHead !== heads.line)
        return fail(
          number,
          `the trace is sound in itself but has other heads (content ${heads.content}, line ${heads.line}) than the expected ${expectHead}`,
        );
      return { ok: true, heads, events };
    }
    if (chain.line(parsed) !== line)
      return fail(number, 'this line is not what was written here: it was changed, moved, added, or a line before it is missing');
    events.push(parsed);
  }
  return fail(lines.length + 1, 'the seal is missing: the trace was cut, or its run was killed');
}

function parseLine(line: string): TraceEvent | { readonly seal: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if ('seal' in value) return value as { seal: string };
  const { event, ms } = value as { event?: unknown; ms?: unknown };
  if (typeof event !== 'object' || event === null || typeof ms !== 'number') return undefined;
  return { ...event, ms } as TraceEvent;
}

/** The events of a verified file, one list a question. */
export function splitTraces(events: readonly TraceEvent[]): TraceEvent[][] {
  const traces: TraceEvent[][] = [];
  for (const event of events) {
    if (event.type === 'question') traces.push([]);
    const current = traces.at(-1);
    if (!current)
      throw new InputError('bad-trace', 'A trace must begin with its question', { received: `an event of type "${event.type}"` });
    current.push(event);
  }
  return traces;
}
