/** One state of an engine in PostgreSQL: a transaction that reads it until it is disposed of. */
import type { AnalysisCache } from '../../../core/corpus/analysis-cache.ts';
import type { Document, Passage } from '../../../core/corpus/document.ts';
import type { Filter } from '../../../core/corpus/filter.ts';
import type { Hit, Ranking, Unit } from '../../../core/ranking/ranking.ts';
import { type Call, freeCall } from '../../../core/trace/call.ts';
import type { Capabilities } from '../../../search/capabilities.ts';
import { checkedVector, checkSearch, unknownId } from '../../../search/checked-search.ts';
import type { FieldValue, SearchRequest, ValuesRequest } from '../../../search/engine.ts';
import { checkFilterFields } from '../../../search/filter-fields.ts';
import { checkPage, type PageRequest } from '../../../search/place.ts';
import { type FindPort, servedPorts, servePort } from '../../../search/ports.ts';
import { canonicalSpace } from '../../../search/space-names.ts';
import { VECTORS, type Vectors } from '../../../search/vectors-port.ts';
import { DocumentReads } from '../document-reads.ts';
import { type Bm25, bm25Of } from '../lexical-plan.ts';
import { recordedDocument } from '../prepared-document.ts';
import type { RemoteSnapshot, RemoteState } from '../remote-engine.ts';
import { innerProduct, type RemoteSpaces } from '../remote-spaces.ts';
import { originalText, storedText } from '../stored-text.ts';
import { listValues } from './catalogue.ts';
import type { Row, Session } from './client.ts';
import { filterCondition } from './filter.ts';
import { rankByTerms } from './lexical.ts';
import type { Reads } from './reads.ts';
import { type OpenedState, unitNumber, vectorTable } from './schema.ts';
import { Sql } from './sql.ts';
import { nearest, sentVector } from './vectors.ts';

export interface SnapshotParts {
  readonly session: Session;
  readonly reads: Reads;
  readonly label: string;
  readonly state: OpenedState;
  readonly spaces: RemoteSpaces;
  readonly capabilities: Capabilities;
}

export class PostgresSnapshot implements RemoteSnapshot, Vectors {
  readonly capabilities: Capabilities;
  readonly port: FindPort;
  readonly analysis: AnalysisCache;
  private readonly parts_: SnapshotParts;
  private readonly usual: Bm25;
  private readonly documents: DocumentReads;

  constructor(parts: SnapshotParts) {
    this.parts_ = parts;
    this.capabilities = parts.capabilities;
    this.documents = new DocumentReads((ids, call) => this.loadDocuments(ids, call));
    this.analysis = parts.reads.analysis;
    this.usual = bm25Of((this.capabilities.scorers as readonly string[])[0]!);
    const { vectorSearch } = this.capabilities;
    this.port = servedPorts(vectorSearch ? [servePort<Vectors>(VECTORS, this)] : []);
  }

  get shows(): RemoteState {
    const { reads, state } = this.parts_;
    const { documents, generation } = reads;
    return { documents, generation, chunker: state.chunker, spaces: state.spaces };
  }

  /** Statements of this snapshot so far. */
  get roundTrips(): number {
    return this.parts_.session.roundTrips;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { session } = this.parts_;
    // A run that was aborted leaves its statement to the server, which would finish it.
    if (session.isBusy) return session.abandon();
    await session.results('ROLLBACK').catch(() => {});
    session.end();
  }

  async search(request: SearchRequest, call: Call = freeCall()): Promise<Ranking[]> {
    call.signal.throwIfAborted();
    const { session, reads } = this.parts_;
    checkSearch(request, this, reads.documents > 0 ? new Set(reads.fields) : undefined);
    const { unit, k, scorer, space } = request;
    if (space !== undefined) return this.searchSpace(request, space, call);
    const queries = request.queries.map(({ text, filter }) => ({ text: text!, filter }));
    const by = scorer === undefined ? this.usual : bm25Of(scorer);
    const lists = await rankByTerms(session, reads, { unit, k, scorer: by, queries }, call);
    return this.hitsOf(lists, unit, call);
  }

