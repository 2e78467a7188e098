/**
 * Writes and verifies traces as JSONL in which every line carries two chained hashes.
 *
 * `content` chains events without times: equal runs have equal heads. `line` chains everything. The
 * last line, the seal, holds the number of lines and both heads, which detects truncation. Only a
 * head stored elsewhere (`expectHead`) detects a full rewrite. A trace whose chain was written anew
 * is still refused if it breaks a law of traces (`TraceLaw`).
 */
import { InputError } from '../errors.ts';
import { type BrokenLaw, printBrokenLaw } from './broken-law.ts';
import type { TraceEvent } from './trace.ts';
import { TraceLaws } from './trace-laws.ts';

/** SHA-256 of a UTF-8 text, in hexadecimal; comes in as a port because the core imports nothing. */
export type Hash = (text: string) => string;

export const TRACE_FORMAT = 'multihop-trace-2';

export interface Heads {
  readonly count: number;
  readonly content: string;
  readonly line: string;
}

/** Turns events into chained lines, one call an event; `seal` gives the last line. */
export class AuditChain {
  private heads: Heads;
  private readonly hash: Hash;

  /** `from`: heads at the end of an earlier part of the chain. */
  constructor(hash: Hash, from?: Heads) {
    this.hash = hash;
    const start = from ? '' : hash(TRACE_FORMAT);
    this.heads = from ?? { count: 0, content: start, line: start };
  }

  /** Returns the next line, without its line end. */
  line(event: TraceEvent): string {
    const { ms, ...content } = event;
    const json = JSON.stringify(content);
    const seq = this.heads.count;
    const contentHash = this.hash(`${this.heads.content}\n${seq}\n${json}`);
    const lineHash = this.hash(`${this.heads.line}\n${contentHash}\n${JSON.stringify(ms)}`);
    this.heads = { count: seq + 1, content: contentHash, line: lineHash };
    return `{"seq":${seq},"ms":${JSON.stringify(ms)},"event":${json},"content":"${contentHash}","line":"${lineHash}"}`;
  }

  /** Returns the last line: the count and both heads. */
  seal(): string {
    return `{"seal":"${TRACE_FORMAT}","count":${this.heads.count},"content":"${this.heads.content}","line":"${this.heads.line}"}`;
  }

  /** Returns the current heads. */
  now(): Heads {
    return this.heads;
  }
}

/**
 * Returns the sealed lines of a list of events, each ended by a newline.
 *
 * @example
 * ```ts
 * import { createHash } from 'node:crypto';
 * import { ask, ingest, type TraceEvent } from 'multihop';
 * import { sealEvents } from 'multihop/trace';
 *
 * const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
 * const engine = await ingest(['Ada wrote the first program.', 'Charles built the engine.']);
 * const events: TraceEvent[] = [];
 * for await (const event of ask('Who built the engine?', { engine })) events.push(event);
 * console.log(sealEvents(events, sha256).split('\n').length);
 * ```
 */
export function sealEvents(events: readonly TraceEvent[], hash: Hash): string {
  const chain = new AuditChain(hash);
  const lines = events.map(event => chain.line(event));
  return `${[...lines, chain.seal()].join('\n')}\n`;
}

export type Verified =
  | { readonly ok: true; readonly heads: Heads; readonly events: readonly TraceEvent[] }
  | {
      readonly ok: false;
      readonly line: number;
      readonly problem: string;
      /** Set if the chain holds and the events contradict each other. */
      readonly broken?: BrokenLaw;
      readonly events: readonly TraceEvent[];
    };

/**
 * Verifies a trace. Every line must equal, byte for byte, what the chain writes for its event,
 * which detects any change, truncation, insertion or reordering; and its events must keep the laws
 * of traces, which need no store to check. `expectHead` is a content or line head that was stored
 * elsewhere.
 *
 * @example
 * ```ts
 * import { createHash } from 'node:crypto';
 * import { ask, ingest, type TraceEvent } from 'multihop';
 * import { sealEvents, verifyTrace } from 'multihop/trace';
 *
 * const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
 * const engine = await ingest(['Ada wrote the first program.', 'Charles built the engine.']);
 * const events: TraceEvent[] = [];
 * for await (const event of ask('Who built the engine?', { engine })) events.push(event);
 * const sealed = sealEvents(events, sha256);
 * console.log(verifyTrace(sealed, sha256).ok); // true
 * console.log(verifyTrace(sealed.replace('engine', 'ship'), sha256)); // names the changed line
 * ```
 */
