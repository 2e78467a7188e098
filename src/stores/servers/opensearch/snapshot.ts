/** One state of an engine in OpenSearch: a point in time that is read until it is disposed of. */
import type { AnalysisCache } from '../../../core/corpus/analysis-cache.ts';
import type { Document, Passage } from '../../../core/corpus/document.ts';
import type { Filter } from '../../../core/corpus/filter.ts';
import type { Ranking, Unit } from '../../../core/ranking/ranking.ts';
import { type Call, freeCall } from '../../../core/trace/call.ts';
import type { Capabilities } from '../../../search/capabilities.ts';
import { checkedVector, checkSearch, unknownId } from '../../../search/checked-search.ts';
import type { FieldValue, SearchRequest, ValuesRequest } from '../../../search/engine.ts';
import { checkFilterFields } from '../../../search/filter-fields.ts';
import type { PageRequest } from '../../../search/place.ts';
import { type FindPort, servedPorts, servePort } from '../../../search/ports.ts';
import { canonicalSpace } from '../../../search/space-names.ts';
import { VECTORS, type Vectors } from '../../../search/vectors-port.ts';
import { DocumentReads } from '../document-reads.ts';
import { recordedDocument } from '../prepared-document.ts';
import type { RemoteSnapshot, RemoteState } from '../remote-engine.ts';
import type { RemoteSpaces } from '../remote-spaces.ts';
import { originalText, storedText } from '../stored-text.ts';
import { listFields, listValues } from './catalogue.ts';
import type { Body } from './client.ts';
import { filterQuery, type Query } from './filter.ts';
import { vectorField } from './mapping.ts';
import { pageOf } from './pages.ts';
import type { PointInTime } from './point-in-time.ts';
import { innerProductOf, nearestQuery, termsQuery, vectorScore } from './queries.ts';
import { keptByKey, type StateReads } from './state-reads.ts';
import { hitOf, passageOf } from './stored-items.ts';

export interface SnapshotParts {
  readonly point: PointInTime;
  readonly reads: StateReads;
  readonly spaces: RemoteSpaces;
  readonly capabilities: Capabilities;
}

/** Ids in one search. */
const IDS = 10_000;
const HIT_FIELDS = ['id', 'document', 'start', 'end'];

export class OpenSearchSnapshot implements RemoteSnapshot, Vectors {
  readonly capabilities: Capabilities;
  readonly port: FindPort;
  readonly analysis: AnalysisCache;
  readonly state: string;
  readonly shows: RemoteState;
  private readonly point: PointInTime;
  private readonly reads: StateReads;
  private readonly documents: DocumentReads;
  private readonly spaces: RemoteSpaces;

  constructor({ point, reads, spaces, capabilities }: SnapshotParts) {
    [this.point, this.reads, this.spaces] = [point, reads, spaces];
    this.capabilities = capabilities;
    this.documents = new DocumentReads((ids, call) => this.loadDocuments(ids, call));
    [this.state, this.shows] = [point.key, point.shows];
    this.analysis = reads.analysis;
    const { vectorSearch } = capabilities;
    this.port = servedPorts(vectorSearch ? [servePort<Vectors>(VECTORS, this)] : []);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.point.close();
  }

  async search(request: SearchRequest, call: Call = freeCall()): Promise<Ranking[]> {
    call.signal.throwIfAborted();
    const { unit, k, queries, scorer, space } = request;
    checkSearch(request, this, undefined);
    await this.checkFields(
      queries.flatMap(({ filter }) => filter ?? []),
      call,
    );
    const filtersOf = ({ filter }: { readonly filter?: Filter }): Query[] =>
      filter ? [filterQuery(filter)] : [];
    if (space !== undefined) return this.searchSpace(request, space, filtersOf, call);
    const name = scorer ?? (this.capabilities.scorers as readonly string[])[0]!;
    const asked = queries.map(query =>
      termsQuery(unit, query.text!, name, this.within(filtersOf(query))),
    );
    return this.rank(asked, k, score => score, call);
  }

