/** Reads what a process and its ended children have spent, as Linux counts it. */
import { readFileSync } from 'node:fs';

/** Ticks of the counters of Linux a second. */
const TICKS = 100;

export interface Spent {
  /** Seconds of CPU: those of other work on the machine do not count. */
  readonly seconds: number;
  /** Most resident memory in bytes. */
  readonly memory: number;
}

export function spentBy(process: number | 'self' = 'self'): Spent {
  const [stat, status] = ['stat', 'status'].map(name =>
    readFileSync(`/proc/${process}/${name}`, 'utf8'),
  );
  // The name of the program, which may have spaces, ends with ")"; utime is the 14th field.
  const fields = stat!.slice(stat!.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  const memory = 1024 * Number(/VmHWM:\s*(\d+)/.exec(status!)![1]);
  return { seconds: ticks / TICKS, memory };
}
