/** Drives a run to its end. */
import { drain } from '../core/steps.ts';
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
  return drain(events, async event => {
    await onEvent(event);
    if (due()) await turn();
  });
}
