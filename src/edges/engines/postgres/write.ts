/** Writes documents in one transaction: all of a batch are stored with their counts, or none. */
import type { Document } from '../../../corpus/document.ts';
import { InputError } from '../../../errors.ts';
import type { Stored } from '../../../retrieval/engine.ts';
import type { Cut } from '../../../retrieval/items.ts';
import type { Call } from '../../../trace/call.ts';
import { unknownId } from '../checked-search.ts';
import { otherEmbedder } from '../engine-errors.ts';
import {
  checkStorable,
  contentHash,
  type PreparedDocument,
  type PreparedItem,
  prepareDocument,
} from '../prepared-document.ts';
import type { RemoteSpaces } from '../remote-spaces.ts';
import { storedText, termKey } from '../stored-text.ts';
import type { Client, Session } from './client.ts';
import { columnsOf, KINDS } from './filter.ts';
import { checkVersion, type OpenedState, unitNumber, vectorTable } from './schema.ts';

export interface Writing {
  readonly client: Client;
  readonly state: OpenedState;
  readonly spaces: RemoteSpaces;
  readonly cut: Cut;
}

/** Characters of documents whose postings one round of statements writes. */
const ROUND = 1 << 18;

/** A document that was prepared to be embedded, with its vectors by space. */
interface Embedded {
  readonly prepared: PreparedDocument;
  readonly vectors: ReadonlyMap<string, ReadonlyMap<PreparedItem, Float32Array>>;
}
type EmbeddedById = Map<string, Embedded>;

/** Puts documents. Throws `InputError('duplicate-id' | 'bad-document')` before any work. */
export async function putDocuments(
  writing: Writing,
  documents: readonly Document[],
  call: Call,
): Promise<Stored> {
  const hashes = hashesOf(documents);
  checkEmbedders(writing);
  const { client } = writing;
  // Embeds before the transaction, so that no model keeps other writers waiting.
  const embedded: EmbeddedById = new Map();
  if (writing.state.spaces.length > 0) {
    const before = await client.with(session => storedHashes(session, hashes, call));
    await embed(writing, changed(documents, hashes, before), embedded, call);
  }
  return inTransaction(client, call, async session => {
    const before = await storedHashes(session, hashes, call);
    const written = changed(documents, hashes, before);
    const replaced = written.flatMap(({ id }) => before.get(id)?.no ?? []);
    if (written.length > 0) {
      await embed(writing, written, embedded, call);
      await removeNumbers(writing, session, replaced, call);
      await insert(writing, session, written, embedded, call);
      await advance(session, written.length - replaced.length, call);
    }
    return {
      added: written.length - replaced.length,
      changed: replaced.length,
      unchanged: documents.length - written.length,
      removed: 0,
    };
  });
}

/** Removes documents. Throws `InputError('unknown-id')` before removing any. */
export async function removeDocuments(
  writing: Writing,
  ids: readonly string[],
  call: Call,
): Promise<Stored> {
  const wanted = [...new Set(ids)];
  return inTransaction(writing.client, call, async session => {
    const rows = await session.rows(
      'SELECT no, id FROM document WHERE id = ANY($1)',
      [wanted.map(storedText)],
      call,
    );
    const numbers = new Map<string, number>(rows.map(({ id, no }) => [id, no]));
    const missing = wanted.find(id => !numbers.has(storedText(id)));
    if (missing !== undefined) throw unknownId('document', missing);
    if (wanted.length > 0) {
      await removeNumbers(writing, session, [...numbers.values()], call);
      await advance(session, -wanted.length, call);
    }
    return { added: 0, changed: 0, unchanged: 0, removed: wanted.length };
  });
}

function hashesOf(documents: readonly Document[]): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const document of documents) {
    checkStorable(document);
    if (hashes.has(document.id))
      throw new InputError(
        'duplicate-id',
        `Two documents of one batch have the id "${document.id}"`,
      );
    hashes.set(document.id, contentHash(document));
  }
  return hashes;
}

/** Refuses to write documents without the vectors that the others have. */
function checkEmbedders({ client, state, spaces }: Writing): void {
  const given = spaces.records.map(({ name }) => name);
  const missing = state.spaces.filter(({ name }) => !given.includes(name));
  if (missing.length > 0)
    throw otherEmbedder(
      client.address,
      `the embedders ${state.spaces.map(({ name }) => name).join(', ')} for a write`,
      given.join(', ') || 'none',
    );
}

interface StoredHash {
  readonly no: number;
  readonly hash: string;
}

async function storedHashes(
  session: Session,
  hashes: ReadonlyMap<string, string>,
  call: Call,
): Promise<Map<string, StoredHash>> {
  const ids = [...hashes.keys()];
  const rows = await session.rows(
    `SELECT d.no, d.hash, w.place::int FROM unnest($1::text[]) WITH ORDINALITY w(id, place)
      JOIN document d ON d.id = w.id`,
    [ids.map(storedText)],
    call,
  );
  return new Map(rows.map(({ no, hash, place }) => [ids[place - 1]!, { no, hash }]));
}

