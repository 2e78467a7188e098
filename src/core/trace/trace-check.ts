/** Checks the lines of a trace one by one: their chain, and the laws of their events. */
import { defined } from '../defined.ts';
import { parseJson } from '../text/bounded-json.ts';
import { AuditChain, COMPACT_FORMAT, FULL_FORMAT, type Heads } from './audit-chain.ts';
import { type BrokenLaw, printBrokenLaw } from './broken-law.ts';
import type { Hash } from './hash.ts';
import type { Json } from './packing/packed-table.ts';
import { UnpackError, Unpacker } from './packing/unpacker.ts';
import type { TraceEvent } from './trace.ts';
import { TraceLaws } from './trace-laws.ts';
import { readSignature, type TraceSignature } from './trace-signature.ts';

/** The result of checking a trace line by line. */
export type Checked =
  | {
      readonly ok: true;
      readonly heads: Heads;
      /** The signature after the seal, not checked: its key says who made it. */
      readonly signature?: TraceSignature;
    }
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
  private readonly hash: Hash;
  private readonly from: Heads | undefined;
  private readonly laws = new TraceLaws();
  /** Chains in the format that the first line has. */
  private chain: AuditChain;
  private unpacker = new Unpacker();
  private lines = 0;
  private sealed = false;
  private signature: TraceSignature | undefined;
  private problem: Extract<Checked, { ok: false }> | undefined;

  constructor(hash: Hash, from?: Heads) {
    this.hash = hash;
    // A file that begins with this line has no heads before it, in either format.
    this.from = from && from.count > 0 ? from : undefined;
    this.chain = this.chainOf(false);
  }

  /**
   * Returns the event of the next line, passed without its line end; undefined for the seal, and
   * from the first invalid line on.
   */
  next(line: string): TraceEvent | undefined {
    this.lines++;
    if (this.problem) return undefined;
    if (this.sealed) return this.afterSeal(line);
    const parsed = this.parsed(line);
    if (parsed === undefined) return this.fail('this line is not a line of a trace');
    if ('seal' in parsed) {
      this.sealed = true;
      if (this.chain.seal() === line) return undefined;
      return this.fail(
        'the seal does not fit the lines before it: a line is missing, added, changed or moved',
      );
    }
    if (this.chain.lineOf(parsed) !== line)
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
    const signed = this.signature ? { signature: this.signature } : {};
    if (expectHead === undefined || expectHead === heads.content || expectHead === heads.line)
      return { ok: true, heads, ...signed };
    const others = `the trace is sound in itself but has other heads (content ${heads.content}, line ${heads.line})`;
    return {
      ok: false,
      line: heads.count + 1,
      problem: `${others} than the expected ${expectHead}`,
    };
  }

  /** Only one line may follow the seal: its signature. */
  private afterSeal(line: string): undefined {
    if (!this.signature) this.signature = readSignature(line, this.chain.seal());
    else return this.fail('lines follow the signature');
    if (!this.signature) this.fail('lines follow the seal, and the first is no signature of it');
  }

  private chainOf(full: boolean): AuditChain {
    return new AuditChain(this.hash, defined({ full, from: this.from || undefined }));
  }

  /** Returns the event or the seal of a line; undefined if it is no line of a trace. */
  private parsed(line: string): TraceEvent | { readonly seal: string } | undefined {
    const value = objectOf(line);
    if (!value) return undefined;
    if (this.lines === 1)
      this.chain = this.chainOf('content' in value && value['seal'] !== COMPACT_FORMAT);
    if ('seal' in value) return value as { seal: string };
    const { event, ms } = value;
    if (typeof event !== 'object' || event === null || typeof ms !== 'number') return undefined;
    if (this.chain.format === FULL_FORMAT) return { ...event, ms } as TraceEvent;
    return this.unpacked(event as Json, ms);
  }

  private unpacked(packed: Json, ms: number): TraceEvent | undefined {
    if ((packed as { readonly type?: unknown }).type === 'question') this.unpacker = new Unpacker();
    try {
      const event = this.unpacker.unpack(packed);
      return typeof event === 'object' ? ({ ...event, ms } as unknown as TraceEvent) : undefined;
    } catch (error) {
      if (error instanceof UnpackError) return undefined;
      throw error;
    }
  }

  private fail(problem: string, broken?: BrokenLaw): undefined {
    this.problem = defined({ ok: false, line: this.lines, problem, broken: broken || undefined });
  }
}

function objectOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseJson(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
