/** Chains the events of a run into sealed lines, and passes them to a file and a listener. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { PortError } from '../../errors.ts';
import { AuditChain, type Heads } from '../../trace/audit-chain.ts';
import type { TraceEvent } from '../../trace/trace.ts';
import { sha256 } from '../sha256.ts';

export class TraceLines {
  private readonly chain: AuditChain;
  private readonly path: string | undefined;
  private readonly listen: ((line: string) => void) | undefined;
  private file: number | undefined;

  /**
   * Opens the file with the first event, so that a refused question leaves an older trace as it is.
   * `full`: writes plain lines with every hit and rejection.
   */
  constructor(
    path: string | undefined,
    {
      full = false,
      listen,
    }: { readonly full?: boolean; readonly listen?: ((line: string) => void) | undefined } = {},
  ) {
    this.chain = new AuditChain(sha256, { full });
    this.path = path;
    this.listen = listen;
  }

  /** Throws `PortError('trace-not-writable')`. */
  add(event: TraceEvent): void {
    this.write(this.chain.line(event));
  }

  /** Writes the last line and returns the heads that pin the trace. */
  seal(): Heads {
    this.write(this.chain.seal());
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
    return this.chain.now();
  }

  private write(line: string): void {
    this.listen?.(line);
    if (this.path === undefined) return;
    try {
      this.file ??= openSync(this.path, 'w');
      const bytes = Buffer.from(`${line}\n`);
      for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at);
    } catch (error) {
      throw new PortError(
        'trace',
        'trace-not-writable',
        `The trace "${this.path}" cannot be written`,
        {
          received: (error as Error).message,
          cause: error,
        },
      );
    }
  }
}