  private async searchSpace(
    { unit, k, queries }: SearchRequest,
    space: string,
    filtersOf: (query: { readonly filter?: Filter }) => Query[],
    call: Call,
  ): Promise<Ranking[]> {
    const embedder = this.spaces.embedder(unit, space);
    const isEmpty = this.point.documents === 0;
    const spoken = queries.map(({ text, vector }) =>
      vector ? { vector } : { text: isEmpty ? '' : text! },
    );
    const vectors = await this.spaces.queryVectors(embedder, spoken, call);
    const isExact = this.capabilities.vectorSearch === 'exact';
    const field = this.fieldOf(unit, space);
    const asked = queries.map((query, at) => {
      const filters = this.within([{ term: { unit } }, ...filtersOf(query)]);
      return vectors[at] && nearestQuery(field, vectors[at], filters, { k, isExact });
    });
    return this.rank(asked, k, innerProductOf, call);
  }

  /** Sends the queries together; undefined finds nothing. */
  private async rank(
    queries: readonly (Query | undefined)[],
    k: number,
    scoreOf: (score: number) => number,
    call: Call,
  ): Promise<Ranking[]> {
    const bodies = queries.flatMap(query =>
      query && k > 0 && this.point.documents > 0 ? [this.hitsBody(query, k)] : [],
    );
    const answers = (await this.point.searches(bodies, call)).values();
    const rankings = queries.map(query =>
      query && bodies.length > 0
        ? (answers.next().value as Body).hits.hits.map((hit: Body) => hitOf(hit, scoreOf))
        : [],
    );
    this.documents.found(rankings);
    return rankings;
  }

  private hitsBody(query: Query, size: number): Query {
    const sort = [{ _score: 'desc' }, { id: 'asc' }];
    return { query, size, sort, _source: false, docvalue_fields: HIT_FIELDS };
  }

  private within(filters: readonly Query[]): Query[] {
    return [this.point.visible, ...filters];
  }

  private async checkFields(filters: readonly Filter[], call: Call): Promise<void> {
    if (filters.length === 0 || this.point.documents === 0) return;
    const fields = new Set(await this.fields(call));
    for (const filter of filters) checkFilterFields(filter, fields);
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
    if (unit === 'document') return this.documents.read(ids, call);
    const source = ['id', 'document', 'start', 'end', 'text'];
    const found = await this.byId(unit, ids, { _source: source }, call);
    return found.map(({ _source }) => passageOf(_source));
  }

  private async loadDocuments(ids: readonly string[], call: Call): Promise<Document[]> {
    const { label } = this.point;
    const found = await this.byId('document', ids, { _source: ['id', 'record'] }, call);
    return found.map(({ _source }) => recordedDocument(_source.record, label));
  }

  async page(page: PageRequest, call: Call): Promise<Document[]> {
    await this.checkFields(page.filter ? [page.filter] : [], call);
    return pageOf(this.point, page, call);
  }

  async count(filter: Filter | undefined, call: Call): Promise<number> {
    if (!filter) return this.point.documents;
    await this.checkFields([filter], call);
    const aggregations = { passing: { filter: filterQuery(filter) } };
    return (await this.aggregate([], aggregations, call)).passing.doc_count;
  }

  async parts(
    unit: 'passage' | 'sentence',
    documentIds: readonly string[],
    call: Call = freeCall(),
  ): Promise<Passage[][]> {
    call.signal.throwIfAborted();
    const bodies = chunks(documentIds).flatMap(ids => {
      const filter = this.within([{ terms: { document: ids } }]);
      const own = (one: Unit): Query => ({
        bool: { filter: [...filter, { term: { unit: one } }] },
      });
      return [
        { query: own('document'), size: ids.length, _source: false, docvalue_fields: ['id'] },
        {
          ...{ query: own(unit), size: 1_000_000, sort: [{ document: 'asc' }, { place: 'asc' }] },
          _source: ['id', 'document', 'start', 'end', 'text'],
        },
      ];
    });
    const answers = await this.point.searches(bodies, call);
    const lists = new Map<string, Passage[]>();
    for (const [at, { hits }] of answers.entries())
      for (const { fields, _source } of hits.hits)
        if (at % 2 === 0) lists.set(originalText(fields.id[0]), []);
        else lists.get(originalText(_source.document))!.push(passageOf(_source));
    return documentIds.map(id => {
      const list = lists.get(id);
      if (!list) throw unknownId('document', id);
      return [...list];
    });
  }

