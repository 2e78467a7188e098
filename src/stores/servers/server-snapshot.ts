/**
 * Serves one state of any server: checks what is asked of it, reads documents ahead, keeps lists of
 * values, and turns texts into vectors. The kinds of servers state how each thing is loaded.
 */
import { AnalysisCache } from '../../core/corpus/analysis-cache.ts';
import type { Document, Passage } from '../../core/corpus/document.ts';
import type { Filter } from '../../core/corpus/filter.ts';
import type { Ranking, Unit } from '../../core/ranking/ranking.ts';
import { type Call, freeCall } from '../../core/trace/call.ts';
import type { Capabilities } from '../../search/capabilities.ts';
import { checkedVector, checkSearch, unknownId } from '../../search/checked-search.ts';
import type { FieldValue, SearchRequest, ValuesRequest } from '../../search/engine.ts';
import { checkFilterFields } from '../../search/filters/filter-fields.ts';
import { RecentlyUsed } from '../../search/indexes/recently-used.ts';
import { checkPage, type PageRequest } from '../../search/place.ts';
import { VECTORS, type Vectors } from '../../search/ports/vectors-port.ts';
import { type FindPort, servedPorts, servePort } from '../../search/ports.ts';
import { canonicalSpace } from '../../search/vectors/space-names.ts';
import { DocumentReads } from './document-reads.ts';
import type { RemoteSnapshot, RemoteState } from './remote-engine.ts';
import type { RemoteSpaces } from './remote-spaces.ts';

/** Vectors of queries; a query without one finds nothing. */
export type QueryVectors = readonly (Float32Array | undefined)[];

const KEEP_VALUES = 256;

/** Reads that all snapshots of one state share. */
export class StateReads {
  readonly analysis: AnalysisCache = new AnalysisCache();
  private readonly lists = new RecentlyUsed<Promise<FieldValue[]>>(KEEP_VALUES);

  /** Keeps a list by key, unless it fails; what fails in another call is listed anew. */
  async values(key: string, list: () => Promise<FieldValue[]>): Promise<FieldValue[]> {
    const before = this.lists.get(key);
    if (before) return before.catch(list);
    const listed = list();
    this.lists.set(key, listed);
    listed.catch(() => this.lists.delete(key));
    return listed;
  }
}

export interface ServerSnapshotParts {
  readonly capabilities: Capabilities;
  readonly spaces: RemoteSpaces;
  readonly reads: StateReads;
}

/** Items whose vectors are read, by distinct ids. */
export interface SpaceItems {
  readonly unit: Unit;
  readonly ids: readonly string[];
  readonly space: string;
}

export abstract class ServerSnapshot implements RemoteSnapshot, Vectors {
  readonly capabilities: Capabilities;
  readonly port: FindPort;
  readonly analysis: AnalysisCache;
  readonly shows: RemoteState;
  private readonly reads: StateReads;
  private readonly spaces: RemoteSpaces;
  private readonly documents: DocumentReads;

  constructor({ capabilities, spaces, reads }: ServerSnapshotParts, shows: RemoteState) {
    this.capabilities = capabilities;
    this.spaces = spaces;
    this.shows = shows;
    this.reads = reads;
    this.analysis = reads.analysis;
    this.port = servedPorts(capabilities.vectorSearch ? [servePort<Vectors>(VECTORS, this)] : []);
    this.documents = new DocumentReads(async (ids, call) =>
      inOrder('document', ids, byId(await this.loadDocuments(ids, call))),
    );
  }

  /** `vectors`: undefined for a search by terms. */
  protected abstract rank(
    request: SearchRequest,
    vectors: QueryVectors | undefined,
    call: Call,
  ): Promise<Ranking[]>;
  // Returns items in any order, without items that the server lacks; ids are distinct.
  protected abstract loadDocuments(ids: readonly string[], call: Call): Promise<Document[]>;
  protected abstract loadItems(unit: Unit, ids: readonly string[], call: Call): Promise<Passage[]>;
  /** Returns the pieces by document. */
  protected abstract loadParts(
    unit: 'passage' | 'sentence',
    documentIds: readonly string[],
    call: Call,
  ): Promise<ReadonlyMap<string, Passage[]>>;
  /** Returns vectors by id. */
  protected abstract loadVectors(
    items: SpaceItems,
    call: Call,
  ): Promise<ReadonlyMap<string, Float32Array>>;
  /** Returns the scores by id, one map a vector. */
  protected abstract loadScores(
    items: SpaceItems,
    vectors: readonly Float32Array[],
    call: Call,
  ): Promise<ReadonlyMap<string, number>[]>;
  protected abstract loadPage(request: PageRequest, call: Call): Promise<Document[]>;
  protected abstract countPassing(filter: Filter, call: Call): Promise<number>;
  protected abstract listValues(
    field: string,
    request: ValuesRequest,
    call: Call,
  ): Promise<FieldValue[]>;
  abstract fields(call?: Call): Promise<string[]>;
  abstract [Symbol.asyncDispose](): Promise<void>;

