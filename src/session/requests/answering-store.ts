/**
 * Answers requests over one opened store with plain JSON: what HTTP routes and MCP tools share.
 * Every finished run leaves its trace on a shelf, by the id in its record.
 */

import type { Document, Ingestible } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import { InputError, PortError } from '../../core/errors.ts';
import { drain } from '../../core/steps.ts';
import type { Trace, TraceEvent } from '../../core/trace/trace.ts';
import type { Budget } from '../../core/trace/usage.ts';
import type { ModelSpending } from '../../models/metered-model.ts';
import { orAbort } from '../../run/metered-kit.ts';
import { strategies } from '../../strategies/strategies.ts';
import type { IngestSummary, OpenStoreOptions } from '../document-store.ts';
import { aboutDocument, documentsOf, shownIds } from '../evidence-view.ts';
import { OneAtATime } from '../one-at-a-time.ts';
import { openTelemetry } from '../otel/spans.ts';
import { retrievedResult, runResult } from '../run-result.ts';
import { Session } from '../session.ts';
import { watchRun } from '../timed-run.ts';
import { typedBy } from './checked-input.ts';
import type { ListedDocuments } from './document-schemas.ts';
import { pathRedaction, placeRedaction, type Redact, redactedEvent, stop } from './redact.ts';
import { checkSettings, mayOpen, smallestBudget } from './request-limits.ts';
import type { AskInput, PageInput, RetrieveInput, SearchInput, SearchReply } from './schemas.ts';
import { TraceDraft, TraceShelf, type TraceSummary } from './trace-shelf.ts';

export interface AnsweringOptions extends OpenStoreOptions {
  /** Limits of every run; a request may lower them and not raise them. */
  readonly budget?: Budget;
  /** Bytes that kept traces take together. */
  readonly traceBytes?: number;
  /** Refuses writes. */
  readonly readOnly?: boolean;
  /** Rerankers and question answerers that a request may open; see `mayOpen`. */
  readonly allowModels?: readonly string[];
}

/** Watches one run. */
export interface Watching {
  readonly signal?: AbortSignal;
  /** Called before the first event, with the id of the trace. */
  readonly onStart?: (id: string) => void;
  /** `line`: the event as the trace holds it. A promise delays the next hop. */
  readonly onEvent?: (event: TraceEvent, line: string) => void | Promise<void>;
  /** Receives the answer as it is written. */
  readonly onText?: (text: string) => void;
}

/** A finished run: its id, the object of `ask --json` with that id, and its trace. */
export interface Finished {
  readonly id: string;
  readonly record: Readonly<Record<string, unknown>>;
  readonly trace: Trace;
  /** Tokens of its language model; missing without one. */
  readonly modelSpent?: ModelSpending | undefined;
}

export class AnsweringStore {
  readonly readOnly: boolean;
  /** Hides in messages where the place stands and the folders of this machine. */
  readonly redact: Redact;
  private readonly session: Session;
  private readonly shelf: TraceShelf;
  private readonly budget: Budget;
  private readonly writes = new OneAtATime();
  /** True if the optional package of spans is installed. */
  private readonly telemetry = openTelemetry().then(
    () => true,
    () => false,
  );
  private look: Promise<number> | undefined;

  private constructor(session: Session, redact: Redact, options: AnsweringOptions) {
    this.session = session;
    this.redact = redact;
    this.budget = options.budget ?? {};
    this.readOnly = options.readOnly ?? false;
    this.shelf = new TraceShelf(options.traceBytes);
  }

  /** Throws `InputError`, or `PortError` if the place is no store or cannot be read. */
  static async open(place: string, options: AnsweringOptions = {}): Promise<AnsweringStore> {
    const session = await Session.open(place, {
      create: true,
      ...options,
      mayOpen: mayOpen(options),
    });
    await session.ready();
    const { env = process.env, cassette } = options;
    const hidePlace = placeRedaction(place);
    const hidePaths = pathRedaction([session.folder?.label, env['MULTIHOP_MODELS'], cassette]);
    return new AnsweringStore(session, text => hidePaths(hidePlace(text)), options);
  }

  /** Answers requests over a session that its opener closes. */
  static over(session: Session, options: Pick<AnsweringOptions, 'budget'>): AnsweringStore {
    return new AnsweringStore(session, text => text, options);
  }

  /** Answers a question. Throws `InputError` before any event. */
  ask(input: AskInput, watching: Watching = {}): Promise<Finished> {
    return this.run(input, watching, runResult);
  }

  /** Runs the strategy and returns its evidence and context; no reader answers. */
  retrieve(input: RetrieveInput, watching: Watching = {}): Promise<Finished> {
    return this.run({ ...input, reader: 'evidence-only' }, watching, retrievedResult);
  }

