/** Declares a format of traces: a name, how a file of it is known, and how its runs are read. */
import type { TraceEvent } from '../../core/trace/trace.ts';
import type { AgentRun } from './agent-run.ts';

/** A run whose trace has the events of this package. */
export interface EventRun {
  readonly events: readonly TraceEvent[];
}

export interface TraceFormat {
  readonly name: string;
  readonly summary: string;
  /** Tells by a value of a file (its line, an item of its list) if it is of this format. */
  accepts(value: unknown): boolean;
  /** Returns the runs in the values of a file. Leaves out what it does not know; never throws. */
  runs(values: readonly unknown[]): (AgentRun | EventRun)[];
}
