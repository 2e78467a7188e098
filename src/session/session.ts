/**
 * A place with its models and what they may cost, open for questions, searches and documents: the
 * one way in for library, command line, chat, server and assistants.
 */
import type { Document } from '../core/corpus/document.ts';
import type { Filter } from '../core/corpus/filter.ts';
import { parseFilter } from '../core/corpus/filter-expression.ts';
import { defined } from '../core/defined.ts';
import { InputError, PortError } from '../core/errors.ts';
import type { Need } from '../core/port.ts';
import { checkQuestionText } from '../core/text/question-text.ts';
import { type Call, freeCall } from '../core/trace/call.ts';
import type { ModelSpending } from '../models/metered-model.ts';
import { languageModel } from '../models/ports.ts';
import { monotonicClock } from '../platform/clock.ts';
import { DEFAULTS, readerFor } from '../run/ask.ts';
import { usualRetriever } from '../run/run-resources.ts';
import { checkFilterValues } from '../search/filters/filter-values.ts';
import type { Place, PlaceSpace, PlaceState } from '../search/place.ts';
import type { UnboundRetriever } from '../search/retriever.ts';
import { retrievers } from '../search/retrievers.ts';
import type { OnWarning } from '../stores/disk/read-packed.ts';
import { checkEmbedders, type StoreEmbedder } from '../stores/disk/store-embedders.ts';
import type { StoreOptions } from '../stores/disk/store-options.ts';
import { strategies } from '../strategies/strategies.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { type AskedRun, openRun } from './asked-run.ts';
import type {
  DocumentPage,
  GivenFilter,
  IngestSource,
  IngestSummary,
  OpenStoreOptions,
  StoreAskOptions,
  StoreIngestEvent,
  StoreIngestOptions,
  StorePageOptions,
  StoreSearchOptions,
  VectorEvent,
} from './document-store.ts';
import { ComputedTexts } from './embedding-progress.ts';
import type { Paths } from './evidence-view.ts';
import { readPaths } from './file-paths.ts';
import type { FileReading } from './file-reading.ts';
import { languageModelOf } from './given-model.ts';
import { type IngestTarget, ingestInto, needsFolder, vectorEvents } from './ingest.ts';
import { SessionModel } from './language-model.ts';
import { cacheOf, type MayOpen, Models, openedEmbedder } from './models.ts';
import { NO_NOTICES } from './notices.ts';
import {
  openedModel,
  openedOf,
  openedResources,
  resourcesByPort,
  type Searched,
} from './opened-resources.ts';
import { FolderPlace } from './places/folder-place.ts';
import { openPlace } from './places/open-place.ts';
import { openResourceFiles, type ResourceFiles } from './resource-files.ts';
import { retrieverNeeds } from './retriever-needs.ts';
import { type SearchResult, searchOnce } from './search.ts';
import { retrieverInStore } from './stored-units.ts';

type OfPlace = 'onBuilding' | 'onGraph';

export interface SessionOptions extends OpenStoreOptions, Pick<StoreOptions, OfPlace> {
  /**
   * An ingest into a folder embeds by the models of the options alone; else by those too that the
   * folder records, where they can be opened.
   */
  readonly embedsGiven?: boolean;
  /** Files of resources by port, beside those that are installed. */
  readonly files?: ResourceFiles;
  /** Tells which resources may be opened for a question; all of them if undefined. */
  readonly mayOpen?: MayOpen;
  /** Called once a space, if a search has to embed texts that were not embedded at ingest. */
  readonly onSearchEmbeds?: (space: string) => void;
  /** Keys of indexes that are read from a folder while models are opened. */
  readonly ahead?: readonly string[];
}

/** Time limits count from here, on `monotonicClock`; from now if undefined. */
interface Started {
  readonly startedAt?: number;
}

/** A member whose resources are opened for a search. */
interface Needing {
  readonly needs?: readonly Need[];
}

/** Opens each model once, when a question or an ingest first needs it. */
export class Session implements AsyncDisposable {
  readonly place: Place;
  private readonly options: SessionOptions;
  private readonly models: Models;
  private readonly model: SessionModel;
  private readonly computed = new ComputedTexts();
  private readonly ending = new AbortController();
  private closed: Promise<void> | undefined;

  /** Works on a place that is closed with the session. */
  constructor(place: Place, options: SessionOptions = {}) {
    const { env = process.env, modelUrl: baseUrl, modelTimeoutMs: answerMs } = options;
    const { model, modelOptions, price } = options;
    const room = {
      outputTokens: options.modelOutputTokens,
      thinkingTokens: options.modelThinkingTokens,
    };
    [this.place, this.options] = [place, options];
    // A model that answers too has the file open already.
    const cassette = model === undefined ? options.cassette : undefined;
    this.models = new Models({
      ...options,
      env,
      language: { baseUrl, answerMs, room, modelOptions, price, model, cassette },
      cache: place instanceof FolderPlace ? cacheOf(place.label) : undefined,
      optionalCache: true,
      onEmbedded: this.computed.add,
    });
    this.model = new SessionModel({ ...options, env, baseUrl, answerMs, room });
  }