  /** Searches once. */
  async search(input: SearchInput, signal?: AbortSignal): Promise<SearchReply> {
    const { query, k = 10 } = input;
    const budget = smallestBudget(this.budget, input.budget ?? {});
    const asking = { ...input, k, budget, signal };
    const { retriever, hits, absentPhrases: absent } = await this.session.search(query, asking);
    const { name, unit } = retriever;
    const absentPhrases = absent.length === 0 ? undefined : absent;
    return defined<SearchReply>({ query, retriever: name, unit, k, absentPhrases, hits });
  }

  /** Lists documents without their texts, ascending by id. */
  async documents(input: PageInput = {}, signal?: AbortSignal): Promise<ListedDocuments> {
    const { documents, total, next } = await this.session.documents({ ...input, signal });
    const listed = documents.map(document => {
      const { documentId: id, ...about } = aboutDocument(document);
      return { id, ...about, metadata: document.metadata, characters: document.text.length };
    });
    return defined<ListedDocuments>({ documents: listed, total, next });
  }

  /** Reads one document. Throws `InputError('unknown-id')`. */
  async document(id: string): Promise<Document> {
    return (await this.session.read([id]))[0]!;
  }

  /** Stores documents; returns once they are stored and have their vectors. */
  async put(documents: readonly Ingestible[], signal?: AbortSignal): Promise<IngestSummary> {
    this.checkWritable();
    return this.writes.run(() => drain(this.session.ingest(documents, { signal })));
  }

  /** Removes documents, all or none. Throws `InputError('unknown-id')`. */
  async remove(ids: readonly string[], signal?: AbortSignal): Promise<number> {
    this.checkWritable();
    return this.writes.run(() => drain(this.session.remove(ids, signal)));
  }

  /** Lists kept traces, newest first. */
  traces(limit = 100): TraceSummary[] {
    return this.shelf.list(limit);
  }

  /** Returns the sealed lines of a trace. Throws `InputError('unknown-id')`. */
  trace(id: string): string {
    const lines = this.shelf.lines(id);
    if (lines !== undefined) return lines;
    throw new InputError('unknown-id', `There is no trace "${id.slice(0, 80)}"`, {
      hint: 'Only the newest traces of this process are kept.',
    });
  }

  /**
   * Looks for the place and returns its number of documents; callers share a look. Throws
   * `PortError` if it cannot be read, or not within `LOOK_MS`.
   */
  ready(): Promise<number> {
    this.look ??= this.looked().finally(() => {
      this.look = undefined;
    });
    return this.look;
  }

  private async looked(): Promise<number> {
    const limit = AbortSignal.timeout(LOOK_MS);
    try {
      return (await orAbort(limit, this.session.state())).documents;
    } catch (error) {
      if (error !== limit.reason) throw error;
      throw new PortError('store', 'store-unreadable', 'The store does not answer', {
        expected: `an answer within ${LOOK_MS} ms`,
        retryable: true,
        hint: 'Check whether its disk is mounted, or its server runs.',
      });
    }
  }

  /** Number of documents of the newest state. */
  async count(): Promise<number> {
    return (await this.session.state()).documents;
  }

  /** Aborts what runs: each run ends with what it has found. */
  abort(): void {
    this.session.abort();
  }

  async close(): Promise<void> {
    this.abort();
    await this.writes.idle();
    await this.session[Symbol.asyncDispose]();
  }

  private async run(
    { budget, schema, ...input }: AskInput,
    { signal, onStart, onEvent, onText }: Watching,
    show: Show,
  ): Promise<Finished> {
    checkSettings(strategies, input.strategy);
    const limits = smallestBudget(this.budget, budget ?? {});
    await using asked = await this.session.ask(input.question, {
      ...input,
      budget: limits,
      schema: schema && typedBy(schema),
      telemetry: await this.telemetry,
      signal,
      onText,
    });
    const draft = new TraceDraft();
    onStart?.(draft.id);
    const ended = await watchRun(asked.events, raw => {
      const event = redactedEvent(raw, this.redact);
      // Added first: the trace holds an event also where nobody watches.
      const line = draft.add(event);
      return onEvent?.(event, line);
    });
    const { stopped } = ended;
    const trace = stopped ? { ...ended, stopped: stop(stopped, this.redact) } : ended;
    const heads = draft.seal();
    this.shelf.keep(draft, trace);
    const documents = await documentsOf(shownIds(trace), asked.snapshot.engine);
    const record = show(trace, documents, heads, undefined) as Finished['record'];
    const { modelSpent } = asked;
    return { id: draft.id, record: { id: draft.id, ...record }, trace, modelSpent };
  }

  private checkWritable(): void {
    if (this.readOnly)
      throw new InputError('read-only', 'The server is read-only', {
        hint: 'Change documents by another server, or by the store itself.',
      });
  }
}

/** Milliseconds that a look for the store may take: probes give up after a second or more. */
const LOOK_MS = 1000;

type Show = typeof runResult | typeof retrievedResult;