  async search(request: SearchRequest, call: Call = freeCall()): Promise<Ranking[]> {
    call.signal.throwIfAborted();
    checkSearch(request, this, undefined);
    const { unit, space, queries } = request;
    for (const { filter } of queries) await this.checkFields(filter, call);
    const vectors =
      space === undefined ? undefined : await this.embedded(unit, space, queries, call);
    const rankings = await this.rank(request, vectors, call);
    this.documents.found(rankings);
    return rankings;
  }

  read(unit: 'document', ids: readonly string[], call?: Call): Promise<Document[]>;
  read(unit: 'passage' | 'sentence', ids: readonly string[], call?: Call): Promise<Passage[]>;
  read(unit: Unit, ids: readonly string[], call?: Call): Promise<(Document | Passage)[]>;
  async read(
    unit: Unit,
    ids: readonly string[],
    call: Call = freeCall(),
  ): Promise<(Document | Passage)[]> {
    call.signal.throwIfAborted();
    if (ids.length === 0) return [];
    if (unit === 'document') return this.documents.read(ids, call);
    return inOrder(unit, ids, byId(await this.loadItems(unit, distinct(ids), call)));
  }

  async parts(
    unit: 'passage' | 'sentence',
    documentIds: readonly string[],
    call: Call = freeCall(),
  ): Promise<Passage[][]> {
    call.signal.throwIfAborted();
    if (documentIds.length === 0) return [];
    const lists = await this.loadParts(unit, distinct(documentIds), call);
    return inOrder('document', documentIds, lists).map(list => [...list]);
  }

  async page(request: PageRequest, call: Call): Promise<Document[]> {
    checkPage(request);
    await this.checkFields(request.filter, call);
    return this.loadPage(request, call);
  }

  async count(filter: Filter | undefined, call: Call): Promise<number> {
    if (!filter) return this.shows.documents;
    await this.checkFields(filter, call);
    return this.countPassing(filter, call);
  }

  async values(
    field: string,
    request: ValuesRequest = {},
    call: Call = freeCall(),
  ): Promise<FieldValue[]> {
    call.signal.throwIfAborted();
    await this.checkFields(request.filter, call);
    const list = (): Promise<FieldValue[]> => this.listValues(field, request, call);
    if (request.filter) return list();
    return [...(await this.reads.values(JSON.stringify([field, request]), list))];
  }

  async vectors(
    unit: Unit,
    ids: readonly string[],
    space: string,
    call: Call,
  ): Promise<Float32Array[]> {
    this.checkSpace(unit, space, [], call);
    if (ids.length === 0) return [];
    const vectors = await this.loadVectors({ unit, ids: distinct(ids), space }, call);
    return inOrder(unit, ids, vectors).map(vector => vector.slice());
  }

  async scores(
    unit: Unit,
    ids: readonly string[],
    vectors: readonly Float32Array[],
    space: string,
    call: Call,
  ): Promise<Float64Array[]> {
    this.checkSpace(unit, space, vectors, call);
    const scores = await this.loadScores({ unit, ids: distinct(ids), space }, vectors, call);
    return scores.map(byItem => Float64Array.from(inOrder(unit, ids, byItem)));
  }

  async queryVectors(
    unit: Unit,
    texts: readonly string[],
    space: string,
    call: Call,
  ): Promise<(Float32Array | undefined)[]> {
    call.signal.throwIfAborted();
    return this.embedded(
      unit,
      space,
      texts.map(text => ({ text })),
      call,
    );
  }

  /** Asks no model for a server without documents. */
  private embedded(
    unit: Unit,
    space: string,
    queries: SearchRequest['queries'],
    call: Call,
  ): Promise<(Float32Array | undefined)[]> {
    const isEmpty = this.shows.documents === 0;
    const spoken = queries.map(({ text, vector }) =>
      vector ? { vector } : { text: isEmpty ? '' : text },
    );
    return this.spaces.queryVectors(this.spaces.embedder(unit, space), spoken, call);
  }

  private async checkFields(filter: Filter | undefined, call: Call): Promise<void> {
    if (filter && this.shows.documents > 0)
      checkFilterFields(filter, new Set(await this.fields(call)));
  }

  /** Throws `InputError` for an unknown space and for vectors that do not fit it. */
  private checkSpace(
    unit: Unit,
    space: string,
    vectors: readonly Float32Array[],
    call: Call,
  ): void {
    call.signal.throwIfAborted();
    const embedder = this.spaces.embedder(unit, space);
    for (const vector of vectors) checkedVector(vector, embedder);
  }

  /** Returns the number of a space in the records of the server. */
  protected numberOf(space: string): number {
    const canonical = canonicalSpace(space);
    return this.shows.spaces.findIndex(({ name }) => name === canonical);
  }
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

const byId = <T extends { readonly id: string }>(items: readonly T[]): Map<string, T> =>
  new Map(items.map(item => [item.id, item]));

/** Throws `InputError('unknown-id')`. */
const inOrder = <T>(unit: Unit, ids: readonly string[], loaded: ReadonlyMap<string, T>): T[] =>
  ids.map(id => {
    const value = loaded.get(id);
    if (value === undefined) throw unknownId(unit, id);
    return value;
  });
