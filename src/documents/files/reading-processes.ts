/**
 * Reads files in processes of their own: those of formats whose libraries may hang or grow, and
 * small ones of other formats once many were read.
 */
import { coresForWork } from '../../platform/cores.ts';
import type { DetectedFormat, Format } from '../format.ts';
import { Ended, ReadingProcess } from './isolated.ts';
import { type Limits, printBytes, type Source } from './source.ts';

/** Bytes that are read in half a second; the start of a process takes a fifth. */
const READ_HERE = 4 << 20;
/** Largest file that is read before its turn. */
export const AHEAD_BYTES: number = 4 << 20;

/** Processes that read files, each one file after another. They end when they are disposed. */
export class ReadingProcesses implements AsyncDisposable {
  /** Number of processes at most. */
  readonly most: number = coresForWork();
  private readonly all: ReadingProcess[] = [];
  private readonly idle: ReadingProcess[] = [];
  private readonly waiting: ((process: ReadingProcess) => void)[] = [];
  private here = 0;
  private isOver = false;
  /** The first process starts, or has read a file. */
  private first: 'starts' | 'reads' | undefined;

  /** Yields what an isolated format reads; a file that meets a limit is skipped. */
  async *read(
    format: Format,
    source: Source,
    limits: Limits,
  ): AsyncGenerator<DetectedFormat, void, void> {
    const { documentBytes } = limits;
    if (source.size > documentBytes)
      return yield { type: 'skipped', reason: `larger than ${printBytes(documentBytes)}` };
    try {
      yield* this.readBy(format, source, limits);
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      yield { type: 'skipped', reason: error.message };
    }
  }

  /**
   * Returns what a format reads of a small file that needs no process, once many were read;
   * undefined for a file that is to be read in this one, such as one that fails there.
   */
  async readSmall(
    format: Format,
    source: Source,
    limits: Limits,
  ): Promise<DetectedFormat[] | undefined> {
    if (this.most < 2 || format.records || source.size > AHEAD_BYTES) return undefined;
    this.here += source.size;
    if (this.first === 'starts' || this.here < READ_HERE) return undefined;
    this.first ??= 'starts';
    const found: DetectedFormat[] = [];
    try {
      for await (const each of this.readBy(format, source, limits)) found.push(each);
      this.first = 'reads';
      // An error loses its class on the way.
      return found.some(each => 'error' in each) ? undefined : found;
    } catch {
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isOver = true;
    await Promise.all(this.all.map(process => process[Symbol.asyncDispose]()));
  }

  private async *readBy(
    format: Format,
    source: Source,
    limits: Limits,
  ): AsyncGenerator<DetectedFormat, void, void> {
    const process = await this.taken();
    try {
      // Otherwise a reading that was begun ahead would start a process anew.
      if (this.isOver) throw new Ended('nobody waits for it');
      yield* process.read(format, source, limits);
    } finally {
      const next = this.waiting.shift();
      if (next) next(process);
      else this.idle.push(process);
    }
  }

  private taken(): Promise<ReadingProcess> | ReadingProcess {
    const idle = this.idle.pop();
    if (idle) return idle;
    if (this.all.length === this.most) return new Promise(resolve => this.waiting.push(resolve));
    const process = new ReadingProcess();
    this.all.push(process);
    return process;
  }
}
