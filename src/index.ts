/** The public surface: the two verbs, bound to this machine's clock, and the families that say what can be named. */
import { type AskOptions, askEvents } from './ask.ts';
import { monotonicClock } from './edges/clock.ts';
import { withTimeLimit } from './edges/time-limit.ts';
import { type IngestEvent, type Ingestible, type IngestOptions, ingestEvents } from './ingest.ts';
import type { Engine } from './retrieval/engine.ts';
import { Run } from './trace/run.ts';
import type { Trace, TraceEvent } from './trace/trace.ts';

/**
 * Verb 1: documents go into an engine. `await ingest(documents)` gives the engine; `for await (const event of ingest(documents))` tells
 * how far it is. Throws `InputError` for a document that is none or two of one id.
 */
export function ingest(documents: Iterable<Ingestible> | AsyncIterable<Ingestible>, options: IngestOptions = {}): Run<IngestEvent, Engine> {
  return new Run(ingestEvents(documents, options));
}

/**
 * Verb 2: a question becomes an answer or an abstention that says why. `await ask(question, { engine })` gives the trace;
 * `for await (const event of ask(question, { engine }))` streams its hops. Throws `InputError` for what is wrong at the door; limits, failing
 * ports and aborts end the trace and are named in it.
 */
export function ask(question: string, options: AskOptions): Run<TraceEvent, Trace> {
  return new Run(timed(question, options));
}

/** The time limit begins when the first event is asked for, as the run itself does. */
async function* timed(question: string, options: AskOptions): AsyncGenerator<TraceEvent, Trace, void> {
  return yield* askEvents(question, { ...options, signal: withTimeLimit(options.signal, options.budget?.ms) }, monotonicClock);
}

export { type AskOptions, DEFAULTS } from './ask.ts';
export { contexts } from './context/contexts.ts';
export { chunkers } from './corpus/chunk.ts';
export type { Document, Metadata, Passage, Span } from './corpus/document.ts';
export type { Filter } from './corpus/filter.ts';
export { type ErrorDetails, InputError, PortError } from './errors.ts';
export { measures } from './evaluation/measures.ts';
export { scorers } from './indexes/lexical/scorers.ts';
export type { IngestEvent, Ingestible, IngestOptions } from './ingest.ts';
export { type Family, family, type Member, type Parameter, type Settings } from './naming/family.ts';
export { type Argument, type Name, parseName, printName, type Value } from './naming/name.ts';
export { planners } from './planning/planners.ts';
export type { Hit, Ranking, Unit } from './ranking/ranking.ts';
export type { Reader } from './reading/reader.ts';
export { readers } from './reading/readers.ts';
export { EmbeddedEngine, type EmbeddedOptions } from './retrieval/embedded-engine.ts';
export type { Engine, SearchEngine } from './retrieval/engine.ts';
export { retrievers } from './retrieval/retrievers.ts';
export { strategies } from './strategies/strategies.ts';
export type { Kit, Strategy } from './strategies/strategy.ts';
export { Run } from './trace/run.ts';
export type { Answer, Citation, Evidence, Hop, Kept, Question, Stopped, Trace, TraceEvent } from './trace/trace.ts';
export type { Budget, LimitName, Usage } from './trace/usage.ts';
