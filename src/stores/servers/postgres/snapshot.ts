/** One state of an engine in PostgreSQL: a transaction that reads it until it is disposed of. */
import type { Document, Passage } from '../../../core/corpus/document.ts';
import type { Filter } from '../../../core/corpus/filter.ts';
import type { Hit, Ranking, Unit } from '../../../core/ranking/ranking.ts';
import type { Call } from '../../../core/trace/call.ts';
import type { FieldValue, SearchRequest, ValuesRequest } from '../../../search/engine.ts';
import type { PageRequest } from '../../../search/place.ts';
import { bm25Of } from '../lexical-plan.ts';
import { recordedDocument } from '../prepared-document.ts';
import { innerProduct } from '../remote-spaces.ts';
import {
  type QueryVectors,
  ServerSnapshot,
  type ServerSnapshotParts,
  type SpaceItems,
} from '../server-snapshot.ts';
import { originalText, storedText } from '../stored-text.ts';
import { listValues } from './catalogue.ts';
import type { Row, Session } from './client.ts';
import { filterCondition } from './filter.ts';
import { rankByTerms } from './lexical.ts';
import type { Reads } from './reads.ts';
import { type OpenedState, unitNumber, vectorTable } from './schema.ts';
import { Sql } from './sql.ts';
import { nearest, sentVector } from './vectors.ts';

export interface SnapshotParts extends ServerSnapshotParts {
  readonly session: Session;
  readonly reads: Reads;
  readonly label: string;
  readonly opened: OpenedState;
}

export class PostgresSnapshot extends ServerSnapshot {
  private readonly session: Session;
  private readonly known: Reads;
  private readonly label: string;

  constructor(parts: SnapshotParts) {
    const { documents, generation } = parts.reads;
    const { chunker, spaces } = parts.opened;
    super(parts, { documents, generation, chunker, spaces });
    this.session = parts.session;
    this.known = parts.reads;
    this.label = parts.label;
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

  private byTerms(
    { unit, k, queries, scorer, typed }: SearchRequest,
    call: Call,
  ): Promise<Row[][]> {
    const name = scorer ?? (this.capabilities.scorers as readonly string[])[0]!;
    const asked = queries.map(({ text, filter, holding }) => ({ text: text!, filter, holding }));
    const request = { unit, k, scorer: bm25Of(name), queries: asked, typed };
    return rankByTerms(this.session, this.known, request, call);
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
    const { ids } = this.known;
    const numbers = [...new Set(rows.map(({ document }) => document as number))];
    const missing = numbers.filter(no => !ids.get(`${no}`));
    if (missing.length > 0) {
      const found = await this.session.rows(
        'SELECT no, id FROM document WHERE no = ANY($1)',
        [missing],
        call,
      );
      for (const { no, id } of found) ids.set(`${no}`, originalText(id));
    }
    return new Map(numbers.map(no => [no, ids.get(`${no}`)!]));
  }

  protected async loadItems(unit: Unit, ids: readonly string[], call: Call): Promise<Passage[]> {
    const rows = await this.session.rows(
      `SELECT i.id, d.id AS document, i.first, i.last, i.text
        FROM item i JOIN document d ON d.no = i.document WHERE i.unit = $1 AND i.id = ANY($2)`,
      [unitNumber(unit), ids.map(storedText)],
      call,
    );
    return rows.map(passageOf);
  }

  protected async loadDocuments(ids: readonly string[], call: Call): Promise<Document[]> {
    const statement = 'SELECT record FROM document WHERE id = ANY($1)';
    return this.recorded(await this.session.rows(statement, [ids.map(storedText)], call));
  }

  protected async loadPage(page: PageRequest, call: Call): Promise<Document[]> {
    const sql = new Sql();
    const from = `FROM document d ${whereOf(page, sql)}`;
    const statement = `SELECT d.record ${from} ORDER BY d.id LIMIT ${sql.bind(page.limit)}`;
    return this.recorded(await this.session.rows(statement, sql.values, call));
  }

  private recorded(rows: readonly Row[]): Document[] {
    return rows.map(({ record }) => recordedDocument(record, this.label));
  }

  protected async countPassing(filter: Filter, call: Call): Promise<number> {
    const sql = new Sql();
    const from = `FROM document d ${whereOf({ filter }, sql)}`;
    const statement = `SELECT count(*)::integer AS n ${from}`;
    const [row] = await this.session.rows(statement, sql.values, call);
    return row.n;
  }

  protected async loadParts(
    unit: 'passage' | 'sentence',
    documentIds: readonly string[],
    call: Call,
  ): Promise<Map<string, Passage[]>> {
    const rows = await this.session.rows(
      `SELECT d.id AS document, i.id, i.first, i.last, i.text
        FROM document d LEFT JOIN item i ON i.document = d.no AND i.unit = $1
        WHERE d.id = ANY($2) ORDER BY d.no, i.place`,
      [unitNumber(unit), documentIds.map(storedText)],
      call,
    );
    const lists = Map.groupBy(rows, ({ document }) => originalText(document));
    return new Map(
      [...lists].map(([id, list]) => [id, list.filter(row => row.id !== null).map(passageOf)]),
    );
  }

  protected listValues(field: string, request: ValuesRequest, call: Call): Promise<FieldValue[]> {
    return listValues(this.session, field, request, call);
  }

  async fields(_call?: Call): Promise<string[]> {
    return [...this.known.fields];
  }

  protected async loadVectors(
    { unit, ids, space }: SpaceItems,
    call: Call,
  ): Promise<Map<string, Float32Array>> {
    const rows = await this.session.rows(
      `SELECT i.id, vector_send(v.embedding) AS embedding
        FROM item i JOIN ${this.tableOf(unit, space)} v ON v.item = i.no
        WHERE i.unit = $1 AND i.id = ANY($2)`,
      [unitNumber(unit), ids.map(storedText)],
      call,
    );
    return new Map(rows.map(row => [originalText(row.id), sentVector(row.embedding)]));
  }

  protected async loadScores(
    items: SpaceItems,
    vectors: readonly Float32Array[],
    call: Call,
  ): Promise<Map<string, number>[]> {
    const rows = items.ids.length === 0 ? [] : [...(await this.loadVectors(items, call))];
    return vectors.map(
      vector => new Map(rows.map(([id, row]) => [id, innerProduct(vector, row)] as const)),
    );
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

const passageOf = ({ id, document, first, last, text }: Row): Passage => ({
  id: originalText(id),
  documentId: originalText(document),
  start: first,
  end: last,
  text: originalText(text),
});
