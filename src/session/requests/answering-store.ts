/**
 * Answers requests over one opened store with plain JSON: what HTTP routes and MCP tools share.
 * Every finished run leaves its trace on a shelf, by the id in its record.
 */

import type { Document } from '../../core/corpus/document.ts';
import { InputError, PortError } from '../../core/errors.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { Trace, TraceEvent } from '../../core/trace/trace.ts';
import type { Budget } from '../../core/trace/usage.ts';
import { monotonicClock } from '../../platform/clock.ts';
import { DEFAULTS } from '../../run/ask.ts';
import type { Ingestible } from '../../run/ingest.ts';
import { linkedSignal } from '../../run/linked-signal.ts';
import { orAbort } from '../../run/metered-kit.ts';
import { strategies } from '../../strategies/strategies.ts';
import type { AskedStore } from '../ask-store.ts';
import type {
  IngestSummary,
  OpenStoreOptions,
  SearchHit,
  StoreAskOptions,
} from '../document-store.ts';
import { aboutDocument, answerCitations, documentsOf } from '../evidence-view.ts';
import { ingestStore, vectorEvents } from '../ingest-store.ts';
import { type OpenedSession, openSession } from '../open-session.ts';
import { pageOfDocuments } from '../page-documents.ts';
import { retrievedResult, runResult } from '../run-result.ts';
import { searchStore } from '../search-store.ts';
import { filterOf, openAsk } from '../session-ask.ts';
import { watchRun } from '../watch-run.ts';
import { checkFitting, checkSettings } from './built-for-requests.ts';
import { mayOpen } from './may-open.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { pathRedaction, type Redact, redactedEvent, stop } from './redact.ts';
import { smallestBudget } from './smallest-budget.ts';
import { openSpans } from './spans.ts';
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

/** The fields of `ask` in a request; names are those of `multihop list`. */
export interface AskInput {
  readonly question: string;
  readonly strategy?: string;
  readonly retriever?: string;
  readonly context?: string;
  readonly reader?: string;
  readonly answerAt?: number;
  /** An expression, such as `source = "The Verge"`. */
  readonly filter?: string;
  readonly budget?: Budget;
}

export interface SearchInput {
  readonly query: string;
  readonly retriever?: string;
  readonly k?: number;
  readonly filter?: string;
  readonly explain?: boolean;
  readonly budget?: Budget;
}

export interface PageInput {
  readonly filter?: string;
  readonly after?: string;
  readonly limit?: number;
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
}

export interface SearchReply {
  readonly query: string;
  readonly retriever: string;
  readonly unit: string;
  readonly k: number;
  readonly hits: readonly SearchHit[];
}

export class AnsweringStore {
  readonly folder: string;
  readonly readOnly: boolean;
  /** Shortens the folders of this machine in messages. */
  readonly redact: Redact;
  private readonly opened: OpenedSession;
  private readonly shelf: TraceShelf;
  private readonly budget: Budget;
  private readonly closing = new AbortController();
  private readonly writes = new OneAtATime();
  private readonly spans = openSpans();
  private look: Promise<number> | undefined;

  private constructor(folder: string, opened: OpenedSession, options: AnsweringOptions) {
    this.folder = folder;
    this.opened = opened;
    this.budget = options.budget ?? {};
    this.readOnly = options.readOnly ?? false;
    this.shelf = new TraceShelf(options.traceBytes);
    const { env = process.env, cassette } = options;
    this.redact = pathRedaction([folder, env['MULTIHOP_MODELS'], cassette]);
  }

  /** Throws `InputError`, or `PortError` if the folder is no store. */
  static async open(folder: string, options: AnsweringOptions = {}): Promise<AnsweringStore> {
    return new AnsweringStore(
      folder,
      await openSession(folder, {
        ...options,
        ...{ mayOpen: mayOpen(options), onFitting: checkFitting },
      }),
      options,
    );
  }

  /** Answers a question. Throws `InputError` before any event. */
  ask(input: AskInput, watching: Watching = {}): Promise<Finished> {
    return this.run(input, watching, runResult);
  }

  /** Runs the strategy and returns its evidence and context; no reader answers. */
  retrieve(input: Omit<AskInput, 'reader'>, watching: Watching = {}): Promise<Finished> {
    return this.run({ ...input, reader: 'evidence-only' }, watching, retrievedResult);
  }

  /** Searches once. */
  async search(input: SearchInput, signal?: AbortSignal): Promise<SearchReply> {
    const { query, retriever: name = DEFAULTS.retriever, k = 10, explain = false } = input;
    const startedAt = monotonicClock();
    const filter = filterOf(input.filter);
    const budget = smallestBudget(this.budget, input.budget ?? {});
    const searched = await this.opened.session.searched(name);
    const limits = { budget, startedAt, signal: this.heard(signal) };
    const request = { query, k, filter, explain, ...limits };
    const { retriever, hits } = await searchStore(searched, request);
    return { query, retriever: retriever.name, unit: retriever.unit, k, hits };
  }

  /** Lists documents without their texts, ascending by id. */
  async documents(input: PageInput = {}, signal?: AbortSignal): Promise<unknown> {
    const { filter, ...page } = input;
    await using snapshot = await (await this.opened.session.store).snapshot();
    const request = { ...page, filter: filterOf(filter), signal: this.heard(signal) };
    const { documents, total, next } = await pageOfDocuments(snapshot, request);
    const listed = documents.map(document => {
      const { documentId: id, ...about } = aboutDocument(document);
      return { id, ...about, metadata: document.metadata, characters: document.text.length };
    });
    return { documents: listed, total, ...(next === undefined ? {} : { next }) };
  }