  /** Throws `InputError`, or `PortError` for a folder that is no store. */
  static async open(address: string, options: SessionOptions = {}): Promise<Session> {
    const { env = process.env, notices, create, chunker, waitMs } = options;
    const { ahead, onBuilding, onGraph } = options;
    const place = await openPlace(address, {
      env,
      create,
      chunker,
      waitMs,
      ahead,
      onBuilding,
      onGraph,
      onWarning: warning => notices?.warn(warning.message, warning),
    });
    return new Session(place, options);
  }

  /** Names the place in messages, without credentials. */
  get label(): string {
    return this.place.label;
  }

  /** The place as a store on this disk; undefined elsewhere. */
  get folder(): FolderPlace | undefined {
    return this.place instanceof FolderPlace ? this.place : undefined;
  }

  /** True if the options name a language model. */
  get hasModel(): boolean {
    return this.model.isNamed;
  }

  /** Returns what the model of the options spent so far; undefined before its first use. */
  readonly modelSpent = (): Promise<ModelSpending | undefined> => this.model.spent();

  /** Number of texts that were cut because their model reads fewer tokens. */
  get truncated(): number {
    return this.models.truncated;
  }

  /** Opens the place, and makes it if it may be made. */
  async ready(): Promise<void> {
    await (this.folder ? this.folder.store() : this.state());
  }

  /** Reads the newest state of the place. */
  state(): Promise<PlaceState> {
    return this.place.state(this.call(undefined));
  }

  /** Opens a run over the newest snapshot, which is disposed of with it. */
  async ask(question: string, options: StoreAskOptions & Started = {}): Promise<AskedRun> {
    const signals = this.signals(options.signal);
    const { startedAt = monotonicClock() } = options;
    checkQuestionText(question);
    const strategy = strategyOf(options.strategy);
    const { model: given, ...others } = options;
    const own = given && { model: await languageModelOf(given) };
    const passed = openedResources({ ...options.resources, ...own });
    const isPassed = ({ port, id }: Need): boolean =>
      passed.some(other => other.port === port.name && other.resource.id === id);
    const unmet = (strategy.needs ?? []).filter(need => !isPassed(need));
    const opened = [...passed, ...(await openResourceFiles(this.options.files ?? {}, unmet))];
    const [asked] = openedOf(opened, languageModel);
    const reader = readerFor(options, asked !== undefined || this.hasModel);
    const { retriever = usualRetriever(strategy, resourcesByPort(opened)) ?? DEFAULTS.retriever } =
      options;
    const searched = await this.searched(retriever, [strategy, reader]);
    const model = await this.model.model(asked);
    const unasked = opened.filter(({ port }) => port !== languageModel.name);
    const resources = [...searched.resources, ...unasked, ...openedModel(model)];
    const filter = filterOf(options.filter);
    const run = { ...others, schema: undefined, strategy, reader, filter, signals, startedAt };
    return openRun({ ...searched, resources }, question, { ...run, modelSpent: model?.spent });
  }

  /** Searches once. */
  async search(query: string, options: StoreSearchOptions & Started = {}): Promise<SearchResult> {
    const signals = this.signals(options.signal);
    const { startedAt = monotonicClock(), retriever = DEFAULTS.retriever, k = 10 } = options;
    const { explain, budget } = options;
    const filter = filterOf(options.filter);
    const searched = await this.searched(retriever);
    return searchOnce(searched, { query, k, filter, explain, budget, signals, startedAt });
  }

  /** Yields events as documents are stored and get their vectors. */
  async *ingest(
    source: IngestSource | FileReading | undefined,
    options: StoreIngestOptions = {},
  ): AsyncGenerator<StoreIngestEvent, IngestSummary, void> {
    const { signal } = this.call(options.signal);
    return yield* ingestInto(await this.forIngest(), source, { ...options, signal });
  }

  /** Lists documents, ascending by id. */
  async documents(options: StorePageOptions = {}): Promise<DocumentPage> {
    const { after, limit = 100 } = options;
    const call = this.call(options.signal);
    const filter = filterOf(options.filter);
    await using snapshot = await this.place.snapshot();
    if (filter) await checkFilterValues(filter, snapshot.engine, call);
    const page = await snapshot.page({ filter, after, limit }, call);
    const total = await snapshot.count(filter, call);
    const last = page.at(-1)?.id;
    const more = page.length === limit && last !== undefined;
    const [next] = more ? await snapshot.page({ filter, after: last, limit: 1 }, call) : [];
    return defined({ documents: page, total, next: next ? last! : undefined });
  }

  /** Reads documents by their ids. Throws `InputError('unknown-id')`. */
  async read(ids: readonly string[]): Promise<Document[]> {
    const call = this.call(undefined);
    await using snapshot = await this.place.snapshot();
    return await snapshot.engine.read('document', ids, call);
  }

  /** Reads the files of documents; undefined where documents have none. */
  async paths(ids: readonly string[], onWarning: OnWarning): Promise<Paths | undefined> {
    const store = await this.folder?.store();
    return store && readPaths(store, ids, onWarning);
  }

