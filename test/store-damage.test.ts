/**
 * Tests that flipped bits, missing and exchanged files of a store lead to a named error or to
 * unchanged answers, never to silently wrong ones; `attack.test.ts` tests damages of other kinds.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { PortError } from '../src/core/errors.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { parseManifest, printManifest } from '../src/stores/disk/manifest-file.ts';
import type { StoreWarning } from '../src/stores/disk/read-packed.ts';
import { Store } from '../src/stores/disk/store.ts';
import { STORE_CODES } from '../src/stores/disk/store-errors.ts';
import { verifyStore } from '../src/stores/disk/verify-store.ts';
import { CrashingDisk, randomOf } from './oracles/crashing-disk.ts';

const FOLDER = '/store';

const DOCUMENTS: Document[] = Array.from({ length: 12 }, (_, index) => ({
  id: `note-${String(index).padStart(2, '0')}`,
  title: `Note ${index}`,
  text: `The ferry number ${index} left the harbour. ${'It rained. '.repeat(index)}Nobody saw captain ${index % 3}.`,
  metadata: { source: index % 2 ? 'Post' : 'Courier', day: index },
}));

async function soundDisk(): Promise<CrashingDisk> {
  const disk = new CrashingDisk();
  const store = await Store.open(FOLDER, { create: true, disk });
  await store.put(DOCUMENTS.slice(0, 9), freeCall());
  await store.put(DOCUMENTS.slice(9), freeCall());
  await store.close();
  return disk;
}

/** Returns everything that a user can observe of a store. */
async function answers(disk: CrashingDisk, warnings: StoreWarning[] = []): Promise<string> {
  const store = await Store.open(FOLDER, { disk, onWarning: warning => warnings.push(warning) });
  const seen: unknown[] = [store.digest()];
  for (const [unit, scorer] of [
    ['document', 'bm25'],
    ['document', 's1'],
    ['passage', 'bm25'],
    ['sentence', 'bm25'],
  ] as const)
    seen.push(
      await (await store.snapshot()).search(
        { unit, scorer, k: 20, queries: [{ text: 'captain ferry rained' }] },
        freeCall(),
      ),
    );
  return JSON.stringify(seen);
}

function files(disk: CrashingDisk): string[] {
  return [...disk.names.keys()].filter(path => !path.includes('lock'));
}

/**
 * Checks that a damaged store answers equally (and warns of rebuilt indexes), or fails with a code.
 */
async function neverSilent(
  disk: CrashingDisk,
  expected: string,
  path: string,
  place: string,
): Promise<void> {
  const warnings: StoreWarning[] = [];
  let seen: string | undefined;
  try {
    seen = await answers(disk, warnings);
  } catch (error) {
    assert.ok(PortError.is(error), `${place}: ${error}`);
    assert.ok(
      STORE_CODES[error.code] === 4 || STORE_CODES[error.code] === 6,
      `${place}: ${error.code}`,
    );
    assert.match(error.message, /store|documents-/, place);
  }
  if (seen !== undefined) assert.equal(seen, expected, place);
  if (path.includes('index-')) {
    assert.equal(seen, expected, `${place}: an index is built again`);
    assert.ok(
      warnings.some(({ file }) => path.endsWith(file)),
      `${place}: without a warning`,
    );
    assert.deepEqual(
      (await verifyStore(FOLDER, disk)).problems.map(({ effect }) => effect),
      ['rebuilt'],
      place,
    );
  }
  if (path.includes('documents-'))
    assert.equal(seen, undefined, `${place}: damaged documents were read`);
}

describe('a damaged store', () => {
  test('detects a flip of every bit of store.json, and of 300 bits of every other file', async () => {
    const expected = await answers(await soundDisk());
    const random = randomOf(11);
    const disk = await soundDisk();
    for (const path of files(disk)) {
      const file = disk.names.get(path)!;
      const all = file.bytes.length * 8;
      const flips = path.endsWith('store.json') ? all : 300;
      for (let flip = 0; flip < flips; flip++) {
        const bit = path.endsWith('store.json') ? flip : Math.floor(random() * all);
        file.bytes[bit >> 3]! ^= 1 << (bit & 7);
        // A flip in white space or in the case of a hexadecimal digit changes no value.
        await neverSilent(disk, expected, path, `${path}, bit ${bit}`);
        file.bytes[bit >> 3]! ^= 1 << (bit & 7);
      }
    }
  });

  test('reports a missing file', async () => {
    const expected = await answers(await soundDisk());
    for (const path of files(await soundDisk())) {
      const disk = await soundDisk();
      disk.names.delete(path);
      await neverSilent(disk, expected, path, path);
      if (path.endsWith('store.json'))
        await assert.rejects(
          Store.open(FOLDER, { disk, create: true }),
          { code: 'store-damaged' },
          'no empty store over documents',
        );
    }
  });

  test('reports two files of documents that were exchanged', async () => {
    const disk = await soundDisk();
    const [first, second] = files(disk).filter(path => path.includes('documents-'));
    const bytes = disk.names.get(first!)!.bytes;
    disk.names.get(first!)!.bytes = disk.names.get(second!)!.bytes;
    disk.names.get(second!)!.bytes = bytes;
    await assert.rejects(answers(disk), { code: 'store-damaged' });
  });

  test('reports an id that two files of documents hold', async () => {
    const disk = await soundDisk();
    const manifest = parseManifest('x', disk.readNow(`${FOLDER}/store.json`));
    const [first] = manifest.segments;
    const twice = { ...manifest, documents: 2 * first!.documents, segments: [first!, first!] };
    const bytes = Buffer.from(printManifest(twice));
    disk.names.get(`${FOLDER}/store.json`)!.bytes = new Uint8Array(bytes);
    const held = new RegExp(`${twice.documents} documents, its files hold ${first!.documents}`);
    await assert.rejects(Store.open(FOLDER, { disk }), { code: 'store-damaged', message: held });
  });

  test('verify reports an index of other documents with a valid checksum', async () => {
    const disk = await soundDisk();
    const other = new CrashingDisk();
    const store = await Store.open(FOLDER, { create: true, disk: other });
    await store.put(DOCUMENTS.slice(0, 11), freeCall());
    await store.close();
    const manifest = parseManifest('x', disk.readNow(`${FOLDER}/store.json`));
    const ofPlain = ({ key }: { key: string }): boolean => key === 'document.plain';
    const stranger = store.manifest.segments[0]!.indexes!.find(ofPlain)!;
    const [first, ...rest] = manifest.segments;
    const indexes = first!.indexes!.map(index => (ofPlain(index) ? stranger : index));
    const segments = [{ ...first!, indexes }, ...rest];
    disk.names.set(`${FOLDER}/${stranger.file}`, other.names.get(`${FOLDER}/${stranger.file}`)!);
    disk.names.get(`${FOLDER}/store.json`)!.bytes = new Uint8Array(
      Buffer.from(printManifest({ ...manifest, segments })),
    );
    const report = await verifyStore(FOLDER, disk);
    assert.match(report.problems[0]!.problem, /not the index of these documents/);
  });

  test('repair writes the indexes anew', async () => {
    const disk = await soundDisk();
    const path = files(disk).find(name => name.includes('index-document.s1'))!;
    disk.names.get(path)!.bytes = new Uint8Array(3);
    assert.equal((await verifyStore(FOLDER, disk)).ok, false);
    await (await Store.open(FOLDER, { disk })).writeIndexes();
    assert.equal((await verifyStore(FOLDER, disk)).ok, true);
  });
});
