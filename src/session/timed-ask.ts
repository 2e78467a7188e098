/** Runs `askEvents` by the clock of this machine. */

import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import { monotonicClock, takeTurns } from '../platform/clock.ts';
import { limitTime } from '../platform/time-limit.ts';
import { type AskOptions, askEvents, DEFAULTS } from '../run/ask.ts';

/** Returns the events of one run. Its time limit begins at `startedAt`, or with the first event. */
export async function* timedAsk(
  question: string,
  options: AskOptions,
): AsyncGenerator<TraceEvent, Trace, void> {
  const { answerAt = DEFAULTS.answerAt, startedAt = monotonicClock() } = options;
  const { limit, end } = limitTime(options.budget?.ms, startedAt);
  const limited = { ...options, answerAt, startedAt, turn: takeTurns, ...limit };
  try {
    return yield* askEvents(question, limited, monotonicClock);
  } finally {
    end();
  }
}
