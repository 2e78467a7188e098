/**
 * Writes to an index: a batch is seen as a whole or not at all. New documents are added under the
 * next generation, which the state then names; a change or a removal writes a new index without the
 * documents that go, because an index counts removed terms until it merges, and moves the alias.
 */
import { randomUUID } from 'node:crypto';
import type { Document } from '../../../core/corpus/document.ts';
import type { Call } from '../../../core/trace/call.ts';
import { sleep } from '../../../platform/clock.ts';
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
import { indexBody, termFields, vectorField } from './mapping.ts';
import {
  createState,
  lockState,
  type ReadState,
  readState,
  swapState,
  unlocked,
  WRITER_MS,
} from './state.ts';
import { untilRoom } from './until-room.ts';

export interface Writing {
  readonly client: Client;
  readonly spaces: RemoteSpaces;
  readonly cut: Cut;
}

type Vectors = ReadonlyMap<string, ReadonlyMap<PreparedItem, Float32Array>>;

/** Characters of text in one request, about; vectors and terms make it some times as long. */
const ROUND = 500_000;
/** Time for which snapshots of an earlier generation can be read. Milliseconds. */
const RETIRED_MS = 10 * 60_000;

export async function put(
  writing: Writing,
  documents: readonly Document[],
  call: Call,
): Promise<Stored> {
  const hashes = checkedHashes(documents);
  const embedded = new Map<string, { prepared: PreparedDocument; vectors: Vectors }>();
  for (;;) {
    const before = await readState(writing.client, call);
    checkWritable(writing.client.address, before.state.spaces, writing.spaces.records);
    const known = await storedHashes(writing.client, before, [...hashes.keys()], call);
    const written = documents.filter(({ id }) => known.get(id) !== hashes.get(id));
    const replaced = written.filter(({ id }) => known.has(id)).map(({ id }) => id);
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

export async function remove(
  writing: Writing,
  ids: readonly string[],
  call: Call,
): Promise<Stored> {
  const gone = [...new Set(ids)];
  for (;;) {
    const before = await readState(writing.client, call);
    const known = await storedHashes(writing.client, before, gone, call);
    const missing = gone.find(id => !known.has(id));
    if (missing !== undefined) throw unknownId('document', missing);
    const change = { gone, written: [], items: never, documents: -gone.length };
    if (gone.length === 0 || (await write(writing, before, change, call)))
      return { added: 0, changed: 0, unchanged: 0, removed: gone.length };
  }
}

const never = (): never => {
  throw new Error('a removal writes no documents');
};

interface Change {
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
  const id = randomUUID();
  let locked = await lockState(client, id, call);
  const renew = async (): Promise<void> => {
    if (locked.state.writer!.until - Date.now() > WRITER_MS / 2) return;
    const writer = { id, until: Date.now() + WRITER_MS };
    const renewed = await swapState(client, locked, { ...locked.state, writer });
    if (!renewed) throw busy(client.address, 'another write that took this one for ended');
    locked = renewed;
  };
  const { state, index } = locked;
  try {
    if (index !== before.index || state.generation !== before.state.generation) {
      await swapState(client, locked, unlocked(state));
      return false;
    }
    const next = {
      ...unlocked(state),
      dirty: false,
      generation: state.generation + 1,
      documents: state.documents + change.documents,
    };
    if (change.gone.length === 0 && !state.dirty) {
      await addDocuments(writing, index, next.generation, change, { renew, call });
      if (await swapState(client, locked, next)) return true;
      throw busy(client.address, 'another write that took this one for ended');
    }
    await rewrite(writing, locked, next, change, { renew, call });
    return true;
  } catch (error) {
    const dirty = { ...unlocked(state), dirty: true };
    await swapState(client, locked, dirty).catch(() => {});
    throw error;
  }
}

interface Progress {
  readonly renew: () => Promise<void>;
  readonly call: Call;
}

/** Copies what stays to a new index, adds to it, and moves the alias there. */
async function rewrite(
  writing: Writing,
  { state, index }: ReadState,
  next: ReadState['state'],
  change: Change,
  { renew, call }: Progress,
): Promise<void> {
  const { client } = writing;
  const { name } = client.address;
  const target = `${name}-${next.generation}-${randomUUID().slice(0, 8)}`;
  await client.send({ method: 'PUT', path: `/${target}`, body: indexBody(state) }, call);
  try {
    const query = {
      bool: {
        filter: [{ range: { generation: { lte: state.generation } } }],
        must_not: [{ terms: { document: change.gone.map(storedText) } }],
      },
    };
    const { task } = await client.send(
      {
        method: 'POST',
        path: '/_reindex',
        querystring: { wait_for_completion: false },
        once: true,
        body: { source: { index, query }, dest: { index: target, op_type: 'create' } },
      },
      call,
    );
    await finished(client, task, { renew, call });
    await addDocuments(writing, target, next.generation, change, { renew, call });
    const now = Date.now();
    const retired = [
      ...state.retired.filter(({ until }) => until > now),
      { index, until: now + RETIRED_MS },
    ];
    await createState(client, target, { ...next, retired });
  } catch (error) {
    await client.send({ method: 'DELETE', path: `/${target}` }, undefined, [404]).catch(() => {});
    throw error;
  }
  await moveAlias(client, index, target);
  const over = state.retired.filter(({ until }) => until <= Date.now());
  for (const old of over)
    await client.send({ method: 'DELETE', path: `/${old.index}` }, undefined, [404]);
}

/** Moves the alias, which is the moment of the write. */
async function moveAlias(client: Client, index: string, target: string): Promise<void> {
  const alias = client.address.name;
  const actions = [
    { remove: { index, alias, must_exist: true } },
    { add: { index: target, alias } },
  ];
  try {
    await client.send({ method: 'POST', path: '/_aliases', body: { actions }, once: true });
  } catch (error) {
    // The answer may be lost, not the request: only what the alias names now tells.
    const now = await readState(client);
    if (now.index === target) return;
    await client.send({ method: 'DELETE', path: `/${target}` }, undefined, [404]).catch(() => {});
    throw error;
  }
}

async function finished(client: Client, task: string, { renew, call }: Progress): Promise<void> {
  for (let wait = 20; ; wait = Math.min(2 * wait, 1000)) {
    const body = await client.send({ method: 'GET', path: `/_tasks/${task}` }, call);
    const failure = body.error ?? body.response?.failures?.[0]?.cause;
    if (failure) throw client.fault(body.response?.failures?.[0]?.status ?? 500, failure);
    if (body.completed) {
      // The server keeps what a task found until somebody deletes it.
      await client.send({ method: 'DELETE', path: `/.tasks/_doc/${task}` }, undefined, [404]);
      return;
    }
    await renew();
    await sleep(wait, call.signal);
  }
}

async function addDocuments(
  { client }: Writing,
  index: string,
  generation: number,
  { written, items }: Change,
  { renew, call }: Progress,
): Promise<void> {
  let lines: [object, object][] = [];
  let characters = 0;
  for (const document of written) {
    const { prepared, vectors } = items(document);
    lines.push(...linesOf(prepared, vectors, generation));
    characters += document.text.length;
    if (characters < ROUND) continue;
    await bulk(client, index, lines, call);
    await renew();
    [lines, characters] = [[], 0];
  }
  await bulk(client, index, lines, call);
  await client.send({ method: 'POST', path: `/${index}/_refresh` }, call);
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
