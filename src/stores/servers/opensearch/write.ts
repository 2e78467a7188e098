/**
 * Writes to an index: a batch of at most 10,000 documents is seen as a whole or not at all. They
 * are added under the next generation, which the state then names, with the documents whose older
 * items it hides.
 */
import type { Document } from '../../../core/corpus/document.ts';
import type { Call } from '../../../core/trace/call.ts';
import { sha256 } from '../../../platform/sha256.ts';
import { unknownId } from '../../../search/checked-search.ts';
import type { Cut } from '../../../search/corpus/items.ts';
import type { Stored } from '../../../search/engine.ts';
import { checkWritable } from '../engine-checks.ts';
import { busy } from '../engine-errors.ts';
import { type PreparedDocument, type PreparedItem, prepareDocument } from '../prepared-document.ts';
import type { RemoteSpaces } from '../remote-spaces.ts';
import { storedText } from '../stored-text.ts';
import type { Body, Client } from './client.ts';
import { factsOf } from './facts.ts';
import { checkedHashes, storedHashes } from './hashes.ts';
import { termFields, vectorField, versionOf } from './mapping.ts';
import { purge, refresh, tidy } from './merge.ts';
import { hidden, type ReadState, readState } from './state.ts';
import { untilRoom } from './until-room.ts';
import { WriterLock } from './writer-lock.ts';

export interface Writing {
  readonly client: Client;
  readonly spaces: RemoteSpaces;
  readonly cut: Cut;
}

type Vectors = ReadonlyMap<string, ReadonlyMap<PreparedItem, Float32Array>>;

/** Characters of text in one request, about; vectors and terms make it some times as long. */
const ROUND = 500_000;
/** Documents of one change: the state, and with it every search, names what a change hides. */
const MOST = 10_000;
/** Failed writes whose late items are hidden, beside those that a write has deleted. */
const FAILED = 64;

/** Stores documents, at most `MOST` as one change. */
export async function put(
  writing: Writing,
  documents: readonly Document[],
  call: Call,
): Promise<Stored> {
  const hashes = checkedHashes(documents);
  return inRounds(documents, round => putRound(writing, round, hashes, call));
}

/** Removes documents, at most `MOST` as one change; none if one of the ids is unknown. */
export async function remove(
  writing: Writing,
  ids: readonly string[],
  call: Call,
): Promise<Stored> {
  const distinct = [...new Set(ids)];
  if (distinct.length > MOST) {
    const known = await storedHashes(writing.client, await tidied(writing, call), distinct, call);
    checkKnown(distinct, known);
  }
  return inRounds(distinct, round => removeRound(writing, round, call));
}

async function inRounds<T>(
  items: readonly T[],
  change: (round: readonly T[]) => Promise<Stored>,
): Promise<Stored> {
  const sum = { added: 0, changed: 0, unchanged: 0, removed: 0 };
  for (let from = 0; from < items.length; from += MOST) {
    const stored = await change(items.slice(from, from + MOST));
    for (const each of ['added', 'changed', 'unchanged', 'removed'] as const)
      sum[each] += stored[each];
  }
  return sum;
}

/**
 * Reads the state; deletes first what it hides, if that is more than one change: deletions that
 * keep failing must not make every search slower without a word.
 */
async function tidied({ client }: Writing, call: Call): Promise<ReadState> {
  const read = await readState(client, call);
  if (read.state.gone.length <= MOST) return read;
  await tidy(client, read.index, read.state);
  return readState(client, call);
}

async function putRound(
  writing: Writing,
  documents: readonly Document[],
  hashes: ReadonlyMap<string, string>,
  call: Call,
): Promise<Stored> {
  const embedded = new Map<string, { prepared: PreparedDocument; vectors: Vectors }>();
  for (;;) {
    const before = await tidied(writing, call);
    checkWritable(writing.client.address, before.state.spaces, writing.spaces.records);
    const ids = documents.map(({ id }) => id);
    const known = await storedHashes(writing.client, before, ids, call);
    const written = documents.filter(({ id }) => known.get(id)?.hash !== hashes.get(id));
    const replaced = written.flatMap(({ id }) => known.get(id)?.version ?? []);
    const stored = {
      added: written.length - replaced.length,
      changed: replaced.length,
      unchanged: documents.length - written.length,
      removed: 0,
    };
    if (written.length === 0) return stored;
    const prepare = (document: Document) =>
      embedded.get(document.id)?.prepared ?? prepareDocument(document, writing.cut);
    // Embeds before anything is stored: a failure stores nothing of the batch.
    if (before.state.spaces.length > 0)
      for (const document of written)
        if (!embedded.has(document.id)) {
          const prepared = prepare(document);
          const vectors = await writing.spaces.itemVectors([prepared], call);
          embedded.set(document.id, { prepared, vectors });
        }
    const items = (document: Document) => ({
      prepared: prepare(document),
      vectors: embedded.get(document.id)?.vectors,
    });
    const change = { gone: replaced, written, items, documents: stored.added };
    if (await write(writing, before, change, call)) return stored;
  }
}