export function verifyTrace(text: string, hash: Hash, expectHead?: string): Verified {
  const check = new TraceCheck(hash);
  const lines = text.split('\n');
  const cut = lines.pop() !== '';
  const events = lines.flatMap(line => check.next(line) ?? []);
  const found = check.end(cut, expectHead);
  return { ...found, events: cut ? [] : events };
}

/** The result of checking a trace line by line. */
export type Checked =
  | { readonly ok: true; readonly heads: Heads }
  | {
      readonly ok: false;
      readonly line: number;
      readonly problem: string;
      readonly broken?: BrokenLaw;
    };

/**
 * Checks the lines of a trace as a stream, their chain and their laws. `from`: heads before the
 * first line, for a part of a file that begins with a question.
 */
export class TraceCheck {
  private readonly chain: AuditChain;
  private readonly laws = new TraceLaws();
  private lines = 0;
  private sealed = false;
  private problem: Extract<Checked, { ok: false }> | undefined;

  constructor(hash: Hash, from?: Heads) {
    this.chain = new AuditChain(hash, from);
  }

  /**
   * Returns the event of the next line, passed without its line end; undefined for the seal, and
   * from the first invalid line on.
   */
  next(line: string): TraceEvent | undefined {
    this.lines++;
    if (this.problem) return undefined;
    if (this.sealed) return this.fail('lines follow the seal');
    const parsed = parseLine(line);
    if (parsed === undefined) return this.fail('this line is not a line of a trace');
    if ('seal' in parsed) {
      this.sealed = true;
      if (this.chain.seal() === line) return undefined;
      return this.fail(
        'the seal does not fit the lines before it: a line is missing, added, changed or moved',
      );
    }
    if (this.chain.line(parsed) !== line)
      return this.fail(
        'this line is not what was written here: it was changed, moved, added, or a line before it is missing',
      );
    const broken = this.laws.next(parsed);
    return broken ? this.fail(printBrokenLaw(broken), broken) : parsed;
  }

  /** Records that the next line could not be read, with the reason. */
  refuse(problem: string): void {
    this.lines++;
    if (!this.problem) this.fail(problem);
  }

  /** Returns the heads after the last valid line. */
  now(): Heads {
    return this.chain.now();
  }

  /** Returns the result. `cut`: there is text after the last line end. */
  end(cut: boolean, expectHead?: string): Checked {
    const after = (problem: string): Checked => ({ ok: false, line: this.lines + 1, problem });
    if (cut) return after('the file does not end with a line end: its last line was cut');
    if (this.problem) return this.problem;
    if (!this.sealed) return after('the seal is missing: the trace was cut, or its run was killed');
    const heads = this.chain.now();
    if (expectHead === undefined || expectHead === heads.content || expectHead === heads.line)
      return { ok: true, heads };
    const others = `the trace is sound in itself but has other heads (content ${heads.content}, line ${heads.line})`;
    return { ok: false, line: this.lines, problem: `${others} than the expected ${expectHead}` };
  }

  private fail(problem: string, broken?: BrokenLaw): undefined {
    this.problem = { ok: false, line: this.lines, problem, ...(broken ? { broken } : {}) };
  }
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

/** Splits the events of a verified file by question. */
export function splitTraces(events: readonly TraceEvent[]): TraceEvent[][] {
  const traces: TraceEvent[][] = [];
  for (const event of events) {
    if (event.type === 'question') traces.push([]);
    const current = traces.at(-1);
    if (!current)
      throw new InputError('bad-trace', 'A trace must begin with its question', {
        received: `an event of type "${event.type}"`,
      });
    current.push(event);
  }
  return traces;
}
