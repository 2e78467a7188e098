/**
 * `ingest` and `ask` over an engine in memory, by the clock of this machine. Loads what a run needs
 * when it begins, and no module of Node.
 */

import type { Ingestible } from '../core/corpus/document.ts';
import { Run } from '../core/trace/run.ts';
import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import type { AskOptions } from '../run/ask.ts';
import type { IngestEvent, IngestOptions, ReadEvent, SkippedDocument } from '../run/ingest.ts';
import type { EmbeddedEngine } from '../search/embedded-engine.ts';
import type { Engine } from '../search/engine.ts';

/**
 * Stores documents in an engine, by default a new engine in memory. Takes texts, records, and
 * what `readDocuments` of `multihop/formats` reads from files. `await` returns the engine, `for
 * await` the events, with those of files that were skipped. The run throws `InputError` for what is
 * no document and for two documents of one id.
 *
 * @example
 * ```ts
 * import { ingest } from 'multihop';
 *
 * const engine = await ingest([
 *   'Ada wrote the first program.',
 *   { id: 'engine', title: 'Engine', text: 'Charles built the engine.', source: 'Ledger' },
 * ]);
 * await engine.remove(['engine']);
 * const [hits] = await engine.current.search({
 *   unit: 'document',
 *   k: 3,
 *   queries: [{ text: 'program' }],
 * });
 * console.log(hits);
 * ```
 */
export function ingest<T extends Ingestible | ReadEvent, E extends Engine = EmbeddedEngine>(
  documents: Iterable<T> | AsyncIterable<T>,
  options: IngestOptions & { readonly engine?: E } = {},
): Run<IngestEvent | Extract<T, SkippedDocument>, E> {
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
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const { answer, spent, stopped } = await ask('Who built the engine?', {
 *   engine,
 *   budget: { hops: 3, documents: 6 },
 * });
 * console.log(answer.kind === 'answered' && answer.text, spent.documents, stopped);
 * ```
 *
 * ```text
 * Charles 2 undefined
 * ```
 */
export function ask(question: string, options: AskOptions): Run<TraceEvent, Trace> {
  return new Run(asked(question, options));
}

async function* ingested<T extends Ingestible | ReadEvent, E extends Engine>(
  documents: Iterable<T> | AsyncIterable<T>,
  options: IngestOptions,
): AsyncGenerator<IngestEvent | Extract<T, SkippedDocument>, E, void> {
  const { ingestEvents } = await import('../run/ingest.ts');
  // Without an engine it makes an embedded engine, which `E` is then.
  return (yield* ingestEvents(documents, options)) as E;
}

/** Starts the time limit with the first event, as the run starts its clock. */
async function* asked(...request: Parameters<typeof ask>): AsyncGenerator<TraceEvent, Trace, void> {
  const { timedAsk } = await import('./timed-run.ts');
  return yield* timedAsk(...request);
}
