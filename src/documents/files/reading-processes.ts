/** Reads files of formats whose libraries may hang or grow in processes of their own. */
import { coresForWork } from '../../platform/cores.ts';
import type { DetectedFormat, Format } from '../format.ts';
import { Ended, ReadingProcess } from './isolated.ts';
import { type Limits, printBytes, type Source } from './source.ts';

/** Largest file that is read before its turn. */
export const AHEAD_BYTES: number = 4 << 20;

/** Processes that read files, each one file after another. They end when they are disposed. */
export class ReadingProcesses implements AsyncDisposable {
  /** Number of processes at most. */
  readonly most: number = coresForWork();
  private readonly all: ReadingProcess[] = [];
  private readonly idle: ReadingProcess[] = [];
  private readonly waiting: ((process: ReadingProcess) => void)[] = [];
  private isOver = false;

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