async function removeRound(writing: Writing, ids: readonly string[], call: Call): Promise<Stored> {
  for (;;) {
    const before = await tidied(writing, call);
    const known = await storedHashes(writing.client, before, ids, call);
    checkKnown(ids, known);
    const gone = [...known.values()].map(({ version }) => version);
    const change = { gone, written: [], items: never, documents: -gone.length };
    if (gone.length === 0 || (await write(writing, before, change, call)))
      return { added: 0, changed: 0, unchanged: 0, removed: gone.length };
  }
}

function checkKnown(ids: readonly string[], known: ReadonlyMap<string, unknown>): void {
  const missing = ids.find(id => !known.has(id));
  if (missing !== undefined) throw unknownId('document', missing);
}

const never = (): never => {
  throw new Error('a removal writes no documents');
};

interface Change {
  /** Versions of documents that are changed or removed. */
  readonly gone: readonly string[];
  readonly written: readonly Document[];
  readonly items: (document: Document) => {
    prepared: PreparedDocument;
    vectors?: Vectors | undefined;
  };
  /** By so many the number of documents grows. */
  readonly documents: number;
}

/** Returns false if another write came before the lock. */
async function write(
  writing: Writing,
  before: ReadState,
  change: Change,
  call: Call,
): Promise<boolean> {
  const { client } = writing;
  const lock = await WriterLock.take(client, before, call);
  const { state, index } = lock;
  const { taken } = state;
  if (state.generation !== before.state.generation) {
    await lock.leave({ ...state, taken: taken - 1 });
    return false;
  }
  const between = Array.from({ length: taken - 1 - state.generation }, (_, at) => taken - 1 - at);
  const next = {
    ...state,
    generation: taken,
    documents: state.documents + change.documents,
    failed: [...between, ...state.failed].slice(0, FAILED),
    gone: [...state.gone, ...change.gone],
  };
  try {
    // Writes that failed left items that no refresh may have shown yet.
    if (between.length > 0) await refresh(client, index, call);
    await purge(client, index, hidden({ gone: [], failed: between }), call);
    await addDocuments(writing, index, taken, change, call);
    if (!(await lock.leave(next)))
      throw busy(client.address, 'another write that took this one for ended');
  } catch (error) {
    await lock.leave(state).catch(() => {});
    // The answer may be lost, not the request: only the state tells.
    const now = await readState(client).catch(() => undefined);
    if (!now || now.state.generation < taken || now.state.failed.includes(taken)) throw error;
  }
  // The write is stored, whatever fails here: a later write does what this one has not.
  await tidy(client, index, next).catch(() => {});
  return true;
}

async function addDocuments(
  { client }: Writing,
  index: string,
  generation: number,
  { written, items }: Change,
  call: Call,
): Promise<void> {
  let lines: [object, object][] = [];
  let characters = 0;
  for (const document of written) {
    const { prepared, vectors } = items(document);
    lines.push(...linesOf(prepared, vectors, generation));
    characters += document.text.length;
    if (characters < ROUND) continue;
    await bulk(client, index, lines, call);
    [lines, characters] = [[], 0];
  }
  await bulk(client, index, lines, call);
  await refresh(client, index, call);
}

/** Sends lines; those that the server has no room for are sent again after a wait. */
async function bulk(
  client: Client,
  index: string,
  lines: readonly [object, object][],
  call: Call,
): Promise<void> {
  let waiting = lines;
  if (waiting.length === 0) return;
  const request = { method: 'POST', path: `/${index}/_bulk` } as const;
  await untilRoom(client.timeoutMs, call, async () => {
    const body = await client.send({ ...request, bulkBody: waiting.flat() }, call);
    if (!body.errors) return;
    const results = body.items.map((item: Body) => Object.values(item)[0]) as Body[];
    waiting = waiting.filter((_, at) => results[at].error);
    const faults = results.flatMap(({ error, status }) =>
      error ? client.fault(status, error) : [],
    );
    throw faults.find(({ code }) => code !== 'engine-busy') ?? faults[0];
  });
}

function* linesOf(
  { document, record, hash, values, items }: PreparedDocument,
  vectors: Vectors | undefined,
  generation: number,
): Generator<[object, object]> {
  const facts = [...new Set(values.flatMap(factsOf))];
  const owner = storedText(document.id);
  for (const item of items) {
    const { id, unit, start, end, place, text } = item;
    const isDocument = unit === 'document';
    const embedded = [...(vectors?.values() ?? [])].flatMap((space, at) => {
      const vector = space.get(item);
      return vector ? [[vectorField(at, unit), Array.from(vector)] as const] : [];
    });
    yield [
      { index: { _id: sha256(JSON.stringify([generation, unit, id])) } },
      {
        unit,
        generation,
        version: versionOf(generation, owner),
        id: storedText(id),
        document: owner,
        start,
        end,
        place,
        facts,
        record: isDocument ? record : undefined,
        hash: isDocument ? hash : undefined,
        fields: isDocument ? Object.keys(document.metadata).map(storedText) : undefined,
        text: isDocument ? undefined : storedText(text),
        ...termFields(item),
        ...Object.fromEntries(embedded),
      },
    ];
  }
}