  private async searchSpace(
    { unit, k, queries }: SearchRequest,
    space: string,
    call: Call,
  ): Promise<Ranking[]> {
    const { session, spaces, reads } = this.parts_;
    const embedder = spaces.embedder(unit, space);
    const isEmpty = reads.documents === 0;
    const known = isEmpty
      ? queries.map(({ vector }) => (vector ? { vector } : { text: '' }))
      : queries;
    const vectors = await spaces.queryVectors(embedder, known, call);
    const isExact = this.capabilities.vectorSearch === 'exact';
    const lists: Row[][] = [];
    for (const [at, { filter }] of queries.entries()) {
      const vector = vectors[at];
      const table = this.tableOf(unit, space);
      lists.push(
        vector && k > 0
          ? await nearest(session, table, { vector, filter }, { k, isExact }, call)
          : [],
      );
    }
    return this.hitsOf(lists, unit, call);
  }

  /** Names the documents of rows. A document's own rows hold its id. */
  private async hitsOf(
    lists: readonly (readonly Row[])[],
    unit: Unit,
    call: Call,
  ): Promise<Ranking[]> {
    const documentIds =
      unit === 'document' ? undefined : await this.documentIds(lists.flat(), call);
    const rankings = lists.map(list =>
      list.map(({ id: stored, document, first, last, score }): Hit => {
        const id = originalText(stored);
        return { id, documentId: documentIds?.get(document) ?? id, start: first, end: last, score };
      }),
    );
    this.documents.found(rankings);
    return rankings;
  }

  private async documentIds(rows: readonly Row[], call: Call): Promise<Map<number, string>> {
    const { session, reads } = this.parts_;
    const wanted = [...new Set(rows.map(({ document }) => document as number))];
    const missing = wanted.filter(no => !reads.ids.get(`${no}`));
    if (missing.length > 0) {
      const found = await session.rows(
        'SELECT no, id FROM document WHERE no = ANY($1)',
        [missing],
        call,
      );
      for (const { no, id } of found) reads.ids.set(`${no}`, originalText(id));
    }
    return new Map(wanted.map(no => [no, reads.ids.get(`${no}`)!]));
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
    const rows = await this.parts_.session.rows(
      `SELECT i.id, d.id AS document, i.first, i.last, i.text
        FROM item i JOIN document d ON d.no = i.document WHERE i.unit = $1 AND i.id = ANY($2)`,
      [unitNumber(unit), [...new Set(ids.map(storedText))]],
      call,
    );
    const byId = new Map(rows.map(row => [row.id as string, passageOf(row)]));
    return ids.map(id => byId.get(storedText(id)) ?? missing(unit, id));
  }

  private async loadDocuments(ids: readonly string[], call: Call): Promise<Document[]> {
    const { session, label } = this.parts_;
    const statement = 'SELECT id, record FROM document WHERE id = ANY($1)';
    const rows = await session.rows(statement, [ids.map(storedText)], call);
    const byId = new Map(rows.map(row => [row.id as string, recordedDocument(row.record, label)]));
    return ids.map(id => byId.get(storedText(id)) ?? missing('document', id));
  }

  /** Returns documents ascending by id. */
  async page(page: PageRequest, call: Call): Promise<Document[]> {
    checkPage(page);
    const { session, label } = this.parts_;
    const sql = new Sql();
    const from = `FROM document d ${this.where(page, sql)}`;
    const rows = await session.rows(
      `SELECT d.record ${from} ORDER BY d.id LIMIT ${sql.bind(page.limit)}`,
      sql.values,
      call,
    );
    return rows.map(({ record }) => recordedDocument(record, label));
  }

  async count(filter: Filter | undefined, call: Call): Promise<number> {
    const { session, reads } = this.parts_;
    if (!filter) return reads.documents;
    const sql = new Sql();
    const from = `FROM document d ${this.where({ filter }, sql)}`;
    const [row] = await session.rows(`SELECT count(*)::integer AS n ${from}`, sql.values, call);
    return row.n;
  }

  private where({ filter, after }: Omit<PageRequest, 'limit'>, sql: Sql): string {
    const { documents, fields } = this.parts_.reads;
    if (filter && documents > 0) checkFilterFields(filter, new Set(fields));
    const conditions = [
      ...(after === undefined ? [] : [`d.id > ${sql.bind(storedText(after))}`]),
      ...(filter ? [filterCondition(filter, 'd.no', sql)] : []),
    ];
    return conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  }

