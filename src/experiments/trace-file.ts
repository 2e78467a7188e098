/** A file of sealed traces, written as the run goes and closed properly however it ends. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { AuditChain, type Heads } from '../core/trace/audit-chain.ts';
import type { TraceEvent } from '../core/trace/trace.ts';
import { sha256 } from '../platform/sha256.ts';
import type { TraceSigner } from '../session/trace-signing.ts';

const BUFFERED_CHARACTERS = 1 << 20;

export class TraceFile {
  private readonly chain: AuditChain;
  private readonly file: number;
  private readonly signer: TraceSigner | undefined;
  private pending: string[] = [];
  private size = 0;

  /**
   * `full`: writes plain lines with every hit and rejection. `signer`: signs the seal, in a line
   * after it.
   */
  constructor(path: string, full = false, signer?: TraceSigner) {
    this.chain = new AuditChain(sha256, { full });
    this.signer = signer;
    this.file = openSync(path, 'w');
  }

  add(event: TraceEvent): void {
    const line = `${this.chain.line(event)}\n`;
    this.pending.push(line);
    this.size += line.length;
    if (this.size >= BUFFERED_CHARACTERS) this.flush();
  }

  /** Seals, signs and closes the file; returns the heads that pin it. */
  close(): Heads {
    const seal = this.chain.seal();
    this.pending.push(`${seal}\n`);
    if (this.signer) this.pending.push(`${this.signer.line(seal)}\n`);
    this.flush();
    fsyncSync(this.file);
    closeSync(this.file);
    return this.chain.now();
  }

  private flush(): void {
    const bytes = Buffer.from(this.pending.join(''));
    for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at);
    this.pending = [];
    this.size = 0;
  }
}
