/**
 * Opens the embedders, rerankers and question answerers that a composition names, puts a cache on
 * the disk before each, and closes them.
 *
 * An embedder behind HTTP is asked at `baseUrl`, else at the address in the store's record. The
 * record was written by whoever made the store, so its address is called only if `recordedKey`
 * allows it; otherwise the composition is refused before any request.
 */
import { join } from 'node:path';
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import type { Need, Resource } from '../core/port.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import { cachedQuestionAnswerer } from '../models/cached-question-answerer.ts';
import { cachedReranker } from '../models/cached-reranker.ts';
import type { Embedder } from '../models/embedder.ts';
import type { EntityRecogniser } from '../models/entity-recogniser.ts';
import { embedder as embedderPort, entityRecogniser } from '../models/ports.ts';
import type { QuestionAnswerer } from '../models/question-answerer.ts';
import type { Reranker } from '../models/reranker.ts';
import { type Resources, resourcesOf } from '../models/resources.ts';
import type { VectorCache } from '../models/vector-cache.ts';
import { sha256 } from '../platform/sha256.ts';
import { recordedKey } from '../providers/environment-key.ts';
import { isServed } from '../providers/model-servers.ts';
import { recordedAddress } from '../providers/recorded-address.ts';
import type { PlaceSpace } from '../search/place.ts';
import { canonicalSpace } from '../search/vectors/space-names.ts';
import type { StoreClaims } from '../stores/disk/kept-claims.ts';
import type { StoreRecogniser } from '../stores/disk/kept-graph.ts';
import { type StoreEmbedder, spaceEmbedder } from '../stores/disk/store-embedders.ts';
import { VectorCacheFolder } from '../stores/disk/vector-cache.ts';
import { cachedPassages, LOCAL_BATCH } from './cached-passages.ts';
import type { ClaimsSpending, OpenClaims } from './claims.ts';
import { countedEmbedder } from './embedding-progress.ts';
import { type Environment, NO_NOTICES, type Notices, notesTo } from './notices.ts';
import type { OpenedResource } from './opened-resources.ts';
import { optionalCache } from './optional-cache.ts';
import type { GraphModelSource, GraphSpending, OpenRecogniser } from './recognisers.ts';
import { retrieverNeeds } from './retriever-needs.ts';
import { unknownSpace } from './unknown-space.ts';

export interface ModelsOptions extends ModelSources {
  /** Folder of the cache; nothing is cached if undefined. */
  readonly cache?: string | undefined;
  /** Goes on without the cache, after one note, if its folder cannot be written. */
  readonly optionalCache?: boolean;
  /** Caches vectors of queries too. */
  readonly queries?: boolean;
  /** Tells which resources may be opened by name, of port and id; all of them if undefined. */
  readonly mayOpen?: MayOpen;
  readonly notices?: Notices;
  /** Called with the number of texts that a model embedded, as they come. */
  readonly onEmbedded?: (texts: number) => void;
  /** Called once a space, if a search has to embed texts that were not embedded at ingest. */
  readonly onSearchEmbeds?: (space: string) => void;
}

/** Tells by the name of a port and an id if a resource may be opened. */
export type MayOpen = (port: string, id: string) => boolean;

/** Members that a model may have beside its port. */
interface Closable {
  close?(): Promise<void>;
  readonly truncated?: { readonly texts: number };
}

/** The embedders, rerankers and question answerers of one composition. */
export class Models {
  private readonly options: ModelsOptions;
  private readonly folder: VectorCacheFolder | undefined;
  private readonly cache: VectorCache | undefined;
  private readonly opened: Closable[] = [];
  private readonly embedders = new Map<string, Promise<StoreEmbedder>>();
  private readonly graphs = new Map<string, Promise<OpenRecogniser>>();
  private readonly bases = new Map<string, Promise<OpenClaims>>();
  private readonly known = new Map<string, Promise<OpenedResource>>();

