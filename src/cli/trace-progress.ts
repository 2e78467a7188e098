/** Shows how much of trace files was read and verified. */
import { statSync } from 'node:fs';
import type { ByteRange } from '../experiments/trace-reader.ts';
import type { Output } from './output.ts';
import { Progress } from './progress.ts';

export class TraceProgress {
  private readonly progress: Progress;
  /** Bytes of the files before each. */
  private readonly before = new Map<string, number>();
  private readonly total: number;
  private events = 0;

  /** `files`: in the order in which they are read. */
  constructor(output: Output, files: readonly string[]) {
    this.progress = new Progress(output, 'events');
    let total = 0;
    for (const file of files) {
      this.before.set(file, total);
      // A file that is missing is an error of its reader.
      total += statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    }
    this.total = total;
  }

  /** Counts the event of a line. */
  read(file: string, { end }: ByteRange): void {
    const done = (this.before.get(file) ?? 0) + end;
    this.progress.update({ count: ++this.events, done, total: this.total });
  }

  /** Clears the line. */
  end(): void {
    this.progress.end();
  }
}