  /** Removes documents, and returns their number. Throws `InputError('unknown-id')` before any. */
  async *remove(
    ids: readonly string[],
    signal?: AbortSignal,
  ): AsyncGenerator<VectorEvent, number, void> {
    const { place } = this;
    const call = this.call(signal);
    const { removed } = await place.remove([...new Set(ids)], call);
    yield* vectorEvents({ place }, call.signal);
    return removed;
  }

  /** Aborts what is under way: each run ends with what it has found. */
  abort(): void {
    this.ending.abort(new DOMException('The store was closed', 'AbortError'));
  }

  /** Aborts what is under way, and closes the place and the models. */
  [Symbol.asyncDispose](): Promise<void> {
    this.closed ??= this.close();
    return this.closed;
  }

  private async close(): Promise<void> {
    this.abort();
    try {
      await this.place[Symbol.asyncDispose]();
    } finally {
      await this.models.close();
      await this.model.close();
    }
  }

  /** Opens the models that a retriever and other members need. */
  async searched(
    unbound: string | UnboundRetriever,
    members: readonly Needing[] = [],
  ): Promise<Searched> {
    const { place } = this;
    const state = await this.state();
    const name = typeof unbound === 'string' ? retrieverInStore(unbound, state) : unbound.name;
    const names = typeof unbound === 'string' || isNamed(name) ? [name] : [];
    const embedders = await this.models.forSearch(names, state.spaces);
    const value = typeof unbound === 'string' ? [] : (unbound.needs ?? []);
    const others = members.flatMap(({ needs = [] }) => needs);
    const provided = await this.models.forNeeds([...retrieverNeeds(names), ...value, ...others]);
    await place.use({ embedders });
    return {
      place,
      state,
      resources: [...embedders.map(openedEmbedder), ...provided],
      retriever: typeof unbound === 'string' ? retrievers.create(name) : unbound,
    };
  }

  /** Opens the models that an ingest embeds by, those of the options and those on record. */
  private async forIngest(): Promise<IngestTarget> {
    const { place, models, computed, options } = this;
    const { units = ['passage'], graph, claims: name, embedsGiven } = options;
    if (!this.folder && (graph ?? name) !== undefined) throw needsFolder(place, 'a graph, claims');
    const recogniser = graph === undefined ? undefined : await models.recogniser(graph);
    const claims = name === undefined ? undefined : await models.claims(name);
    const embedders = await models.forIngest(units);
    const { spaces } = await this.state();
    this.checkWriting(spaces, embedders);
    for (const space of spaces) {
      if (embedders.some(({ name }) => name === space.name)) continue;
      if (this.folder && embedsGiven) break;
      const recorded = await this.recorded(space);
      if (recorded) embedders.push(recorded);
    }
    await place.use({ embedders, recogniser, claims });
    return { place, computed, models };
  }

  /**
   * Opens an embedder that the place records. One that cannot be opened leaves new documents of a
   * folder without its vectors, which gets a note; a server stores none without.
   */
  private async recorded(space: PlaceSpace): Promise<StoreEmbedder | undefined> {
    try {
      const embedder = await this.models.recorded(space);
      this.checkWriting([space], [embedder]);
      return embedder;
    } catch (error) {
      const isKnown = InputError.is(error) || PortError.is(error);
      if (!isKnown || !this.folder) throw error;
      const { notices = NO_NOTICES } = this.options;
      notices.warn(`New documents get no vectors of ${space.name}: ${error.message}`);
      return undefined;
    }
  }

  /** Refuses other vectors than a folder records, before a write; servers do so themselves. */
  private checkWriting(spaces: readonly PlaceSpace[], embedders: readonly StoreEmbedder[]): void {
    if (this.folder) checkEmbedders(this.label, { spaces }, embedders, true);
  }

  private call(signal: AbortSignal | undefined): Call {
    const signals = this.signals(signal).filter(each => each !== undefined);
    return freeCall(AbortSignal.any(signals));
  }

  /** Returns the signals that end some work. Throws `InputError('store-closed')`. */
  private signals(signal: AbortSignal | undefined): (AbortSignal | undefined)[] {
    if (this.closed)
      throw new InputError('store-closed', `The store "${this.label}" is closed`, {
        hint: 'Open it again: openStore(path).',
      });
    return [signal, this.ending.signal];
  }
}

/** Parses a filter's expression. Throws `InputError('bad-filter')`. */
const filterOf = (filter: GivenFilter | undefined): Filter | undefined =>
  typeof filter === 'string' ? parseFilter(filter) : filter;

const strategyOf = (strategy: string | Strategy | undefined): Strategy =>
  typeof strategy === 'object' ? strategy : strategies.create(strategy ?? DEFAULTS.strategy);

/** Tells if a member of the family goes by this name; a retriever made in code may not. */
function isNamed(name: string): boolean {
  try {
    retrievers.canonical(name);
    return true;
  } catch {
    return false;
  }
}
