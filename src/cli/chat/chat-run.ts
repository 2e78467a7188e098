/** Runs one question of a chat in its session, and keeps what later commands show of it. */
import type { Document } from '../../core/corpus/document.ts';
import type { Trace, TraceEvent } from '../../core/trace/trace.ts';
import type { ModelSpending } from '../../models/metered-model.ts';
import type { StoreAskOptions } from '../../session/document-store.ts';
import { documentsOf, type Paths, shownIds } from '../../session/evidence-view.ts';
import type { Session } from '../../session/session.ts';
import { watchRun } from '../../session/timed-run.ts';
import { spentSince } from '../model-cost.ts';
import type { Output } from '../output.ts';

export interface FinishedRun {
  readonly trace: Trace;
  readonly events: readonly TraceEvent[];
  /** Documents that a hop kept, and those of evidence and citations. */
  readonly documents: ReadonlyMap<string, Document>;
  /** Undefined where documents have no files. */
  readonly paths: Paths | undefined;
  /** Counts what the language model took; missing if it was not asked. */
  readonly model?: ModelSpending | undefined;
}

export type HopEvent = Extract<TraceEvent, { type: 'hop' }>;

export type QuestionEvent = Extract<TraceEvent, { type: 'question' }>;

export interface WatchedRun {
  /** Called first, with the question that is asked. */
  onQuestion(event: QuestionEvent): void;
  /** `documents`: those that the hop kept. */
  onHop(event: HopEvent, documents: ReadonlyMap<string, Document>): void;
  /** Called when the hops are over and the reader begins. */
  onContext(): void;
  readonly output: Output;
}

/** Releases its snapshot however the run ends. Throws as `Session.ask` does. */
export async function runQuestion(
  session: Session,
  question: string,
  options: StoreAskOptions,
  watched: WatchedRun,
): Promise<FinishedRun> {
  const { output } = watched;
  const before = await session.modelSpent();
  await using asked = await session.ask(question, options);
  const { snapshot, events } = asked;
  const seen: TraceEvent[] = [];
  const documents = new Map<string, Document>();
  const read = async (ids: readonly string[]): Promise<void> => {
    const missing = ids.filter(id => !documents.has(id));
    for (const [id, document] of await documentsOf(missing, snapshot.engine))
      documents.set(id, document);
  };
  const trace = await watchRun(events, async event => {
    seen.push(event);
    if (event.type === 'question') watched.onQuestion(event);
    if (event.type === 'context') watched.onContext();
    if (event.type !== 'hop') return;
    await read(event.hop.kept.map(({ documentId }) => documentId));
    watched.onHop(event, documents);
  });
  const ids = shownIds(trace);
  await read(ids);
  const paths = await session.paths(ids, ({ message }) => output.warn(message));
  const model = spentSince(before, await session.modelSpent());
  return { model, trace, events: seen, documents, paths };
}