  /** Reads one document. Throws `InputError('unknown-id')`. */
  async document(id: string): Promise<Document> {
    await using snapshot = await (await this.opened.session.store).snapshot();
    return (await documentsOf([id], snapshot)).get(id)!;
  }

  /** Stores documents; returns once they are on the disk and have their vectors. */
  async put(documents: readonly Ingestible[], signal?: AbortSignal): Promise<IngestSummary> {
    this.checkWritable();
    return this.writes.run(async () => {
      const target = await this.opened.session.forIngest();
      const events = ingestStore(target, documents, { signal: this.heard(signal) });
      for (;;) {
        const step = await events.next();
        if (step.done) return step.value;
      }
    });
  }

  /** Removes documents, all or none. Throws `InputError('unknown-id')`. */
  async remove(ids: readonly string[], signal?: AbortSignal): Promise<number> {
    this.checkWritable();
    return this.writes.run(async () => {
      const store = await this.opened.session.store;
      const { removed } = await store.remove([...new Set(ids)], freeCall(this.heard(signal)));
      for await (const _ of vectorEvents({ store, fitted: [] }, this.heard(signal)));
      return removed;
    });
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
   * Looks for the store on the disk and returns its number of documents; callers share a look.
   * Throws `PortError` if it cannot be read, or not within `LOOK_MS`.
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
      const manifest = this.opened.session.store.then(store => store.onDisk());
      return (await orAbort(limit, manifest)).documents;
    } catch (error) {
      if (error !== limit.reason) throw error;
      throw new PortError('store', 'store-unreadable', 'The disk of the store does not answer', {
        ...{ expected: `an answer within ${LOOK_MS} ms`, retryable: true },
        hint: 'Check whether its disk is mounted.',
      });
    }
  }

  /** Number of documents of the newest snapshot. */
  async count(): Promise<number> {
    return (await this.opened.session.store).manifest.documents;
  }

  /** Aborts what runs: each run ends with what it has found. */
  abort(): void {
    this.closing.abort(new DOMException('The server is shutting down', 'AbortError'));
  }

  async close(): Promise<void> {
    this.abort();
    await this.writes.idle();
    await this.opened.session.close();
    await this.opened.model.close();
  }

  private async run(input: AskInput, watching: Watching, show: Show): Promise<Finished> {
    checkSettings(strategies, input.strategy);
    const { signal, unlink } = linkedSignal(watching.signal, this.closing.signal);
    try {
      return await this.ran(input, { ...watching, signal }, show);
    } finally {
      unlink();
    }
  }

  private async ran(
    input: AskInput,
    { signal, onStart, onEvent, onText }: Watching & { readonly signal: AbortSignal },
    show: Show,
  ): Promise<Finished> {
    const asking = { ...this.opened, signal };
    const { engine, events }: AskedStore = await openAsk(asking, input.question, {
      ...optionsOf(input),
      budget: smallestBudget(this.budget, input.budget ?? {}),
      ...(onText ? { onText } : {}),
    });
    const spans = (await this.spans)?.begin(show === runResult ? 'ask' : 'retrieve');
    try {
      const draft = new TraceDraft();
      onStart?.(draft.id);
      const ended = await watchRun(events, given => {
        const event = redactedEvent(given, this.redact);
        spans?.event(event);
        // Added first: the trace holds an event also where nobody watches.
        const line = draft.add(event);
        return onEvent?.(event, line);
      });
      const { stopped } = ended;
      const trace = stopped ? { ...ended, stopped: stop(stopped, this.redact) } : ended;
      const heads = draft.seal();
      this.shelf.keep(draft, trace);
      spans?.end(trace);
      const documents = await documentsOf(shownIds(trace), engine);
      const record = show(trace, documents, heads, undefined) as Finished['record'];
      return { id: draft.id, record: { id: draft.id, ...record }, trace };
    } catch (error) {
      spans?.fail(error);
      throw error;
    } finally {
      await engine[Symbol.asyncDispose]();
    }
  }

  private checkWritable(): void {
    if (this.readOnly)
      throw new InputError('read-only', 'The server is read-only', {
        hint: 'Change documents by another server, or by the store itself.',
      });
  }

  private heard(own: AbortSignal | undefined): AbortSignal {
    const { signal } = this.closing;
    return own ? AbortSignal.any([own, signal]) : signal;
  }
}

/** Milliseconds that a look for the store may take: probes give up after a second or more. */
const LOOK_MS = 1000;

type Show = typeof runResult | typeof retrievedResult;

const shownIds = (trace: Trace): string[] =>
  [...trace.evidence, ...answerCitations(trace)].map(({ documentId }) => documentId);

function optionsOf({
  strategy,
  retriever,
  context,
  reader,
  answerAt,
  filter,
}: AskInput): Pick<
  StoreAskOptions,
  'strategy' | 'retriever' | 'context' | 'reader' | 'answerAt' | 'filter'
> {
  return {
    ...(strategy === undefined ? {} : { strategy }),
    ...(retriever === undefined ? {} : { retriever }),
    ...(context === undefined ? {} : { context }),
    ...(reader === undefined ? {} : { reader }),
    ...(answerAt === undefined ? {} : { answerAt }),
    ...(filter === undefined ? {} : { filter }),
  };
}
