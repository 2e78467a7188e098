/** One state of an engine in PostgreSQL: a transaction that reads it until it is disposed of. */
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
import { bm25Of } from '../lexical-plan.ts';
import { recordedDocument } from '../prepared-document.ts';
import type { RemoteSnapshot } from '../remote-engine.ts';
import { innerProduct, type RemoteSpaces } from '../remote-spaces.ts';
import { type QueryVectors, ServerSnapshot } from '../server-snapshot.ts';
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

export class PostgresSnapshot extends ServerSnapshot implements RemoteSnapshot, Vectors {
  readonly port: FindPort;
  private readonly session: Session;
  private readonly reads: Reads;
  private readonly label: string;

  constructor(parts: SnapshotParts) {
    const { reads, state } = parts;
    const { documents, generation } = reads;
    const { chunker, spaces } = state;
    super(parts, { documents, generation, chunker, spaces }, reads.analysis);
    this.session = parts.session;
    this.reads = reads;
    this.label = parts.label;
    const { vectorSearch } = parts.capabilities;
    this.port = servedPorts(vectorSearch ? [servePort<Vectors>(VECTORS, this)] : []);
  }

  /** Statements of this snapshot so far. */
  get roundTrips(): number {
    return this.session.roundTrips;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { session } = this;
    // A run that was aborted leaves its statement to the server, which would finish it.
    if (session.isBusy) return session.abandon();
    await session.results('ROLLBACK').catch(() => {});
    session.end();
  }

  protected async rank(
    request: SearchRequest,
    vectors: QueryVectors | undefined,
    call: Call,
  ): Promise<Ranking[]> {
    const lists = await (vectors
      ? this.nearest(request, vectors, call)
      : this.byTerms(request, call));
    return this.hitsOf(lists, request.unit, call);
  }

  private byTerms({ unit, k, queries, scorer }: SearchRequest, call: Call): Promise<Row[][]> {
    const name = scorer ?? (this.capabilities.scorers as readonly string[])[0]!;
    const asked = queries.map(({ text, filter }) => ({ text: text!, filter }));
    const request = { unit, k, scorer: bm25Of(name), queries: asked };
    return rankByTerms(this.session, this.reads, request, call);
  }

  private async nearest(
    { unit, k, queries, space }: SearchRequest,
    vectors: QueryVectors,
    call: Call,
  ): Promise<Row[][]> {
    const isExact = this.capabilities.vectorSearch === 'exact';
    const table = this.tableOf(unit, space!);
    const lists: Row[][] = [];
    for (const [at, { filter }] of queries.entries()) {
      const vector = vectors[at];
      const query = vector && k > 0 && { vector, filter };
      lists.push(query ? await nearest(this.session, table, query, { k, isExact }, call) : []);
    }
    return lists;
  }

  /** Names the documents of rows. A document's own rows hold its id. */
  private async hitsOf(
    lists: readonly (readonly Row[])[],
    unit: Unit,
    call: Call,
  ): Promise<Ranking[]> {
    const documentIds =
      unit === 'document' ? undefined : await this.documentIds(lists.flat(), call);
    return lists.map(list =>
      list.map(({ id: stored, document, first, last, score }): Hit => {
        const id = originalText(stored);
        return { id, documentId: documentIds?.get(document) ?? id, start: first, end: last, score };
      }),
    );
  }

  private async documentIds(rows: readonly Row[], call: Call): Promise<Map<number, string>> {
    const { session, reads } = this;
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

  protected async loadItems(unit: Unit, ids: readonly string[], call: Call): Promise<Passage[]> {
    const rows = await this.session.rows(
      `SELECT i.id, d.id AS document, i.first, i.last, i.text
        FROM item i JOIN document d ON d.no = i.document WHERE i.unit = $1 AND i.id = ANY($2)`,
      [unitNumber(unit), [...new Set(ids.map(storedText))]],
      call,
    );
    const byId = new Map(rows.map(row => [row.id as string, passageOf(row)]));
    return ids.map(id => byId.get(storedText(id)) ?? missing(unit, id));
  }

  protected async loadDocuments(ids: readonly string[], call: Call): Promise<Document[]> {
    const { session, label } = this;
    const statement = 'SELECT id, record FROM document WHERE id = ANY($1)';
    const rows = await session.rows(statement, [ids.map(storedText)], call);
    const byId = new Map(rows.map(row => [row.id as string, recordedDocument(row.record, label)]));
    return ids.map(id => byId.get(storedText(id)) ?? missing('document', id));
  }

  async page(page: PageRequest, call: Call): Promise<Document[]> {
    checkPage(page);
    await this.checkFields(page.filter, call);
    const sql = new Sql();
    const from = `FROM document d ${whereOf(page, sql)}`;
    const rows = await this.session.rows(
      `SELECT d.record ${from} ORDER BY d.id LIMIT ${sql.bind(page.limit)}`,
      sql.values,
      call,
    );
    return rows.map(({ record }) => recordedDocument(record, this.label));
  }

  async count(filter: Filter | undefined, call: Call): Promise<number> {
    if (!filter) return this.reads.documents;
    await this.checkFields(filter, call);
    const sql = new Sql();
    const from = `FROM document d ${whereOf({ filter }, sql)}`;
    const [row] = await this.session.rows(
      `SELECT count(*)::integer AS n ${from}`,
      sql.values,
      call,
    );
    return row.n;
  }

  async parts(
    unit: 'passage' | 'sentence',
    documentIds: readonly string[],
    call: Call = freeCall(),
  ): Promise<Passage[][]> {
    call.signal.throwIfAborted();
    if (documentIds.length === 0) return [];
    const rows = await this.session.rows(
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
    await this.checkFields(request.filter, call);
    const { session, reads } = this;
    if (request.filter) return listValues(session, field, request, call);
    const key = JSON.stringify([field, request]);
    const values = reads.values.get(key) ?? (await listValues(session, field, request, call));
    reads.values.set(key, values);
    return [...values];
  }

  async fields(_call?: Call): Promise<string[]> {
    return [...this.reads.fields];
  }

  async vectors(
    unit: Unit,
    ids: readonly string[],
    space: string,
    call: Call,
  ): Promise<Float32Array[]> {
    this.checkSpace(unit, space, [], call);
    if (ids.length === 0) return [];
    const rows = await this.session.rows(
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
    this.checkSpace(unit, space, vectors, call);
    const rows = await this.vectors(unit, ids, space, call);
    return vectors.map(vector => Float64Array.from(rows, row => innerProduct(vector, row)));
  }

  private tableOf(unit: Unit, space: string): string {
    return vectorTable(this.numberOf(space), unit);
  }
}

function whereOf({ filter, after }: Omit<PageRequest, 'limit'>, sql: Sql): string {
  const conditions = [
    ...(after === undefined ? [] : [`d.id > ${sql.bind(storedText(after))}`]),
    ...(filter ? [filterCondition(filter, 'd.no', sql)] : []),
  ];
  return conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
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
