/**
 * Serves one state of any server: checks searches, reads documents ahead
 * and turns texts into vectors.
 */
import type { AnalysisCache } from '../../core/corpus/analysis-cache.ts';
import type { Document, Passage } from '../../core/corpus/document.ts';
import type { Filter } from '../../core/corpus/filter.ts';
import type { Ranking, Unit } from '../../core/ranking/ranking.ts';
import { type Call, freeCall } from '../../core/trace/call.ts';
import type { Capabilities } from '../../search/capabilities.ts';
import { checkedVector, checkSearch } from '../../search/checked-search.ts';
import type { SearchRequest } from '../../search/engine.ts';
import { checkFilterFields } from '../../search/filter-fields.ts';
import type { FindPort } from '../../search/ports.ts';
import { canonicalSpace } from '../../search/space-names.ts';
import { DocumentReads } from './document-reads.ts';
import type { RemoteState } from './remote-engine.ts';
import type { RemoteSpaces } from './remote-spaces.ts';

/** Vectors of queries; a query without one finds nothing. */
export type QueryVectors = readonly (Float32Array | undefined)[];

export abstract class ServerSnapshot {
  readonly capabilities: Capabilities;
  abstract readonly port: FindPort;
  readonly analysis: AnalysisCache;
  readonly shows: RemoteState;
  private readonly spaces: RemoteSpaces;
  private readonly documents: DocumentReads;

  constructor(
    {
      capabilities,
      spaces,
    }: { readonly capabilities: Capabilities; readonly spaces: RemoteSpaces },
    shows: RemoteState,
    analysis: AnalysisCache,
  ) {
    this.capabilities = capabilities;
    this.spaces = spaces;
    this.shows = shows;
    this.analysis = analysis;
    this.documents = new DocumentReads((ids, call) => this.loadDocuments(ids, call));
  }

  /** `vectors`: undefined for a search by terms. */
  protected abstract rank(
    request: SearchRequest,
    vectors: QueryVectors | undefined,
    call: Call,
  ): Promise<Ranking[]>;
  protected abstract loadDocuments(ids: readonly string[], call: Call): Promise<Document[]>;
  protected abstract loadItems(unit: Unit, ids: readonly string[], call: Call): Promise<Passage[]>;
  abstract fields(call: Call): Promise<string[]>;

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
    return unit === 'document' ? this.documents.read(ids, call) : this.loadItems(unit, ids, call);
  }

  protected async checkFields(filter: Filter | undefined, call: Call): Promise<void> {
    if (filter && this.shows.documents > 0)
      checkFilterFields(filter, new Set(await this.fields(call)));
  }

  /** Throws `InputError` for an unknown space and for vectors that do not fit it. */
  protected checkSpace(
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
    const name = canonicalSpace(space);
    return this.shows.spaces.findIndex(one => one.name === name);
  }
}