  async values(
    field: string,
    request: ValuesRequest = {},
    call: Call = freeCall(),
  ): Promise<FieldValue[]> {
    call.signal.throwIfAborted();
    const { filter } = request;
    await this.checkFields(filter ? [filter] : [], call);
    const list = (): Promise<FieldValue[]> => listValues(this.aggregate, field, request, call);
    if (filter) return list();
    return [...(await keptByKey(this.reads.values, JSON.stringify([field, request]), list))];
  }

  async fields(call: Call = freeCall()): Promise<string[]> {
    this.reads.fields ??= listFields(this.aggregate, call).catch(error => {
      delete this.reads.fields;
      throw error;
    });
    return [...(await this.reads.fields)];
  }

  private readonly aggregate = async (
    filters: readonly Query[],
    aggregations: Readonly<Record<string, unknown>>,
    call: Call,
  ): Promise<Body> => {
    const filter = this.within([{ term: { unit: 'document' } }, ...filters]);
    const body = { query: { bool: { filter } }, size: 0, aggs: aggregations };
    return (await this.point.searches([body], call))[0].aggregations;
  };

  async vectors(
    unit: Unit,
    ids: readonly string[],
    space: string,
    call: Call,
  ): Promise<Float32Array[]> {
    call.signal.throwIfAborted();
    this.spaces.embedder(unit, space);
    const field = this.fieldOf(unit, space);
    const found = await this.byId(unit, ids, { _source: ['id', field] }, call);
    return found.map(({ _source }) => Float32Array.from(_source[field]));
  }

  async scores(
    unit: Unit,
    ids: readonly string[],
    vectors: readonly Float32Array[],
    space: string,
    call: Call,
  ): Promise<Float64Array[]> {
    call.signal.throwIfAborted();
    const embedder = this.spaces.embedder(unit, space);
    for (const vector of vectors) checkedVector(vector, embedder);
    const parts = chunks(ids);
    const field = this.fieldOf(unit, space);
    const bodies = vectors.flatMap(vector =>
      parts.map(own => ({
        query: vectorScore(
          field,
          vector,
          this.within([{ term: { unit } }, { terms: { id: own } }]),
        ),
        ...{ size: own.length, _source: false, docvalue_fields: ['id'] },
      })),
    );
    const answers = await this.point.searches(bodies, call);
    return vectors.map((_, at) => {
      const own = answers.slice(at * parts.length, (at + 1) * parts.length);
      const scores = new Map<string, number>(
        own.flatMap(({ hits }) =>
          hits.hits.map(({ fields, _score }: Body) => [fields.id[0], innerProductOf(_score)]),
        ),
      );
      return Float64Array.from(ids, id => {
        const score = scores.get(storedText(id));
        if (score === undefined) throw unknownId(unit, id);
        return score;
      });
    });
  }

  async queryVectors(
    unit: Unit,
    texts: readonly string[],
    space: string,
    call: Call,
  ): Promise<(Float32Array | undefined)[]> {
    call.signal.throwIfAborted();
    const embedder = this.spaces.embedder(unit, space);
    const spoken = texts.map(text => ({ text: this.point.documents === 0 ? '' : text }));
    return this.spaces.queryVectors(embedder, spoken, call);
  }

  /** Returns what is stored of items, in the order of the ids. */
  private async byId(unit: Unit, ids: readonly string[], what: Query, call: Call): Promise<Body[]> {
    const bodies = chunks(ids).map(own => ({
      query: { bool: { filter: this.within([{ term: { unit } }, { terms: { id: own } }]) } },
      ...{ size: own.length, ...what },
    }));
    const found = new Map<string, Body>();
    for (const { hits } of await this.point.searches(bodies, call))
      for (const hit of hits.hits) found.set(hit._source.id, hit);
    return ids.map(id => {
      const hit = found.get(storedText(id));
      if (!hit) throw unknownId(unit, id);
      return hit;
    });
  }

  private fieldOf(unit: Unit, space: string): string {
    const name = canonicalSpace(space);
    return vectorField(
      this.point.spaces.findIndex(one => one.name === name),
      unit,
    );
  }
}

/** Returns distinct ids as they are stored, in lists for one search each. */
function chunks(ids: readonly string[]): string[][] {
  const distinct = [...new Set(ids.map(storedText))];
  return Array.from({ length: Math.ceil(distinct.length / IDS) }, (_, at) =>
    distinct.slice(at * IDS, (at + 1) * IDS),
  );
}
