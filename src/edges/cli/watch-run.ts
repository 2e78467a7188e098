/**
 * Runs a question to its end, telling of each event, and returns its trace; the event loop gets a
 * turn after each, so that Ctrl-C is heard.
 */
import { type AskOptions, askEvents } from '../../ask.ts';
import type { Trace, TraceEvent } from '../../trace/trace.ts';
import { monotonicClock, takeTurns } from '../clock.ts';
import { timeLimitOf } from '../time-limit.ts';

export async function watchRun(
  question: string,
  options: AskOptions,
  tell: (event: TraceEvent) => void | Promise<void>,
): Promise<Trace> {
  const events = askEvents(
    question,
    { ...options, ...timeLimitOf(options.budget?.ms) },
    monotonicClock,
  );
  try {
    for (;;) {
      const step = await events.next();
      if (step.done) return step.value;
      await tell(step.value);
      await takeTurns();
    }
  } finally {
    await events.return(undefined as never);
  }
}
