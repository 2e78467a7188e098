/** Runs a question to its end, telling of each event, and returns its trace; the event loop gets a turn after each, so that Ctrl-C is heard. */
import { type AskOptions, askEvents } from '../../ask.ts';
import type { Trace, TraceEvent } from '../../trace/trace.ts';
import { monotonicClock, takeTurns } from '../clock.ts';
import { withTimeLimit } from '../time-limit.ts';

export async function watchRun(question: string, options: AskOptions, tell: (event: TraceEvent) => void | Promise<void>): Promise<Trace> {
  const signal = withTimeLimit(options.signal, options.budget?.ms);
  const events = askEvents(question, { ...options, signal }, monotonicClock);
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
