/**
 * Chains the events of traces into lines, in one of two formats.
 *
 * `content` chains events without times: equal runs have equal heads. `line` chains everything. The
 * last line, the seal, holds the number of lines and both heads, which detects truncation.
 */
import type { Hash } from './hash.ts';
import type { Json } from './packing/packed-table.ts';
import { Packer } from './packing/packer.ts';
import { TraceRecorder } from './recorder.ts';
import type { TraceEvent } from './trace.ts';

/**
 * - `multihop-trace-2`: plain events, with every hit and rejection.
 * - `multihop-trace-3`: events as `TraceRecorder` records them, packed as `Packer` packs them.
 */
export type TraceFormat = 'multihop-trace-2' | 'multihop-trace-3';
export const FULL_FORMAT: TraceFormat = 'multihop-trace-2';
export const COMPACT_FORMAT: TraceFormat = 'multihop-trace-3';

/** Digits of the line's hash that a compact line shows; the seal has all 64. */
const SHOWN_DIGITS = 16;

export interface Heads {
  readonly count: number;
  readonly content: string;
  readonly line: string;
}

export interface ChainOptions {
  /** If true, plain lines with every hit and rejection. */
  readonly full?: boolean;
  /** Heads at the end of an earlier part of the chain, which ended with a whole trace. */
  readonly from?: Heads;
}

/** Turns events into chained lines, one call an event; `seal` gives the last line. */
export class AuditChain {
  readonly format: TraceFormat;
  private readonly hash: Hash;
  private readonly recorder: TraceRecorder;
  private heads: Heads;
  private packer = new Packer();

  constructor(hash: Hash, { full = false, from }: ChainOptions = {}) {
    this.hash = hash;
    this.format = full ? FULL_FORMAT : COMPACT_FORMAT;
    this.recorder = new TraceRecorder(hash);
    const start = from ? '' : hash(this.format);
    this.heads = from ?? { count: 0, content: start, line: start };
  }

  /** Returns the next line, without its line end. */
  line(event: TraceEvent): string {
    return this.lineOf(this.format === FULL_FORMAT ? event : this.recorder.recorded(event));
  }

  /** Returns the next line for an event that is recorded already, as a file holds it. */
  lineOf({ ms, ...content }: TraceEvent): string {
    const full = this.format === FULL_FORMAT;
    const json = full ? JSON.stringify(content) : this.packed(content);
    const seq = this.heads.count;
    const time = JSON.stringify(ms);
    const contentHash = this.hash(`${this.heads.content}\n${seq}\n${json}`);
    const lineHash = this.hash(`${this.heads.line}\n${contentHash}\n${time}`);
    this.heads = { count: seq + 1, content: contentHash, line: lineHash };
    const hashes = full
      ? `"content":"${contentHash}","line":"${lineHash}"`
      : `"line":"${lineHash.slice(0, SHOWN_DIGITS)}"`;
    return `{"seq":${seq},"ms":${time},"event":${json},${hashes}}`;
  }

  /** Returns the last line: the count and both heads. */
  seal(): string {
    return `{"seal":"${this.format}","count":${this.heads.count},"content":"${this.heads.content}","line":"${this.heads.line}"}`;
  }

  /** Returns the current heads. */
  now(): Heads {
    return this.heads;
  }

  private packed(content: object): string {
    // Each trace is packed by itself, so that it can be read without those before it.
    if ((content as { readonly type: string }).type === 'question') this.packer = new Packer();
    // Read as JSON: without `undefined`, and with `null` for numbers that JSON does not have.
    return JSON.stringify(this.packer.pack(JSON.parse(JSON.stringify(content)) as Json));
  }
}
