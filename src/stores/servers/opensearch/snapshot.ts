/** One state of an engine in OpenSearch: a point in time that is read until it is disposed of. */
import type { Document, Passage } from '../../../core/corpus/document.ts';
import type { Filter } from '../../../core/corpus/filter.ts';
import type { Hit, Ranking, Unit } from '../../../core/ranking/ranking.ts';
import { type Call, freeCall } from '../../../core/trace/call.ts';
import { languageTerm, STEMMED_LANGUAGES } from '../../../language/stems/stems.ts';
import type { FieldValue, SearchRequest, ValuesRequest } from '../../../search/engine.ts';
import type { PageRequest } from '../../../search/place.ts';
import { recordedDocument } from '../prepared-document.ts';
import {
  type QueryVectors,
  ServerSnapshot,
  type ServerSnapshotParts,
  type SpaceItems,
  StateReads,
} from '../server-snapshot.ts';
import { originalText, storedText } from '../stored-text.ts';
import { listFields, listValues } from './catalogue.ts';
import type { Body } from './client.ts';
import { filterQuery, type Query } from './filter.ts';
import { vectorField } from './mapping.ts';
import type { PointInTime } from './point-in-time.ts';
import {
  countedWords,
  countingBody,
  holdingAll,
  innerProductOf,
  nearestQuery,
  readCounts,
  type TermCounts,
  type TermsText,
  termsQuery,
  vectorScore,
} from './queries.ts';

export interface SnapshotParts extends ServerSnapshotParts {
  readonly point: PointInTime;
  readonly reads: FieldReads;
}

/** Reads of one state, and the names of its fields. */
export class FieldReads extends StateReads {
  fields?: Promise<string[]>;
}

/** Ids in one search. */
const IDS = 10_000;
const HIT_FIELDS = ['id', 'document', 'start', 'end'];

export class OpenSearchSnapshot extends ServerSnapshot {
  readonly state: string;
  private readonly point: PointInTime;
  private readonly known: FieldReads;

  constructor(parts: SnapshotParts) {
    const { point } = parts;
    super(parts, point.shows);
    this.point = point;
    this.known = parts.reads;
    this.state = point.key;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.point.close();
  }

  protected rank(
    request: SearchRequest,
    vectors: QueryVectors | undefined,
    call: Call,
  ): Promise<Ranking[]> {
    return vectors ? this.nearest(request, vectors, call) : this.byTerms(request, call);
  }

  private async byTerms(
    { unit, k, queries, scorer, typed }: SearchRequest,
    call: Call,
  ): Promise<Ranking[]> {
    const name = scorer ?? (this.capabilities.scorers as readonly string[])[0]!;
    const languages = await this.languages(call);
    const asked = queries.map(async ({ text, filter, holding = [] }) => {
      const terms = { unit, text: text!, scorer: name, typed, languages };
      const counted = await this.countedOf(terms, call);
      const filters = [...holdingAll(unit, holding), ...(filter ? [filterQuery(filter)] : [])];
      return termsQuery(terms, this.within(filters), counted);
    });
    return this.sent(await Promise.all(asked), k, score => score, call);
  }

  /** Asks for counts only where terms weigh by those of others: identifiers, stems. */
  private async countedOf(terms: TermsText, call: Call): Promise<TermCounts | undefined> {
    const words = countedWords(terms);
    if (words.length === 0 || this.point.documents === 0) return undefined;
    return this.countsOf(terms.unit, words, call);
  }

  private async countsOf(unit: Unit, words: readonly string[], call: Call): Promise<TermCounts> {
    const body = countingBody(unit, words, this.within([]));
    return readCounts(words, (await this.point.searches([body], call))[0]);
  }

  /** Returns the languages with stems that documents have. */
  private async languages(call: Call): Promise<readonly string[]> {
    if (this.point.documents === 0) return [];
    const listed = await this.known.values('languages with stems', async () => {
      const { ofWord } = await this.countsOf('document', STEMMED_LANGUAGES.map(languageTerm), call);
      return STEMMED_LANGUAGES.flatMap(value => {
        const documents = ofWord.get(languageTerm(value))!;
        return documents > 0 ? [{ value, documents }] : [];
      });
    });
    return listed.map(({ value }) => String(value));
  }

