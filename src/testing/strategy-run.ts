/**
 * Runs a strategy through `askEvents` for its laws: over the fixture corpus, with any budget, clock
 * and engine.
 */

import { chunkers } from '../core/corpus/chunk.ts';
import type { Document } from '../core/corpus/document.ts';
import type { Hop, Question, Trace, TraceEvent } from '../core/trace/trace.ts';
import type { Budget } from '../core/trace/usage.ts';
import type { Embedder } from '../models/embedder.ts';
import type { EntityRecogniser } from '../models/entity-recogniser.ts';
import { nameRecogniser } from '../models/name-recogniser.ts';
import type { Resources } from '../models/resources.ts';
import { type AskOptions, askEvents } from '../run/ask.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import type { SearchEngine } from '../search/engine.ts';
import type { UnboundRetriever } from '../search/retriever.ts';
import type { Snapshot } from '../search/snapshot.ts';
import type { Strategy } from '../strategies/strategy.ts';

export interface Script {
  readonly question: Question;
  readonly engine: SearchEngine;
  readonly budget?: Budget;
  readonly clock?: () => number;
  readonly signal?: AbortSignal;
  readonly retriever: string | UnboundRetriever;
  readonly context: string;
  readonly resources?: Resources;
}

export interface Ran {
  readonly events: readonly TraceEvent[];
  readonly trace: Trace;
}

export async function runOf(strategy: Strategy, script: Script): Promise<Ran> {
  const source = sourceOf(strategy, script);
  const events: TraceEvent[] = [];
  for (;;) {
    const step = await source.next();
    if (step.done) return { events, trace: step.value };
    events.push(step.value);
  }
}

/** Returns the first hops of a run, so many at most, and leaves it there. */
export async function hopsOf(strategy: Strategy, script: Script, most: number): Promise<Hop[]> {
  const hops: Hop[] = [];
  for await (const event of sourceOf(strategy, script)) {
    if (event.type === 'hop') hops.push(event.hop);
    if (hops.length === most) break;
  }
  return hops;
}

function sourceOf(
  strategy: Strategy,
  { question, clock, ...options }: Script,
): ReturnType<typeof askEvents> {
  const asked = { ...options, strategy, reader: 'evidence-only', id: question.id };
  return askEvents(question.text, asked, clock ?? (() => 0));
}

export const documentOf = (
  id: string,
  title: string,
  text: string,
  metadata: Document['metadata'] = {},
): Document => ({ id, title, text, metadata });

/** Returns the texts of the outputs of a role, in order. */
export const outputsOf = ({ hops }: Trace, role: string): string[] =>
  hops.flatMap(hop =>
    (hop.outputs ?? []).filter(each => each.role === role).map(each => each.text),
  );

/** Asks a question, and returns its trace; the evidence is the answer unless a reader is named. */
export async function traceOf(question: string, options: AskOptions): Promise<Trace> {
  const source = askEvents(question, { reader: 'evidence-only', ...options }, () => 0);
  for (;;) {
    const step = await source.next();
    if (step.done) return step.value;
  }
}

/** Returns events without times: the content that the audit chain hashes. */
export function contentOf(events: readonly TraceEvent[]): unknown {
  return events.map(({ ms: _, ...content }) => content);
}

/** Returns a clock whose readings count up from `first`. */
export function countingClock(first = 0): () => number {
  let now = first;
  return () => now++;
}

/** Returns so many copies of every document, each with its own id: a corpus for deep searches. */
export function copies(documents: readonly Document[], times: number): Document[] {
  return Array.from({ length: times }, (_, copy) =>
    documents.map(document => ({ ...document, id: `${document.id}-${copy}` })),
  ).flat();
}

export function engineOf(
  documents: readonly Document[],
  embedders: readonly Embedder[] = [],
  recogniser: EntityRecogniser = nameRecogniser,
): Snapshot {
  const chunker = chunkers.create('sentences(per=2)');
  return new EmbeddedEngine({ documents, chunker, embedders, recogniser }).current;
}

type ByRecogniser = WeakMap<EntityRecogniser, Snapshot>;
const NO_EMBEDDERS: readonly Embedder[] = [];
const shared = new WeakMap<readonly Document[], WeakMap<readonly Embedder[], ByRecogniser>>();

/**
 * Returns the engine of `engineOf`, built once for the same (not equal) arguments: a snapshot never
 * changes, and building its indexes for each law costs more than many runs.
 */
export function sharedEngineOf(
  documents: readonly Document[],
  embedders: readonly Embedder[] = NO_EMBEDDERS,
  recogniser: EntityRecogniser = nameRecogniser,
): Snapshot {
  const byEmbedders = shared.get(documents) ?? new WeakMap<readonly Embedder[], ByRecogniser>();
  shared.set(documents, byEmbedders);
  const byRecogniser: ByRecogniser = byEmbedders.get(embedders) ?? new WeakMap();
  byEmbedders.set(embedders, byRecogniser);
  const engine = byRecogniser.get(recogniser) ?? engineOf(documents, embedders, recogniser);
  byRecogniser.set(recogniser, engine);
  return engine;
}
