/** Drives a run to its end. */
import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import { turnsOfWork } from '../platform/clock.ts';

/**
 * Passes each event on and returns the trace. The event loop gets a turn after each event, so that
 * signals are handled between two of them.
 */
export async function watchRun(
  events: AsyncGenerator<TraceEvent, Trace, void>,
  onEvent: (event: TraceEvent) => void | Promise<void> = () => {},
): Promise<Trace> {
  const { due, turn } = turnsOfWork();
  try {
    for (;;) {
      const step = await events.next();
      if (step.done) return step.value;
      await onEvent(step.value);
      if (due()) await turn();
    }
  } finally {
    await events.return(undefined as never);
  }
}
