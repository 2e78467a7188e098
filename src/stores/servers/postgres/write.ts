/** Writes documents in one transaction: all of a batch are stored with their counts, or none. */
import type { Document } from '../../../core/corpus/document.ts';
import { InputError } from '../../../core/errors.ts';
import type { Call } from '../../../core/trace/call.ts';
import { unknownId } from '../../../search/checked-search.ts';
import type { Cut } from '../../../search/corpus/items.ts';
import type { Stored } from '../../../search/engine.ts';
import { checkWritable } from '../engine-checks.ts';
import {
  checkStorable,
  contentHash,
  type PreparedDocument,
  prepareDocument,
} from '../prepared-document.ts';
import type { RemoteSpaces } from '../remote-spaces.ts';
import { storedText } from '../stored-text.ts';
import type { Client, Session } from './client.ts';
import { type Embedded, type EmbeddedById, insertRound } from './insert.ts';
import { checkVersion, type OpenedState, vectorTable } from './schema.ts';

export interface Writing {
  readonly client: Client;
  readonly state: OpenedState;
  readonly spaces: RemoteSpaces;
  readonly cut: Cut;
}

/** Characters of documents whose postings one round of statements writes. */
const ROUND = 1 << 18;

/** Puts documents. Throws `InputError('duplicate-id' | 'bad-document')` before any work. */
export async function putDocuments(
  writing: Writing,
  documents: readonly Document[],
  call: Call,
): Promise<Stored> {
  const hashes = hashesOf(documents);
  const { client, state, spaces } = writing;
  checkWritable(client.address, state.spaces, spaces.records);
  // Embeds before the transaction, so that no model keeps other writers waiting.
  const embedded = new Map<string, Embedded>();
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
  const distinct = [...new Set(ids)];
  return inTransaction(writing.client, call, async session => {
    const rows = await session.rows(
      'SELECT no, id FROM document WHERE id = ANY($1)',
      [distinct.map(storedText)],
      call,
    );
    const numbers = new Map<string, number>(rows.map(({ id, no }) => [id, no]));
    const missing = distinct.find(id => !numbers.has(storedText(id)));
    if (missing !== undefined) throw unknownId('document', missing);
    if (distinct.length > 0) {
      await removeNumbers(writing, session, [...numbers.values()], call);
      await advance(session, -distinct.length, call);
    }
    return { added: 0, changed: 0, unchanged: 0, removed: distinct.length };
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
  into: Map<string, Embedded>,
  call: Call,
): Promise<void> {
  if (state.spaces.length === 0) return;
  const waiting = documents
    .filter(({ id }) => !into.has(id))
    .map(document => prepareDocument(document, cut));
  const vectors = await spaces.itemVectors(waiting, call);
  for (const prepared of waiting) into.set(prepared.document.id, { prepared, vectors });
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
    if (round.length > 0) await insertRound(session, writing.state.spaces, round, embedded, call);
    [round, characters] = [[], 0];
  };
  for (const document of documents) {
    round.push(embedded.get(document.id)?.prepared ?? prepareDocument(document, writing.cut));
    characters += document.text.length;
    if (characters >= ROUND) await flush();
  }
  await flush();
}