  constructor(options: ModelsOptions) {
    this.options = options;
    const { cache, notices = NO_NOTICES } = options;
    this.folder = cache === undefined ? undefined : new VectorCacheFolder(cache);
    const report = (problem: string): void =>
      notices.note(`${problem}; what models compute is not cached`);
    this.cache =
      this.folder && options.optionalCache ? optionalCache(this.folder, report) : this.folder;
  }

  /** Opens the embedders of the options for an ingest. */
  async forIngest(units: readonly Unit[]): Promise<StoreEmbedder[]> {
    const embedders: StoreEmbedder[] = [];
    for (const name of this.offered()) embedders.push(await this.embedder(name, undefined, units));
    return embedders;
  }

  /** Opens an embedder that a store records. */
  async recorded({ name, baseUrl, units }: PlaceSpace): Promise<StoreEmbedder> {
    return this.embedder(name, baseUrl, units);
  }

  /**
   * Sends no request. Throws `InputError('recorded-address')` if one of these embedders would be
   * asked at an address that the user does not allow.
   */
  checkRecorded(records: readonly PlaceSpace[]): void {
    if (this.options.baseUrl !== undefined) return;
    for (const { name, baseUrl } of records)
      if (isRemote(name) && baseUrl !== undefined) recordedKey(baseUrl, this.options.env);
  }

  /**
   * Opens the embedders of the spaces that the retrievers search: those that the store records and
   * those of the options. Throws `InputError`: `unknown-space`, `recorded-address`.
   */
  async forSearch(
    retrievers: readonly string[],
    recorded?: readonly PlaceSpace[],
  ): Promise<StoreEmbedder[]> {
    const offered = this.offered();
    const spaces = [...new Set(spacesOf(retrieverNeeds(retrievers)))];
    this.checkRecorded((recorded ?? []).filter(({ name }) => spaces.includes(name)));
    const embedders: StoreEmbedder[] = [];
    for (const space of spaces) {
      const record = recorded?.find(({ name }) => name === space);
      if (!record && !offered.includes(space)) throw unknownSpace(space, { recorded, offered });
      const opened = await this.embedder(space, record?.baseUrl, record?.units ?? []);
      embedders.push({ ...opened, embedder: this.observed(opened) });
    }
    return embedders;
  }

  /**
   * Opens the resources that a provider knows by their ids, each once; needs of ports without an
   * entry in `PROVIDERS` are left out, and optional ones whose weights are not installed.
   */
  async forNeeds(needs: readonly Need[]): Promise<OpenedResource[]> {
    const opened: OpenedResource[] = [];
    for (const { port, id, optional } of needs) {
      const known = opened.some(other => other.port === port.name && other.resource.id === id);
      if (id === undefined || known) continue;
      const resource = await this.provided(port.name, id).catch(error => {
        if (!optional || !InputError.is(error) || error.code !== 'missing-weights') throw error;
      });
      if (resource) opened.push(resource);
    }
    return opened;
  }

  /** Opens an entity recogniser by its name or id. Throws `InputError('unknown-recogniser')`. */
  async recogniser(name: string): Promise<StoreRecogniser> {
    const passed = resourcesOf(this.options.resources ?? {}, entityRecogniser.name);
    const recogniser = passed.find(({ id }) => id === name) as EntityRecogniser | undefined;
    if (recogniser) return { name, recogniser };
    return { name, ...(await memoized(this.graphs, name, () => this.openGraph(name))) };
  }

  /** Returns what the language model of the recogniser did; undefined if there is none. */
  async graphSpent(): Promise<GraphSpending | undefined> {
    const [graph] = this.graphs.values();
    return (await graph)?.spent?.();
  }

  /** Opens what generates claims: `rules`, a language model, or `cassette`. */
  async claims(name: string): Promise<StoreClaims> {
    return { name, ...(await memoized(this.bases, name, () => this.openClaims(name))) };
  }

  /** Returns what the language model of the claims did; undefined if there is none. */
  async claimsSpent(): Promise<ClaimsSpending | undefined> {
    const [base] = this.bases.values();
    return (await base)?.spent?.();
  }

  /** Number of texts that were cut because their model reads fewer tokens. */
  get truncated(): number {
    return this.opened.reduce((sum, { truncated }) => sum + (truncated?.texts ?? 0), 0);
  }