  async parts(
    unit: 'passage' | 'sentence',
    documentIds: readonly string[],
    call: Call = freeCall(),
  ): Promise<Passage[][]> {
    call.signal.throwIfAborted();
    if (documentIds.length === 0) return [];
    const rows = await this.parts_.session.rows(
      `SELECT d.id AS document, i.id, i.first, i.last, i.text
        FROM document d LEFT JOIN item i ON i.document = d.no AND i.unit = $1
        WHERE d.id = ANY($2) ORDER BY d.no, i.place`,
      [unitNumber(unit), [...new Set(documentIds.map(storedText))]],
      call,
    );
    const byDocument = Map.groupBy(rows, ({ document }) => document as string);
    return documentIds.map(id => {
      const own = byDocument.get(storedText(id));
      if (!own) throw unknownId('document', id);
      return own.filter(row => row.id !== null).map(passageOf);
    });
  }

  async values(
    field: string,
    request: ValuesRequest = {},
    call: Call = freeCall(),
  ): Promise<FieldValue[]> {
    call.signal.throwIfAborted();
    const { session, reads } = this.parts_;
    if (request.filter && reads.documents > 0)
      checkSearch(
        { unit: 'document', k: 0, queries: [{ text: '', filter: request.filter }] },
        this,
        new Set(reads.fields),
      );
    const key = request.filter ? undefined : JSON.stringify([field, request]);
    const known = key === undefined ? undefined : reads.values.get(key);
    const values = known ?? (await listValues(session, field, request, call));
    if (key !== undefined) reads.values.set(key, values);
    return [...values];
  }

  async fields(_call?: Call): Promise<string[]> {
    return [...this.parts_.reads.fields];
  }

  async vectors(
    unit: Unit,
    ids: readonly string[],
    space: string,
    call: Call,
  ): Promise<Float32Array[]> {
    call.signal.throwIfAborted();
    this.parts_.spaces.embedder(unit, space);
    if (ids.length === 0) return [];
    const rows = await this.parts_.session.rows(
      `SELECT i.id, vector_send(v.embedding) AS embedding
        FROM item i JOIN ${this.tableOf(unit, space)} v ON v.item = i.no
        WHERE i.unit = $1 AND i.id = ANY($2)`,
      [unitNumber(unit), [...new Set(ids.map(storedText))]],
      call,
    );
    const byId = new Map<string, Float32Array>(
      rows.map(row => [row.id, sentVector(row.embedding)]),
    );
    return ids.map(id => {
      const vector = byId.get(storedText(id));
      if (!vector) throw unknownId(unit, id);
      return vector.slice();
    });
  }

  async scores(
    unit: Unit,
    ids: readonly string[],
    vectors: readonly Float32Array[],
    space: string,
    call: Call,
  ): Promise<Float64Array[]> {
    call.signal.throwIfAborted();
    const embedder = this.parts_.spaces.embedder(unit, space);
    for (const vector of vectors) checkedVector(vector, embedder);
    const rows = await this.vectors(unit, ids, space, call);
    return vectors.map(vector => Float64Array.from(rows, row => innerProduct(vector, row)));
  }

  async queryVectors(
    unit: Unit,
    texts: readonly string[],
    space: string,
    call: Call,
  ): Promise<(Float32Array | undefined)[]> {
    call.signal.throwIfAborted();
    const { spaces, reads } = this.parts_;
    const embedder = spaces.embedder(unit, space);
    const spoken = texts.map(text => ({ text: reads.documents === 0 ? '' : text }));
    return spaces.queryVectors(embedder, spoken, call);
  }

  private tableOf(unit: Unit, space: string): string {
    const name = canonicalSpace(space);
    return vectorTable(
      this.parts_.state.spaces.findIndex(one => one.name === name),
      unit,
    );
  }
}

function missing(unit: Unit, id: string): never {
  throw unknownId(unit, id);
}

const passageOf = ({ id, document, first, last, text }: Row): Passage => ({
  id: originalText(id),
  documentId: originalText(document),
  start: first,
  end: last,
  text: originalText(text),
});
