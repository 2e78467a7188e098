/**
 * Tests that a store answers from what it holds exactly as from the documents: the same items,
 * rankings, evidence and traces, whatever the documents are, and without building an index.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import type { Block, Document } from '../src/core/corpus/document.ts';
import { defined } from '../src/core/defined.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { ask } from '../src/index.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import type { Snapshot } from '../src/search/snapshot.ts';
import { indexPieces } from '../src/stores/disk/index-file.ts';
import type { IndexFile, Manifest } from '../src/stores/disk/manifest.ts';
import { parseManifest, printManifest } from '../src/stores/disk/manifest-file.ts';
import { readPacked } from '../src/stores/disk/read-packed.ts';
import { Store } from '../src/stores/disk/store.ts';
import { CrashingDisk } from './oracles/crashing-disk.ts';

const FOLDER = '/store';
const call = freeCall();
const UNITS = ['document', 'passage', 'sentence'] as const;
const QUESTIONS = ['Who saw the ferry in Ostend?', 'the default of rain.limit', ''];

/** Ids of which one begins another, and sorts before or after the items of the other. */
const id$ = fc.oneof(
  fc.constantFrom('a', 'a b', 'a#s0000', 'a#p0001', 'a!', 'a0', '#', 'docs/a.md', 'ä', 'a"\\'),
  fc.string({ minLength: 1, maxLength: 4, unit: 'binary' }),
);
const words$ = fc
  .array(
    fc.constantFrom('the', 'ferry', 'Ostend.', 'Rain', 'captain', 'Café?', 'saw.', '\n\n', '🚢'),
    { maxLength: 40 },
  )
  .map(words => words.join(' '));

/** Gives blocks of some paragraphs headings, as files with headings have. */
function withOutline(document: Document, depth: number): Document {
  const starts = [...document.text.matchAll(/\n\n\s*(?=\S)/g)].map(at => at.index + at[0].length);
  const outline = [0, ...starts].map((start, at): Block => {
    const heading = Array.from({ length: at % (depth + 1) }, (_, level) => `Head ${level}`);
    return defined({ start, heading, line: at + 1, kind: at % 3 === 2 ? 'heading' : undefined });
  });
  return { ...document, outline };
}

const document$: fc.Arbitrary<Document> = fc
  .tuple(
    fc.record({
      id: id$,
      title: fc.constantFrom('', 'Rain', 'The ferry', 'Zeile " \\ \n'),
      text: words$,
      metadata: fc.record(
        { source: fc.constantFrom('Post', 'Courier'), published_at: fc.constant('2024-05-01') },
        { requiredKeys: [] },
      ),
    }),
    fc.nat({ max: 3 }),
  )
  .map(([document, depth]) => (depth === 0 ? document : withOutline(document, depth)));
const batches$ = fc
  .uniqueArray(document$, { selector: ({ id }) => id, minLength: 1, maxLength: 14 })
  .chain(documents => fc.tuple(fc.constant(documents), fc.nat({ max: documents.length - 1 })));
const chunker$ = fc.constantFrom(
  'tokens',
  'tokens(size=8, overlap=2, section=6)',
  'sentences(per=2)',
  'whole',
);

/** Returns everything that a search or a strategy may read of a snapshot. */
async function seen(snapshot: Snapshot): Promise<unknown> {
  const all: unknown[] = [await snapshot.values('source', {}, call)];
  for (const unit of UNITS) {
    const queries = QUESTIONS.map(text => ({ text }));
    const lists = await snapshot.search({ unit, k: 30, queries }, call);
    all.push(lists);
    const ids = lists.flat().map(({ id }) => id);
    all.push(unit === 'document' ? 0 : await snapshot.read(unit, ids, call));
  }
  all.push(snapshot.documents);
  const ids = snapshot.documents.map(({ id }) => id);
  for (const unit of ['passage', 'sentence'] as const)
    all.push(await snapshot.parts(unit, ids, call));
  for (const unit of UNITS) {
    const items = snapshot.itemsOf(unit);
    const positions = items.items.map(({ id }) => items.positionOf(id));
    assert.deepEqual(positions, [...positions.keys()]);
    all.push([items.size, items.items, [...items.documentOf], [...items.placeOf]]);
    for (const odd of ['', '#', 'a#', 'a#s1', 'a#s00000', 'a#p-001', 'a#s9999', 'nobody'])
      all.push(items.positionOf(odd));
  }
  return JSON.parse(JSON.stringify(all));
}

/** Returns a trace without its times. */
async function traced(engine: Snapshot, question: string): Promise<unknown> {
  const trace = await ask(question, { engine });
  return JSON.parse(
    JSON.stringify(trace, (key, value) => (/^(ms|times?|at|started)$/.test(key) ? 0 : value)),
  );
}

async function writtenStore(
  [documents, cut]: readonly [readonly Document[], number],
  chunker: string,
): Promise<CrashingDisk> {
  const disk = new CrashingDisk();
  const store = await Store.open(FOLDER, { create: true, disk, chunker });
  await store.put(documents.slice(0, cut), call);
  await store.close();
  await store.put(documents.slice(cut), call);
  await store.close();
  return disk;
}

async function openSilently(disk: CrashingDisk): Promise<Store> {
  return Store.open(FOLDER, {
    disk,
    onWarning: ({ message }) => assert.fail(message),
    onBuilding: () => assert.fail('an index was built'),
  });
}