  private nearest(
    { unit, k, queries, space }: SearchRequest,
    vectors: QueryVectors,
    call: Call,
  ): Promise<Ranking[]> {
    const isExact = this.capabilities.vectorSearch === 'exact';
    const asked = queries.map(({ filter }, at) => {
      const filters = filter ? [filterQuery(filter)] : [];
      const vector = vectors[at];
      const within = this.within([{ term: { unit } }, ...filters]);
      return vector && nearestQuery(this.fieldOf(unit, space!), vector, within, { k, isExact });
    });
    return this.sent(asked, k, innerProductOf, call);
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
    const _source = ['id', 'document', 'start', 'end', 'text'];
    return (await this.items(unit, ids, { _source }, call)).map(passageOf);
  }

  protected async loadDocuments(ids: readonly string[], call: Call): Promise<Document[]> {
    return this.recorded(await this.items('document', ids, { _source: ['record'] }, call));
  }

  protected async loadPage({ filter, after, limit }: PageRequest, call: Call): Promise<Document[]> {
    const filters = filter ? [filterQuery(filter)] : [];
    const body = {
      query: { bool: { filter: this.within([{ term: { unit: 'document' } }, ...filters]) } },
      sort: [{ id: 'asc' }],
      size: limit,
      _source: ['record'],
      search_after: after === undefined ? undefined : [storedText(after)],
    };
    return this.recorded(sourcesOf(await this.point.searches([body], call)));
  }

  private recorded(sources: readonly Body[]): Document[] {
    return sources.map(({ record }) => recordedDocument(record, this.point.label));
  }

  protected async countPassing(filter: Filter, call: Call): Promise<number> {
    const aggregations = { passing: { filter: filterQuery(filter) } };
    return (await this.aggregate([], aggregations, call)).passing.doc_count;
  }

  protected async loadParts(
    unit: 'passage' | 'sentence',
    documentIds: readonly string[],
    call: Call,
  ): Promise<Map<string, Passage[]>> {
    const bodies = chunks(documentIds).flatMap(ids => {
      const filter = this.within([{ terms: { document: ids } }]);
      const among = (unit: Unit): Query => ({ bool: { filter: [...filter, { term: { unit } }] } });
      return [
        { query: among('document'), size: ids.length, _source: false, docvalue_fields: ['id'] },
        {
          query: among(unit),
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
    return lists;
  }

  protected listValues(field: string, request: ValuesRequest, call: Call): Promise<FieldValue[]> {
    return listValues(this.aggregate, field, request, call);
  }

  async fields(call: Call = freeCall()): Promise<string[]> {
    this.known.fields ??= listFields(this.aggregate, call).catch(error => {
      delete this.known.fields;
      throw error;
    });
    return [...(await this.known.fields)];
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

  protected async loadVectors(
    { unit, ids, space }: SpaceItems,
    call: Call,
  ): Promise<Map<string, Float32Array>> {
    const field = this.fieldOf(unit, space);
    const found = await this.items(unit, ids, { _source: ['id', field] }, call);
    return new Map(
      found.map(source => [originalText(source.id), Float32Array.from(source[field])]),
    );
  }

  protected async loadScores(
    { unit, ids, space }: SpaceItems,
    vectors: readonly Float32Array[],
    call: Call,
  ): Promise<Map<string, number>[]> {
    const parts = chunks(ids);
    const field = this.fieldOf(unit, space);
    const bodies = vectors.flatMap(vector =>
      parts.map(part => ({
        query: vectorScore(
          field,
          vector,
          this.within([{ term: { unit } }, { terms: { id: part } }]),
        ),
        size: part.length,
        _source: false,
        docvalue_fields: ['id'],
      })),
    );
    const answers = await this.point.searches(bodies, call);
    return vectors.map((_, at) => {
      const hits = answers
        .slice(at * parts.length, (at + 1) * parts.length)
        .flatMap(answer => answer.hits.hits as Body[]);
      return new Map(
        hits.map(({ fields, _score }) => [originalText(fields.id[0]), innerProductOf(_score)]),
      );
    });
  }

  /** Returns what is stored of items. */
  private async items(
    unit: Unit,
    ids: readonly string[],
    what: Query,
    call: Call,
  ): Promise<Body[]> {
    const bodies = chunks(ids).map(part => ({
      query: { bool: { filter: this.within([{ term: { unit } }, { terms: { id: part } }]) } },
      size: part.length,
      ...what,
    }));
    return sourcesOf(await this.point.searches(bodies, call));
  }

  private fieldOf(unit: Unit, space: string): string {
    return vectorField(this.numberOf(space), unit);
  }
}

/** Returns ids as they are stored, in lists for one search each. */
const chunks = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / IDS) }, (_, at) =>
    ids.slice(at * IDS, (at + 1) * IDS).map(storedText),
  );

const sourcesOf = (answers: readonly Body[]): Body[] =>
  answers.flatMap(({ hits }) => hits.hits.map(({ _source }: Body) => _source));

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
