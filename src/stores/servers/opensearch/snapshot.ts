/** One state of an engine in OpenSearch: a point in time that is read until it is disposed of. */
import type { Document, Passage } from '../../../core/corpus/document.ts';
import type { Filter } from '../../../core/corpus/filter.ts';
import type { Hit, Ranking, Unit } from '../../../core/ranking/ranking.ts';
import { type Call, freeCall } from '../../../core/trace/call.ts';
import type { Capabilities } from '../../../search/capabilities.ts';
import { unknownId } from '../../../search/checked-search.ts';
import type { FieldValue, SearchRequest, ValuesRequest } from '../../../search/engine.ts';
import { checkPage, type PageRequest } from '../../../search/place.ts';
import { type FindPort, servedPorts, servePort } from '../../../search/ports.ts';
import { VECTORS, type Vectors } from '../../../search/vectors-port.ts';
import { recordedDocument } from '../prepared-document.ts';
import type { RemoteSnapshot } from '../remote-engine.ts';
import type { RemoteSpaces } from '../remote-spaces.ts';
import { type QueryVectors, ServerSnapshot } from '../server-snapshot.ts';
import { originalText, storedText } from '../stored-text.ts';
import { listFields, listValues } from './catalogue.ts';
import type { Body } from './client.ts';
import { filterQuery, type Query } from './filter.ts';
import { vectorField } from './mapping.ts';
import type { PointInTime } from './point-in-time.ts';
import { innerProductOf, nearestQuery, termsQuery, vectorScore } from './queries.ts';
import { keptByKey, type StateReads } from './state-reads.ts';

export interface SnapshotParts {
  readonly point: PointInTime;
  readonly reads: StateReads;
  readonly spaces: RemoteSpaces;
  readonly capabilities: Capabilities;
}

/** Ids in one search. */
const IDS = 10_000;
const HIT_FIELDS = ['id', 'document', 'start', 'end'];

export class OpenSearchSnapshot extends ServerSnapshot implements RemoteSnapshot, Vectors {
  readonly port: FindPort;
  readonly state: string;
  private readonly point: PointInTime;
  private readonly reads: StateReads;

  constructor(parts: SnapshotParts) {
    const { point, reads } = parts;
    super(parts, point.shows, reads.analysis);
    this.point = point;
    this.reads = reads;
    this.state = point.key;
    const { vectorSearch } = parts.capabilities;
    this.port = servedPorts(vectorSearch ? [servePort<Vectors>(VECTORS, this)] : []);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.point.close();
  }

  protected rank(
    { unit, k, queries, scorer, space }: SearchRequest,
    vectors: QueryVectors | undefined,
    call: Call,
  ): Promise<Ranking[]> {
    const name = scorer ?? (this.capabilities.scorers as readonly string[])[0]!;
    const isExact = this.capabilities.vectorSearch === 'exact';
    const asked = queries.map(({ text, filter }, at) => {
      const filters = filter ? [filterQuery(filter)] : [];
      if (!vectors) return termsQuery(unit, text!, name, this.within(filters));
      const vector = vectors[at];
      const within = this.within([{ term: { unit } }, ...filters]);
      return vector && nearestQuery(this.fieldOf(unit, space!), vector, within, { k, isExact });
    });
    return this.sent(asked, k, vectors ? innerProductOf : score => score, call);
  }

  /** Sends the queries together; undefined finds nothing. */
  private async sent(
    queries: readonly (Query | undefined)[],
    k: number,
    scoreOf: (score: number) => number,
    call: Call,
  ): Promise<Ranking[]> {
    const bodies = queries.flatMap(query =>
      query && k > 0 && this.point.documents > 0 ? [this.hitsBody(query, k)] : [],
    );
    const answers = (await this.point.searches(bodies, call)).values();
    return queries.map(query =>
      query && bodies.length > 0
        ? (answers.next().value as Body).hits.hits.map((hit: Body) => hitOf(hit, scoreOf))
        : [],
    );
  }

  private hitsBody(query: Query, size: number): Query {
    const sort = [{ _score: 'desc' }, { id: 'asc' }];
    return { query, size, sort, _source: false, docvalue_fields: HIT_FIELDS };
  }

  private within(filters: readonly Query[]): Query[] {
    return [this.point.visible, ...filters];
  }

  protected async loadItems(unit: Unit, ids: readonly string[], call: Call): Promise<Passage[]> {
    const source = ['id', 'document', 'start', 'end', 'text'];
    const found = await this.byId(unit, ids, { _source: source }, call);
    return found.map(({ _source }) => passageOf(_source));
  }

  protected async loadDocuments(ids: readonly string[], call: Call): Promise<Document[]> {
    const { label } = this.point;
    const found = await this.byId('document', ids, { _source: ['id', 'record'] }, call);
    return found.map(({ _source }) => recordedDocument(_source.record, label));
  }

  async page(page: PageRequest, call: Call): Promise<Document[]> {
    checkPage(page);
    const { filter, after, limit } = page;
    await this.checkFields(filter, call);
    const filters = filter ? [filterQuery(filter)] : [];
    const body = {
      query: { bool: { filter: this.within([{ term: { unit: 'document' } }, ...filters]) } },
      sort: [{ id: 'asc' }],
      size: limit,
      _source: ['record'],
      search_after: after === undefined ? undefined : [storedText(after)],
    };
    const [{ hits }] = await this.point.searches([body], call);
    const { label } = this.point;
    return hits.hits.map(({ _source }: Body) => recordedDocument(_source.record, label));
  }

  async count(filter: Filter | undefined, call: Call): Promise<number> {
    if (!filter) return this.point.documents;
    await this.checkFields(filter, call);
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
          query: own(unit),
          size: 1_000_000,
          sort: [{ document: 'asc' }, { place: 'asc' }],
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
    await this.checkFields(request.filter, call);
    const list = (): Promise<FieldValue[]> => listValues(this.aggregate, field, request, call);
    if (request.filter) return list();
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
    this.checkSpace(unit, space, [], call);
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
    this.checkSpace(unit, space, vectors, call);
    const parts = chunks(ids);
    const field = this.fieldOf(unit, space);
    const bodies = vectors.flatMap(vector =>
      parts.map(own => ({
        query: vectorScore(
          field,
          vector,
          this.within([{ term: { unit } }, { terms: { id: own } }]),
        ),
        size: own.length,
        _source: false,
        docvalue_fields: ['id'],
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

  /** Returns what is stored of items, in the order of the ids. */
  private async byId(unit: Unit, ids: readonly string[], what: Query, call: Call): Promise<Body[]> {
    const bodies = chunks(ids).map(own => ({
      query: { bool: { filter: this.within([{ term: { unit } }, { terms: { id: own } }]) } },
      size: own.length,
      ...what,
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
    return vectorField(this.numberOf(space), unit);
  }
}

/** Returns distinct ids as they are stored, in lists for one search each. */
function chunks(ids: readonly string[]): string[][] {
  const distinct = [...new Set(ids.map(storedText))];
  return Array.from({ length: Math.ceil(distinct.length / IDS) }, (_, at) =>
    distinct.slice(at * IDS, (at + 1) * IDS),
  );
}

function hitOf({ fields, _score }: Body, scoreOf: (score: number) => number): Hit {
  const [id, documentId] = [originalText(fields.id[0]), originalText(fields.document[0])];
  return { id, documentId, start: fields.start[0], end: fields.end[0], score: scoreOf(_score) };
}

const passageOf = ({ id, document, start, end, text }: Body): Passage => ({
  id: originalText(id),
  documentId: originalText(document),
  start,
  end,
  text: originalText(text),
});
