/** Runs `askEvents` by the clock of this machine. */

import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import { monotonicClock, takeTurns } from '../platform/clock.ts';
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
  const { answerAt = DEFAULTS.answerAt } = options;
  const machine = { over, startedAt, turn: takeTurns };
  return yield* askEvents(question, { ...options, answerAt }, monotonicClock, machine);
}
