/** Runs `askEvents` by the clock of this machine, and drives a run to its end. */

import { drain } from '../core/steps.ts';
import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import { monotonicClock, takeTurns, turnsOfWork } from '../platform/clock.ts';
import { TimeLimit } from '../platform/time-limit.ts';
import { type AskOptions, askEvents, DEFAULTS } from '../run/ask.ts';

/** Returns the events of one run, and disposes of its time. */
export async function* timedAsk(
  question: string,
  options: AskOptions,
  time: TimeLimit = new TimeLimit(options.budget?.ms),
): AsyncGenerator<TraceEvent, Trace, void> {
  using limit = time;
  const { over, startedAt } = limit;
  const { answerAt = DEFAULTS.answerAt, fallback = true } = options;
  const machine = { over, startedAt, turn: takeTurns };
  return yield* askEvents(question, { ...options, answerAt, fallback }, monotonicClock, machine);
}

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
