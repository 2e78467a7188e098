/** Keeps the traces of finished runs by id, the newest ones, within a number of bytes. */
import { randomUUID } from 'node:crypto';
import { defined } from '../../core/defined.ts';
import { AuditChain, type Heads } from '../../core/trace/audit-chain.ts';
import type { Answer, Trace, TraceEvent } from '../../core/trace/trace.ts';
import { sha256 } from '../../platform/sha256.ts';

/** Default of the bytes that all kept traces take together. */
export const TRACE_BYTES: number = 64 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** Longest answer in a list of traces. */
const SHOWN_CHARACTERS = 500;

/** A kept trace in one line of a list. */
export interface TraceSummary {
  readonly id: string;
  readonly question: string;
  readonly strategy: string;
  readonly answer: Pick<Answer, 'kind'> & { readonly text?: string; readonly reason?: string };
  readonly hops: number;
  readonly ms: number;
  readonly stopped?: Trace['stopped'];
}

interface KeptTrace {
  readonly summary: TraceSummary;
  readonly lines: Uint8Array;
}

/**
 * Chains the events of one run into the lines of a full trace. They are kept as UTF-8: one sign
 * beyond Latin-1, such as a curved quotation mark, doubles the bytes of a JavaScript text.
 */
export class TraceDraft {
  readonly id: string = randomUUID();
  private readonly chain = new AuditChain(sha256, { full: true });
  private readonly lines: Uint8Array[] = [];

  /** Returns the line of the event, without its line end. */
  add(event: TraceEvent): string {
    const line = this.chain.line(event);
    this.push(line);
    return line;
  }

  /** Ends the lines with their seal. */
  seal(): Heads {
    this.push(this.chain.seal());
    return this.chain.now();
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.lines);
  }

  private push(line: string): void {
    // Not `allocUnsafe`: small buffers are parts of a large one, which each of them would keep.
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(line) + 1);
    bytes.write(line);
    bytes[bytes.length - 1] = LINE_FEED;
    this.lines.push(bytes);
  }
}

export class TraceShelf {
  private readonly kept = new Map<string, KeptTrace>();
  private readonly most: number;
  private bytes = 0;

  constructor(most: number = TRACE_BYTES) {
    this.most = most;
  }

  /** Keeps a sealed draft; drops the oldest traces beyond the limit. */
  keep(draft: TraceDraft, trace: Trace): void {
    const lines = draft.bytes;
    this.kept.set(draft.id, { summary: summaryOf(draft.id, trace), lines });
    this.bytes += lines.length;
    for (const [id, { lines: old }] of this.kept) {
      if (this.bytes <= this.most) return;
      this.kept.delete(id);
      this.bytes -= old.length;
    }
  }

  /** Newest first. */
  list(limit: number): TraceSummary[] {
    const all = [...this.kept.values()].reverse().slice(0, limit);
    return all.map(({ summary }) => summary);
  }

  /** Returns the lines of a trace, with its seal; undefined if it is not kept. */
  lines(id: string): string | undefined {
    const lines = this.kept.get(id)?.lines;
    return lines && new TextDecoder().decode(lines);
  }
}

function summaryOf(id: string, trace: Trace): TraceSummary {
  const { question, strategy, answer, hops, ms, stopped } = trace;
  const shown =
    answer.kind === 'abstained'
      ? { kind: answer.kind, reason: answer.reason }
      : { kind: answer.kind, text: answer.text.slice(0, SHOWN_CHARACTERS) };
  return defined({
    id,
    question: question.text,
    strategy,
    answer: shown,
    hops: hops.length,
    ms,
    stopped: stopped || undefined,
  });
}
