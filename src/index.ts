/**
 * The main entry: the two verbs bound to this machine's clock, the errors, and their types.
 *
 * The code behind the verbs is loaded when a run begins, which keeps the import small. Families of
 * members and the parts for writing one are in the other entries: `multihop/strategies`,
 * `multihop/retrieval`, and so on.
 */
import type { AskOptions } from './ask.ts';
import { monotonicClock } from './edges/clock.ts';
import { timeLimitOf } from './edges/time-limit.ts';
import type { IngestEvent, Ingestible, IngestOptions } from './ingest.ts';
import type { Engine } from './retrieval/engine.ts';
import { Run } from './trace/run.ts';
import type { Trace, TraceEvent } from './trace/trace.ts';

/**
 * Verb 1: documents go into an engine. `await ingest(documents)` gives the engine; `for await
 * (const event of ingest(documents))` tells how far it is. The run throws `InputError` for a
 * document that is none or two of one id.
 */
export function ingest(
  documents: Iterable<Ingestible> | AsyncIterable<Ingestible>,
  options: IngestOptions = {},
): Run<IngestEvent, Engine> {
  return new Run(ingested(documents, options));
}

/**
 * Verb 2: a question becomes an answer or an abstention that says why. `await ask(question, {
 * engine })` gives the trace;
 * `for await (const event of ask(question, { engine }))` streams its hops. The run throws
 * `InputError` for what is wrong at the door; limits, failing ports and aborts end the trace and
 * are named in it.
 */
export function ask(question: string, options: AskOptions): Run<TraceEvent, Trace> {
  return new Run(asked(question, options));
}

async function* ingested(
  ...given: Parameters<typeof ingest>
): AsyncGenerator<IngestEvent, Engine, void> {
  const { ingestEvents } = await import('./ingest.ts');
  return yield* ingestEvents(...given);
}

/** The time limit begins when the first event is asked for, as the run itself does. */
async function* asked(
  question: string,
  options: AskOptions,
): AsyncGenerator<TraceEvent, Trace, void> {
  const { askEvents } = await import('./ask.ts');
  return yield* askEvents(
    question,
    { ...options, ...timeLimitOf(options.budget?.ms) },
    monotonicClock,
  );
}

export type { AskOptions } from './ask.ts';
export type { Context } from './context/context.ts';
export type { Document, Metadata, Passage } from './corpus/document.ts';
export type { Filter } from './corpus/filter.ts';
export { InputError, PortError } from './errors.ts';
export type { Example, Measure } from './evaluation/example.ts';
export type { IngestEvent, Ingestible, IngestOptions } from './ingest.ts';
export type { Completion, LanguageModel, Prompt } from './models/language-model.ts';
export type { Hit, Ranking, Unit } from './ranking/ranking.ts';
export type { Reader } from './reading/reader.ts';
export type { Engine, SearchEngine } from './retrieval/engine.ts';
export type { Retriever, UnboundRetriever } from './retrieval/retriever.ts';
export type { Kit, Strategy } from './strategies/strategy.ts';
export { Run } from './trace/run.ts';
export type {
  Answer,
  Citation,
  Evidence,
  EvidenceItem,
  Hop,
  Question,
  Trace,
  TraceEvent,
} from './trace/trace.ts';
export type { Budget, Usage } from './trace/usage.ts';
