/** Chains the events of a run into sealed lines, and passes them to a file and a listener. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { PortError } from '../core/errors.ts';
import { AuditChain, type Heads } from '../core/trace/audit-chain.ts';
import type { TraceEvent } from '../core/trace/trace.ts';
import { REPLACE_UNLINKED } from '../platform/regular-file.ts';
import { sha256 } from '../platform/sha256.ts';
import type { TraceSigner } from './trace-signing.ts';

export class TraceLines {
  private readonly chain: AuditChain;
  private readonly path: string | undefined;
  private readonly signer: TraceSigner | undefined;
  private readonly listen: ((line: string) => void) | undefined;
  private readonly flags: number | string;
  private file: number | undefined;

  /**
   * Opens the file with the first event, so that a refused question leaves an older trace as it is.
   * `full`: writes plain lines with every hit and rejection. `signer`: signs the seal. `unlinked`:
   * fails at a link in the place of the file.
   */
  constructor(
    path: string | undefined,
    {
      full = false,
      listen,
      signer,
      unlinked = false,
    }: {
      readonly unlinked?: boolean;
      readonly full?: boolean;
      readonly listen?: ((line: string) => void) | undefined;
      readonly signer?: TraceSigner | undefined;
    } = {},
  ) {
    this.chain = new AuditChain(sha256, { full });
    this.path = path;
    this.flags = unlinked ? REPLACE_UNLINKED : 'w';
    this.listen = listen;
    this.signer = signer;
  }

  /** Throws `PortError('trace-not-writable')`. */
  add(event: TraceEvent): void {
    this.write(this.chain.line(event));
  }

  /** Writes the seal, and its signature; returns the heads that pin the trace. */
  seal(): Heads {
    const seal = this.chain.seal();
    this.write(seal);
    if (this.signer) this.write(this.signer.line(seal));
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
    return this.chain.now();
  }

  private write(line: string): void {
    this.listen?.(line);
    if (this.path === undefined) return;
    try {
      this.file ??= openSync(this.path, this.flags);
      const bytes = Buffer.from(`${line}\n`);
      for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at);
    } catch (error) {
      throw new PortError(
        'trace',
        'trace-not-writable',
        `The trace "${this.path}" cannot be written`,
        { received: (error as Error).message, cause: error },
      );
    }
  }
}