  /** Frees what the cache holds in memory; its next use reads the disk again. */
  async releaseCache(): Promise<void> {
    await this.folder?.close();
  }

  async close(): Promise<void> {
    for (const model of this.opened) await model.close?.();
    await this.folder?.close();
  }

  private async openGraph(name: string): Promise<OpenRecogniser> {
    const { openRecogniser } = await import('./recognisers.ts');
    return this.closing(await openRecogniser(name, { ...this.options, vectors: this.cache }));
  }

  private async openClaims(name: string): Promise<OpenClaims> {
    const { openClaims } = await import('./claims.ts');
    return this.closing(await openClaims(name, this.options));
  }

  private closing<Opened extends Closable>(opened: Opened): Opened {
    this.opened.push({ close: async () => opened.close?.() });
    return opened;
  }

  /** Reports the first time that a search embeds texts of the store. */
  private observed({ name, embedder }: StoreEmbedder): Embedder {
    const { id, dimensions } = embedder;
    const { onSearchEmbeds } = this.options;
    let reported = false;
    return {
      id,
      dimensions,
      embed(texts, as, call) {
        if (as === 'passage' && !reported) {
          reported = true;
          onSearchEmbeds?.(name);
        }
        return embedder.embed(texts, as, call);
      },
    };
  }

  private offered(): string[] {
    return [...new Set((this.options.embedders ?? []).map(spaceOf))];
  }

  /** Opens each embedder once. */
  private async embedder(
    name: string,
    recorded: string | undefined,
    units: readonly Unit[],
  ): Promise<StoreEmbedder> {
    const option = this.options.embedders?.find(embedder => spaceOf(embedder) === name);
    const opening = (): Promise<StoreEmbedder> =>
      typeof option === 'object' ? this.passed(name, option) : this.resolved(name, recorded);
    return { ...(await memoized(this.embedders, name, opening)), units };
  }

  private async passed(name: string, embedder: Embedder): Promise<StoreEmbedder> {
    const counted = countedEmbedder(embedder, this.options.onEmbedded ?? (() => {}));
    return { name, embedder: this.cached(counted, undefined), units: [] };
  }

  private async resolved(name: string, place: string | undefined): Promise<StoreEmbedder> {
    const { resolveModel } = await import('../providers/resolve-model.ts');
    const { embeddingTraits } = await import('../providers/known-models.ts');
    const { env, notices, onEmbedded = () => {} } = this.options;
    const { baseUrl: address, embedderTimeoutMs: answerMs } = this.options;
    const baseUrl = isRemote(name) ? (address ?? place) : undefined;
    // Also what only the record of a store names, by a provider that it takes for granted.
    const recorded = !address && (baseUrl !== undefined || !this.offered().includes(name));
    const source = { env, baseUrl, recorded, answerMs, endpoint: notesTo(notices) };
    const embedder = await resolveModel('embedder', name, source);
    this.opened.push(embedder as Embedder & Closable);
    const counted = countedEmbedder(embedder, onEmbedded);
    const prefixes = embeddingTraits(name.replace(/^[\w-]+:/, ''))?.prefixes;
    return defined({
      name,
      embedder: this.cached(counted, isRemote(name) ? undefined : LOCAL_BATCH),
      prefixes: prefixes || undefined,
      baseUrl: baseUrl === undefined ? undefined : recordedAddress(baseUrl),
      units: [],
    });
  }

  private cached(embedder: Embedder, batch: number | undefined): Embedder {
    const { queries = false } = this.options;
    return this.cache ? cachedPassages(embedder, this.cache, { queries, batch }) : embedder;
  }

  /** Opens a resource once; those made in code come first, and are not cached. */
  private async provided(port: string, id: string): Promise<OpenedResource | undefined> {
    const passed = resourcesOf(this.options.resources ?? {}, port).find(({ id: of }) => of === id);
    if (passed) return { port, resource: passed, identity: id };
    const provider = PROVIDERS[port];
    if (!provider) return undefined;
    if (this.options.mayOpen?.(port, id) === false) throw notAllowed(port, id);
    return memoized(this.known, `${port} ${id}`, async () => {
      const { close, ...opened } = await provider(id, this.options, this.cache);
      this.opened.push(close);
      return { port, ...opened };
    });
  }
}

