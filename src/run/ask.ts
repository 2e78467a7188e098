/**
 * Answers a question: runs a strategy and a reader as a generator of trace events. The only place
 * where budgets are enforced.
 */

import { defined } from '../core/defined.ts';
import { linkedSignal } from '../core/trace/linked-signal.ts';
import type { Hop, Trace, TraceEvent } from '../core/trace/trace.ts';
import { traceOf } from '../core/trace/trace.ts';
import type { Strategy } from '../strategies/strategy.ts';
import type { AskOptions, Clock, RunTime } from './ask-options.ts';
import { conclude, gather, unreadable, withoutReading } from './conclude.ts';
import { holdSnapshots } from './held-snapshots.ts';
import { type OpenRun, openRun, type UnopenedRun } from './open-run.ts';
import { type Pulled, pullHops } from './pull-hops.ts';

export {
  type AskOptions,
  type Clock,
  DEFAULTS,
  type RunTime,
  readerFor,
  usualReader,
} from './ask-options.ts';

/**
 * Yields the events of one run: question, hop ..., context, answer, end; in this order, and
 * complete unless a bug throws or the engine opens no snapshot. Reads one snapshot of the engine
 * and releases it in every ending; a snapshot passed as the engine is not released. If the run is
 * aborted or its time is over before the snapshot is open, its trace has no hops and names that.
 */
export async function* askEvents(
  text: string,
  options: AskOptions,
  clock: Clock,
  time: RunTime = {},
): AsyncGenerator<TraceEvent, Trace, void> {
  const { signal: limited, unlink } = linkedSignal(options.signal, time.over);
  const held = holdSnapshots(options.engine, limited);
  try {
    const overHeld = { ...options, engine: held.engine };
    const run = await openRun(text, overHeld, { ...time, clock, limited });
    return yield* 'stopped' in run ? unopenedEvents(run) : eventsOf(run);
  } finally {
    await held.release(options.signal);
    unlink();
  }
}

async function* eventsOf(run: OpenRun): AsyncGenerator<TraceEvent, Trace, void> {
  const events: TraceEvent[] = [];
  const note = (event: TraceEvent): TraceEvent => {
    events.push(event);
    return event;
  };
  yield note(run.opening);

  const hops: Hop[] = [];
  const pulled = yield* forward(
    pullHops(run.strategy.hops(run.question, run.kit, run.call), run.ledger, run.progress),
    hop => {
      hops.push(hop);
      return note({ type: 'hop', index: hops.length - 1, hop, ms: run.ledger.elapsed() });
    },
  );

  const { evidence, context, corpusKind, unread, unnamed } = await gather(run, hops, pulled);
  yield note(
    defined({
      type: 'context',
      evidence,
      ...rankingsOf(run.strategy, hops),
      context,
      corpusKind,
      ms: run.ledger.elapsed(),
    }),
  );

  const ended = { stopped: unnamed, ...pulled, corpusKind };
  const { answer, stopped } = unread
    ? unreadable(pulled, unread)
    : await conclude(run, ended, evidence, context);
  yield note({ type: 'answer', answer, ms: run.ledger.elapsed() });
  yield note(
    defined({
      type: 'end',
      spent: run.ledger.spent,
      stopped: stopped || undefined,
      cut: run.progress.cut.length > 0 ? run.progress.cut : undefined,
      snapshots: run.opened() > 1 ? run.opened() : undefined,
      ms: run.ledger.elapsed(),
    }),
  );
  const trace = traceOf(events)!;
  const value = await run.reader.typed?.(trace.answer);
  return value === undefined ? trace : { ...trace, value };
}

/** Yields the events of a run that ended before it could search. */
async function* unopenedEvents(run: UnopenedRun): AsyncGenerator<TraceEvent, Trace, void> {
  const { opening, strategy, stopped, ledger } = run;
  const context = { name: run.context.name, text: '', tokens: 0, parts: [] };
  const ms = ledger.elapsed();
  const events: TraceEvent[] = [
    opening,
    { type: 'context', evidence: [], ...rankingsOf(strategy, []), context, ms },
    { type: 'answer', answer: withoutReading(stopped), ms },
    { type: 'end', spent: ledger.spent, stopped, ms },
  ];
  yield* events;
  return traceOf(events)!;
}

/** Returns the strategy's ranking, and the ranking that its paper defines if it differs. */
function rankingsOf(
  { ranking, diagnostic }: Strategy,
  hops: readonly Hop[],
): Pick<Trace, 'ranking' | 'diagnostic'> {
  return defined({
    ranking: ranking(hops),
    diagnostic: diagnostic
      ? { name: diagnostic.name, documents: diagnostic.ranking(hops) }
      : undefined,
  });
}

/** Passes each hop on as an event and returns what pulling ended with. */
async function* forward(
  hops: AsyncGenerator<Hop, Pulled, void>,
  event: (hop: Hop) => TraceEvent,
): AsyncGenerator<TraceEvent, Pulled, void> {
  try {
    for (;;) {
      const step = await hops.next();
      if (step.done) return step.value;
      yield event(step.value);
    }
  } finally {
    await hops.return(undefined as never);
  }
}
