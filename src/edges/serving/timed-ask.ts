/** Runs `askEvents` by the clock of this machine. */
import { type AskOptions, askEvents, DEFAULTS } from '../../ask.ts';
import type { Trace, TraceEvent } from '../../trace/trace.ts';
import { monotonicClock } from '../clock.ts';
import { timeLimitOf } from '../time-limit.ts';

/** Returns the events of one run. Its time limit begins with the first event. */
export async function* timedAsk(
  question: string,
  options: AskOptions,
): AsyncGenerator<TraceEvent, Trace, void> {
  const { answerAt = DEFAULTS.answerAt } = options;
  const limited = { ...options, answerAt, ...timeLimitOf(options.budget?.ms) };
  return yield* askEvents(question, limited, monotonicClock);
}