const spaceOf = (embedder: string | Embedder): string =>
  canonicalSpace(typeof embedder === 'string' ? embedder : embedder.id);

const notAllowed = (port: string, id: string): InputError =>
  new InputError('model-not-allowed', `A request may not open the ${port} "${id.slice(0, 80)}"`, {
    expected: 'a model that the server was started with',
    hint: 'Whoever starts the server names it: allowModels of openServer().',
    remedy: { id: 'allow-model', name: id.slice(0, 80) },
  });

/** Remembers what opens, and tries again what failed. */
function memoized<T>(
  opened: Map<string, Promise<T>>,
  name: string,
  open: () => Promise<T>,
): Promise<T> {
  const known = opened.get(name);
  if (known) return known;
  const opening = open();
  opened.set(name, opening);
  opening.catch(() => opened.delete(name));
  return opening;
}

interface ProvidedResource {
  readonly resource: Resource;
  readonly identity: string;
  /** The model behind the resource, to be closed. */
  readonly close: Closable;
}

type Provider = (
  id: string,
  sources: ModelsOptions,
  cache: VectorCache | undefined,
) => Promise<ProvidedResource>;

/**
 * Opens a resource by its id. A port whose resources a provider knows by name is one entry here.
 */
const PROVIDERS: Readonly<Record<string, Provider>> = {
  async reranker(id, { env, rerankerUrl, embedderTimeoutMs, notices }, cache) {
    const { resolveModel } = await import('../providers/resolve-model.ts');
    const model = await resolveModel('reranker', id, {
      env,
      baseUrl: rerankerUrl,
      answerMs: embedderTimeoutMs,
      endpoint: notesTo(notices),
    });
    const scored = cache ? cachedReranker(model, cache, { hash: sha256 }) : model;
    const resource: Reranker = {
      id,
      score: (query, texts, call) => scored.score(query, texts, call),
    };
    return { resource, identity: model.id, close: model as Closable };
  },
  async 'question-answerer'(id, { env }, cache) {
    const { resolveModel } = await import('../providers/resolve-model.ts');
    const model = await resolveModel('question-answerer', id, { env });
    const cached = cache ? cachedQuestionAnswerer(model, cache, sha256) : model;
    const resource: QuestionAnswerer = {
      id,
      answer: (question, text, call) => cached.answer(question, text, call),
    };
    return { resource, identity: model.id, close: model as Closable };
  },
};

const spacesOf = (needs: readonly Need[]): string[] =>
  needs.flatMap(({ port, id }) =>
    port.name === embedderPort.name && id !== undefined ? [id] : [],
  );

const isRemote = (name: string): boolean => isServed('embedder', name);

/** Returns an embedder under the name of its space. */
export const openedEmbedder = (stored: StoreEmbedder): OpenedResource<Embedder> => ({
  port: embedderPort.name,
  resource: spaceEmbedder(stored),
  identity: stored.embedder.id,
});

/** Returns the cache folder of a store. It may be deleted: every vector can be computed again. */
export const cacheOf = (store: string): string => join(store, 'cache');

/** Models by name, and the addresses of those behind HTTP. */
export interface ModelSources {
  readonly env: Environment;
  /**
   * Names of embedders, as `resolveModel` takes them; or
   * embedders, each for the space that its id names.
   */
  readonly embedders?: readonly (string | Embedder)[];
  /** Resources made in code, found by port and id before a provider is asked. */
  readonly resources?: Resources;
  /** Address of `openai-compatible` embedders. */
  readonly baseUrl?: string | undefined;
  /** The language model of an entity recogniser `triples(MODEL)`. */
  readonly language?: GraphModelSource;
  /** Address of rerankers behind HTTP. */
  readonly rerankerUrl?: string | undefined;
  /** Milliseconds that an embedder or reranker behind a server may take over one answer. */
  readonly embedderTimeoutMs?: number | undefined;
}