describe('a store that was closed after its writes', () => {
  test('gives the items and rankings of an engine built of its documents', async () => {
    await fc.assert(
      fc.asyncProperty(batches$, chunker$, async (batches, chunker) => {
        const disk = await writtenStore(batches, chunker);
        const fresh = new EmbeddedEngine({ documents: batches[0], chunker }).current;
        const store = await openSilently(disk);
        assert.deepEqual(await seen(await store.snapshot()), await seen(fresh));
        assert.deepEqual((await store.verify()).problems, []);
      }),
      { numRuns: 150 },
    );
  });

  test('gives the trace and evidence of an engine built of its documents', async () => {
    await fc.assert(
      fc.asyncProperty(batches$, async batches => {
        const store = await openSilently(await writtenStore(batches, 'tokens'));
        const fresh = new EmbeddedEngine({ documents: batches[0], chunker: 'tokens' }).current;
        for (const question of QUESTIONS.slice(0, 2))
          assert.deepEqual(
            await traced(await store.snapshot(), question),
            await traced(fresh, question),
          );
      }),
      { numRuns: 60 },
    );
  });

  test('gives the same after further writes of its process', async () => {
    await fc.assert(
      fc.asyncProperty(batches$, batches$, async (batches, [more]) => {
        const disk = await writtenStore(batches, 'tokens');
        const store = await openSilently(disk);
        await seen(await store.snapshot());
        const gone = batches[0].filter((_, at) => at % 3 === 1).map(({ id }) => id);
        await store.remove(gone, call);
        await store.put(more, call);
        const there = new Map(batches[0].map(document => [document.id, document]));
        for (const id of gone) there.delete(id);
        for (const document of more) there.set(document.id, document);
        const fresh = new EmbeddedEngine({ documents: there.values(), chunker: 'tokens' }).current;
        const expected = await seen(fresh);
        assert.deepEqual(await seen(await store.snapshot()), expected);
        await store.close();
        assert.deepEqual(await seen(await (await openSilently(disk)).snapshot()), expected);
      }),
      { numRuns: 60 },
    );
  });
});

/** Edits the index files that the manifest of a store names. */
function editIndexes(
  disk: CrashingDisk,
  edit: (indexes: readonly IndexFile[]) => IndexFile[],
): void {
  const path = `${FOLDER}/store.json`;
  const manifest = parseManifest(path, disk.readNow(path));
  const segments = manifest.segments.map(one => ({ ...one, indexes: edit(one.indexes!) }));
  const text = printManifest({ ...manifest, segments } satisfies Manifest);
  disk.names.get(path)!.bytes = new Uint8Array(Buffer.from(text));
}

const NOTES: Document[] = ['Ferry', 'Rain', 'Harbour'].map((title, at) => ({
  id: `n${at}`,
  title,
  metadata: {},
  text: `The ferry ${at} left Ostend. Nobody saw the captain. Rain fell for ${at} days.`,
}));

/** Opens a store, counts how often it says that it builds indexes, and returns what is seen. */
async function builtAndSeen(disk: CrashingDisk): Promise<[built: number, seen: unknown]> {
  let built = 0;
  const store = await Store.open(FOLDER, {
    disk,
    onBuilding: () => built++,
    onWarning: ({ message }) => assert.fail(message),
  });
  const all = await seen(await store.snapshot());
  return [built, all];
}

describe('a store without some of its indexes', () => {
  const fresh = seen(new EmbeddedEngine({ documents: NOTES, chunker: 'tokens' }).current);

  test('of an earlier release builds them, says so once, and stores them when repaired', async () => {
    const disk = await writtenStore([NOTES, 2], 'tokens');
    const old = ['document.plain', 'document.s1', 'passage.plain'];
    editIndexes(disk, indexes => indexes.filter(({ key }) => old.includes(key)));
    assert.deepEqual(await builtAndSeen(disk), [1, await fresh]);
    await (await Store.open(FOLDER, { disk })).writeIndexes();
    assert.deepEqual(await seen(await (await openSilently(disk)).snapshot()), await fresh);
  });

  test('uses none that numbers items as another release cut them', async () => {
    const disk = await writtenStore([NOTES, 2], 'tokens');
    const store = await Store.open(FOLDER, { disk });
    const files = store.manifest.segments.flatMap(({ indexes }) => indexes!);
    const items = files.find(({ key }) => key === 'table')!;
    const { header, arrays } = readPacked(disk, FOLDER, items, items.key);
    const forged = { header: { ...header, format: 'multihop-table-0' }, arrays };
    const bytes = Buffer.concat(await indexPieces(items.key, forged));
    disk.names.get(`${FOLDER}/${items.file}`)!.bytes = new Uint8Array(bytes);
    const size = { bytes: bytes.length, sha256: sha256(bytes), crc32: crc32(bytes) };
    // The lexical index of other sentences would rank wrongly.
    const other = files.findLast(({ key }) => key === 'sentence.plain')!;
    editIndexes(disk, indexes =>
      indexes.map(index => {
        if (index.file === items.file) return { ...index, ...size };
        const isOwn = indexes.some(({ file }) => file === items.file);
        return isOwn && index.key === 'sentence.plain' ? other : index;
      }),
    );
    const [built, there] = await builtAndSeen(disk);
    assert.deepEqual([built, there], [1, await fresh]);
  });
});
