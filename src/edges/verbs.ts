/**
 * `ingest` and `ask` over an engine in memory, by the clock of this machine. Loads what a run needs
 * when it begins, and no module of Node.
 */
import type { AskOptions } from '../ask.ts';
import type { IngestEvent, Ingestible, IngestOptions } from '../ingest.ts';
import type { Engine } from '../retrieval/engine.ts';
import { Run } from '../trace/run.ts';
import type { Trace, TraceEvent } from '../trace/trace.ts';

/**
 * Stores documents in an engine, a new one in memory if none is given. `await` returns the engine,
 * `for await` the events. The run throws `InputError` for what is no document and for two documents
 * of one id.
 *
 * @example
 * ```ts
 * import { ingest } from 'multihop';
 *
 * const engine = await ingest([
 *   'Ada wrote the first program.',
 *   { id: 'engine', title: 'Engine', text: 'Charles built the engine.', source: 'Ledger' },
 * ]);
 * ```
 */
export function ingest(
  documents: Iterable<Ingestible> | AsyncIterable<Ingestible>,
  options: IngestOptions = {},
): Run<IngestEvent, Engine> {
  return new Run(ingested(documents, options));
}

/**
 * Answers a question over an engine, or abstains and says why. `await` returns the trace, `for
 * await` its events, hop by hop. The run throws `InputError` for wrong options; limits, failing
 * ports and aborts end the trace and are named in it.
 *
 * @example
 * ```ts
 * import { ask, ingest } from 'multihop';
 *
 * const engine = await ingest(['Ada wrote the first program.', 'Charles built the engine.']);
 * const { answer, spent, stopped } = await ask('Who built the engine?', {
 *   engine,
 *   budget: { hops: 3, ms: 2000 },
 * });
 * console.log(answer.kind, spent, stopped);
 * ```
 */
export function ask(question: string, options: AskOptions): Run<TraceEvent, Trace> {
  return new Run(asked(question, options));
}

async function* ingested(
  ...given: Parameters<typeof ingest>
): AsyncGenerator<IngestEvent, Engine, void> {
  const { ingestEvents } = await import('../ingest.ts');
  return yield* ingestEvents(...given);
}

/** Starts the time limit with the first event, as the run starts its clock. */
async function* asked(...given: Parameters<typeof ask>): AsyncGenerator<TraceEvent, Trace, void> {
  const { timedAsk } = await import('./serving/timed-ask.ts');
  return yield* timedAsk(...given);
}