const changed = (
  documents: readonly Document[],
  hashes: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, StoredHash>,
): Document[] => documents.filter(({ id }) => before.get(id)?.hash !== hashes.get(id));

/** Adds the vectors of documents that lack them. */
async function embed(
  { state, spaces, cut }: Writing,
  documents: readonly Document[],
  into: EmbeddedById,
  call: Call,
): Promise<void> {
  if (state.spaces.length === 0) return;
  for (const document of documents)
    if (!into.has(document.id)) {
      const prepared = prepareDocument(document, cut);
      into.set(document.id, { prepared, vectors: await spaces.itemVectors([prepared], call) });
    }
}

/** Holds the lock of writers to the end of the transaction; nothing is kept of one that fails. */
async function inTransaction<T>(
  client: Client,
  call: Call,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  call.signal.throwIfAborted();
  const session = await client.session();
  try {
    await session.results('BEGIN', undefined, call);
    await session.rows('SELECT pg_advisory_xact_lock(hashtext($1))', [client.schema], call);
    const [{ version }] = await session.rows('SELECT version FROM state', [], call);
    checkVersion(client, version);
    const result = await work(session);
    call.signal.throwIfAborted();
    // Not to be aborted: its outcome must be known.
    await session.results('COMMIT');
    session.end();
    return result;
  } catch (error) {
    if (InputError.is(error) && !session.isBusy) {
      await session.results('ROLLBACK').catch(() => {});
      session.end();
    }
    session.abandon();
    throw error;
  }
}

async function advance(session: Session, documents: number, call: Call): Promise<void> {
  await session.rows(
    'UPDATE state SET generation = generation + 1, documents = documents + $1',
    [documents],
    call,
  );
}

async function removeNumbers(
  { state }: Writing,
  session: Session,
  numbers: readonly number[],
  call: Call,
): Promise<void> {
  if (numbers.length === 0) return;
  const vectors = state.spaces.flatMap(({ units }, space) =>
    units.map(
      unit => `DELETE FROM ${vectorTable(space, unit)} v USING item i
      WHERE v.item = i.no AND i.document = ANY($1)`,
    ),
  );
  const statements = [
    ...vectors,
    `WITH gone AS (DELETE FROM posting WHERE document = ANY($1) RETURNING term),
      counted AS (SELECT term, count(*) AS items FROM gone GROUP BY term)
      UPDATE term t SET items = t.items - c.items FROM counted c WHERE t.no = c.term`,
    `WITH gone AS (DELETE FROM item WHERE document = ANY($1) RETURNING unit, length),
      counted AS (SELECT unit, count(*) AS items, sum(length) AS terms FROM gone GROUP BY unit)
      UPDATE unit u SET items = u.items - c.items, terms = u.terms - c.terms FROM counted c
      WHERE u.unit = c.unit`,
    `WITH gone AS (DELETE FROM value WHERE document = ANY($1) RETURNING document, field, own),
      counted AS (SELECT field, count(DISTINCT document) AS documents FROM gone
        WHERE NOT own GROUP BY field)
      UPDATE field f SET documents = f.documents - c.documents FROM counted c
      WHERE f.name = c.field`,
    'DELETE FROM document WHERE no = ANY($1)',
  ];
  for (const statement of statements) await session.rows(statement, [numbers], call);
  await session.rows('DELETE FROM field WHERE documents = 0', [], call);
}

async function insert(
  writing: Writing,
  session: Session,
  documents: readonly Document[],
  embedded: EmbeddedById,
  call: Call,
): Promise<void> {
  let round: PreparedDocument[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    if (round.length > 0) await insertRound(writing, session, round, embedded, call);
    [round, characters] = [[], 0];
  };
  for (const document of documents) {
    round.push(embedded.get(document.id)?.prepared ?? prepareDocument(document, writing.cut));
    characters += document.text.length;
    if (characters >= ROUND) await flush();
  }
  await flush();
}

async function insertRound(
  { state }: Writing,
  session: Session,
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
  for (const [space, { name, units }] of state.spaces.entries())
    for (const unit of units) {
      const own = numbered.filter(({ item }) => item.unit === unit);
      const rows = own.map(({ item, document }) => {
        const { id } = documents[document - taken.document]!.document;
        return vectorText(embedded.get(id)!.vectors.get(name)!.get(item)!);
      });
      await session.rows(
        `INSERT INTO ${vectorTable(space, unit)} (item, document, embedding)
          SELECT item, document, embedding::vector
          FROM unnest($1::int[], $2::int[], $3::text[]) x(item, document, embedding)`,
        [own.map(({ no }) => no), own.map(({ document }) => document), rows],
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
      .filter(field => !values.some(one => one.field === field))
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
    [terms.map(({ unit }) => unit), terms.map(({ term }) => term), terms.map(one => one.items)],
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
