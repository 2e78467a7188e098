/** Inserts documents, their values, items, postings and vectors, with the counts of each. */
import type { Call } from '../../../core/trace/call.ts';
import type { PreparedDocument, PreparedItem } from '../prepared-document.ts';
import type { SpaceRecord } from '../remote-spaces.ts';
import { storedText, termKey } from '../stored-text.ts';
import type { Session } from './client.ts';
import { columnsOf, KINDS } from './filter.ts';
import { unitNumber, vectorTable } from './schema.ts';

/** A document that was prepared to be embedded, with its vectors by space. */
export interface Embedded {
  readonly prepared: PreparedDocument;
  readonly vectors: ReadonlyMap<string, ReadonlyMap<PreparedItem, Float32Array>>;
}
export type EmbeddedById = ReadonlyMap<string, Embedded>;

/** Inserts documents with all that is searched of them. */
export async function insertRound(
  session: Session,
  spaces: readonly SpaceRecord[],
  documents: readonly PreparedDocument[],
  embedded: EmbeddedById,
  call: Call,
): Promise<void> {
  const items = documents.flatMap((document, at) =>
    document.items.map(item => ({ item, document: at })),
  );
  const [taken] = await session.rows(
    `UPDATE state SET next_document = next_document + $1, next_item = next_item + $2
      RETURNING next_document - $1 AS document, next_item - $2 AS item`,
    [documents.length, items.length],
    call,
  );
  const numbered = items.map(({ item, document }, at): NumberedItem => {
    return { item, no: taken.item + at, document: taken.document + document };
  });
  await insertRecords(session, documents, taken.document, call);
  await insertItems(session, numbered, call);
  await insertPostings(session, numbered, call);
  for (const [space, { name, units }] of spaces.entries())
    for (const unit of units) {
      const ofUnit = numbered.filter(({ item }) => item.unit === unit);
      const rows = ofUnit.map(({ item, document }) => {
        const { id } = documents[document - taken.document]!.document;
        return vectorText(embedded.get(id)!.vectors.get(name)!.get(item)!);
      });
      await session.rows(
        `INSERT INTO ${vectorTable(space, unit)} (item, document, embedding)
          SELECT item, document, embedding::vector
          FROM unnest($1::int[], $2::int[], $3::text[]) x(item, document, embedding)`,
        [ofUnit.map(({ no }) => no), ofUnit.map(({ document }) => document), rows],
        call,
      );
    }
}

interface NumberedItem {
  readonly item: PreparedItem;
  readonly no: number;
  readonly document: number;
}

/** Returns a vector as pgvector reads it; each number is that of 32 bits. */
export const vectorText = (vector: Float32Array): string => `[${vector.join(',')}]`;

async function insertRecords(
  session: Session,
  documents: readonly PreparedDocument[],
  first: number,
  call: Call,
): Promise<void> {
  await session.rows(
    `INSERT INTO document (no, id, hash, record)
      SELECT $1 + place - 1, id, hash, record
      FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY x(id, hash, record, place)`,
    [
      first,
      documents.map(({ document }) => storedText(document.id)),
      documents.map(({ hash }) => hash),
      documents.map(({ record }) => record),
    ],
    call,
  );
  const rows = documents.flatMap(({ document, values }, at) => {
    const found = values.map(({ field, value, own }) => {
      return [first + at, storedText(field), own, ...columnsOf(value)] as const;
    });
    // A field without a value, an empty list, is a field.
    const empty = Object.keys(document.metadata)
      .filter(field => !values.some(value => value.field === field))
      .map(field => [first + at, storedText(field), false, KINDS.none, null, null] as const);
    return [...found, ...empty];
  });
  const column = (at: number): unknown[] => rows.map(row => row[at]);
  await session.rows(
    `WITH added AS (INSERT INTO value (document, field, own, kind, text, number)
        SELECT * FROM unnest($1::int[], $2::text[], $3::bool[], $4::smallint[], $5::text[], $6::float8[])
        RETURNING document, field, own)
      INSERT INTO field (name, documents)
        SELECT field, count(DISTINCT document) FROM added WHERE NOT own GROUP BY field
        ON CONFLICT (name) DO UPDATE SET documents = field.documents + excluded.documents`,
    [0, 1, 2, 3, 4, 5].map(column),
    call,
  );
}

async function insertItems(
  session: Session,
  items: readonly NumberedItem[],
  call: Call,
): Promise<void> {
  const column = (of: (item: PreparedItem) => unknown): unknown[] =>
    items.map(({ item }) => of(item));
  await session.rows(
    `WITH added AS (INSERT INTO item (no, document, unit, id, place, first, last, length, text)
        SELECT * FROM unnest($1::int[], $2::int[], $3::smallint[], $4::text[], $5::int[], $6::int[],
          $7::int[], $8::int[], $9::text[])
        RETURNING unit, length),
      counted AS (SELECT unit, count(*) AS items, sum(length) AS terms FROM added GROUP BY unit)
      UPDATE unit u SET items = u.items + c.items, terms = u.terms + c.terms FROM counted c
      WHERE u.unit = c.unit`,
    [
      items.map(({ no }) => no),
      items.map(({ document }) => document),
      column(({ unit }) => unitNumber(unit)),
      column(({ id }) => storedText(id)),
      column(({ place }) => place),
      column(({ start }) => start),
      column(({ end }) => end),
      column(({ length }) => length),
      column(({ unit, text }) => (unit === 'document' ? null : storedText(text))),
    ],
    call,
  );
}

async function insertPostings(
  session: Session,
  items: readonly NumberedItem[],
  call: Call,
): Promise<void> {
  const known = new Map<string, { readonly unit: number; readonly term: string; items: number }>();
  for (const { item } of items)
    for (const word of item.counts.keys()) {
      const term = termKey(word);
      const key = `${item.unit} ${term}`;
      const before = known.get(key);
      if (before) before.items++;
      else known.set(key, { unit: unitNumber(item.unit), term, items: 1 });
    }
  const terms = [...known.values()];
  const rows = await session.rows(
    `INSERT INTO term (unit, term, items)
      SELECT * FROM unnest($1::smallint[], $2::text[], $3::int[])
      ON CONFLICT (unit, term) DO UPDATE SET items = term.items + excluded.items
      RETURNING no, unit, term`,
    [terms.map(({ unit }) => unit), terms.map(({ term }) => term), terms.map(term => term.items)],
    call,
  );
  const numbers = new Map<string, number>(
    rows.map(({ no, unit, term }) => [`${unit} ${term}`, no]),
  );
  const columns: number[][] = [[], [], [], [], []];
  for (const { item, no, document } of items) {
    const unit = unitNumber(item.unit);
    for (const [word, frequency] of item.counts) {
      const term = numbers.get(`${unit} ${termKey(word)}`)!;
      for (const [at, value] of [term, no, frequency, item.length, document].entries())
        columns[at]!.push(value);
    }
  }
  await session.rows(
    `INSERT INTO posting (term, item, frequency, length, document)
      SELECT * FROM unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::int[])`,
    columns,
    call,
  );
}
