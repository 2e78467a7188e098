/**
 * Tests that a store of which only some documents are read gives the same documents as one that is
 * read whole, and never a damaged one.
 */
import assert from 'node:assert/strict';
import {
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import type { Document } from '../src/core/corpus/document.ts';
import { PortError } from '../src/core/errors.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { type Disk, nodeDisk, type OpenFile } from '../src/stores/disk/disk.ts';
import { headLength, PAGE, parseHead } from '../src/stores/disk/index-file.ts';
import { printManifest } from '../src/stores/disk/manifest-file.ts';
import { ReadAhead } from '../src/stores/disk/read-ahead.ts';
import type { StoreWarning } from '../src/stores/disk/read-packed.ts';
import { Store } from '../src/stores/disk/store.ts';
import type { StoreOptions } from '../src/stores/disk/store-options.ts';
import { verifyStore } from '../src/stores/disk/verify-store.ts';
import { freshFolder } from './fresh-folder.ts';
import { randomOf } from './oracles/crashing-disk.ts';

const DOCUMENTS: Document[] = Array.from({ length: 30 }, (_, at) => ({
  id: `d${String(at).padStart(2, '0')}`,
  title: `Fähre ${at}`,
  text: `The ferry ${at} sails. ${'It carries cars. '.repeat(at)}`,
  metadata: { year: 2000 + at },
}));

async function stored(): Promise<string> {
  const folder = join(freshFolder(), 'store');
  const store = await Store.open(folder, { create: true });
  await store.put(DOCUMENTS.slice(0, 20), freeCall());
  await store.put(DOCUMENTS.slice(20), freeCall());
  await store.close();
  return folder;
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter(name => name.startsWith('documents-'))
    .map(name => join(folder, name));

const plain = ({ id, title, text, metadata }: Document): Document => ({
  id,
  title,
  text,
  metadata,
});

async function documentsIn(folder: string, ahead: ReadAhead): Promise<readonly Document[]> {
  return (await (await Store.open(folder, { disk: ahead.disk })).snapshot()).documents;
}

describe('documents that are read one by one', () => {
  test('equal those that were written, also once their file has lost its name', async () => {
    const folder = await stored();
    using ahead = new ReadAhead(nodeDisk, folder, []);
    const documents = await documentsIn(folder, ahead);
    if (process.platform !== 'win32') for (const file of filesOf(folder)) rmSync(file);
    assert.deepEqual(documents.map(plain), DOCUMENTS);
  });

  test('a flipped bit is reported by the document that it is in, and changes no other', async () => {
    const folder = await stored();
    const random = randomOf(3);
    for (const file of filesOf(folder)) {
      const bytes = readFileSync(file);
      for (let round = 0; round < 150; round++) {
        const bit = Math.floor(random() * bytes.length * 8);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        writeFileSync(file, bytes);
        using ahead = new ReadAhead(nodeDisk, folder, []);
        let damaged = 0;
        for (const [at, document] of (await documentsIn(folder, ahead)).entries())
          try {
            assert.deepEqual(plain(document), DOCUMENTS[at]);
          } catch (error) {
            assert.ok(PortError.is(error) && error.code === 'store-damaged', String(error));
            damaged++;
          }
        assert.equal(damaged, 1, `bit ${bit} of ${file}`);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
      }
      writeFileSync(file, bytes);
    }
    assert.ok((await verifyStore(folder)).ok);
  });

  test('a file of another length is refused, and so is a missing one', async () => {
    for (const ruin of [(file: string) => truncateSync(file, 40), (file: string) => rmSync(file)]) {
      const folder = await stored();
      ruin(filesOf(folder)[0]!);
      using ahead = new ReadAhead(nodeDisk, folder, []);
      await assert.rejects(documentsIn(folder, ahead), { code: 'store-damaged' });
    }
  });

  test('of a disk that fails later are reported as unreadable, with the name of their file', async () => {
    const folder = await stored();
    let fails = false;
    const open = (path: string): OpenFile => {
      const { size, readNow } = nodeDisk.open!(path);
      const broken = (): never => {
        throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
      };
      return { size, readNow: (at, length) => (fails ? broken() : readNow(at, length)) };
    };
    const store = await Store.open(folder, { disk: { ...nodeDisk, open, partsFrom: 0 } });
    const { documents } = await store.snapshot();
    fails = true;
    assert.throws(() => documents[0]!.text, { code: 'store-unreadable', message: /documents-/ });
    fails = false;
    assert.deepEqual(documents.map(plain), DOCUMENTS);
  });

  test('of a large store are those of one in memory, after each write and for snapshots before it', async () => {
    const folder = join(freshFolder(), 'store');
    const disk = { ...nodeDisk, partsFrom: 0, pagesFrom: 0 };
    const large = await Store.open(folder, { create: true, disk });
    const small = await Store.open(join(freshFolder(), 'store'), { create: true });
    const call = freeCall();
    const check = async (): Promise<void> => {
      const [first, second] = [await large.snapshot(), await small.snapshot()];
      assert.deepEqual(first.documents.map(plain), second.documents.map(plain));
      const request = { unit: 'sentence', k: 9, queries: [{ text: 'ferry 7 cars' }] } as const;
      assert.deepEqual(await first.search(request), await second.search(request));
    };
    for (const store of [large, small]) await store.put(DOCUMENTS.slice(0, 20), call);
    await check();
    const before = await large.snapshot();
    const changed = DOCUMENTS.slice(5, 25).map(one => ({ ...one, text: `New. ${one.text}` }));
    for (const store of [large, small]) await store.put(changed, call);
    await check();
    for (const store of [large, small]) await store.remove(['d03', 'd24'], call);
    await check();
    assert.deepEqual(before.documents.map(plain), DOCUMENTS.slice(0, 20));
    for (const store of [large, small]) await store.close();
    await check();
    assert.ok((await verifyStore(folder)).ok);
    const again = await Store.open(folder, { disk });
    const reread = (await again.snapshot()).documents.map(plain);
    assert.deepEqual(reread, (await small.snapshot()).documents.map(plain));
  });

  test('of a large store keep their file open no longer than they are referred to', {
    skip: process.platform !== 'linux',
  }, async () => {
    const folder = await stored();
    const disk = { ...nodeDisk, partsFrom: 0 };
    const opened = (): number => {
      const files = readdirSync('/proc/self/fd').map(fd => `/proc/self/fd/${fd}`);
      return files.filter(fd => linkIn(fd).startsWith(folder)).length;
    };
    const read = async (): Promise<string> =>
      (await (await Store.open(folder, { disk })).snapshot()).documents[0]!.text;
    assert.equal(await read(), DOCUMENTS[0]!.text);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let turn = 0; turn < 50 && opened() > 0; turn++) {
      collect();
      await new Promise(resolve => setTimeout(resolve, 10));
    }
    assert.equal(opened(), 0);
  });
});

/** Words by rank, of which the first are frequent; 300 of one word in some documents. */
const WORDS = 'the ferry sails to port with cars and mail on a calm Tuesday past Oban'.split(' ');
const wordy = (random: () => number, at: number): Document => {
  const word = (): string =>
    WORDS[Math.floor(random() ** 2 * WORDS.length)]! + (random() < 0.3 ? '.' : '');
  const often = at % 40 === 7 ? 'mail '.repeat(300) : '';
  return {
    id: `d${String(at).padStart(4, '0')}`,
    title: `${word()} ${at}`,
    text: often + Array.from({ length: 5 + random() * 30 }, word).join(' '),
    metadata: { source: word() },
  };
};
const PAGED = { ...nodeDisk, partsFrom: 0, pagesFrom: 0 };

/** Everything that questions find in a store, with scores. */
async function found(
  folder: string,
  disk: Disk,
  texts: readonly string[],
  onWarning: StoreOptions['onWarning'] = warning => assert.fail(warning.message),
): Promise<unknown> {
  const snapshot = await (await Store.open(folder, { disk, onWarning })).snapshot();
  const all: unknown[] = [];
  for (const unit of ['document', 'passage', 'sentence'] as const)
    for (const scorer of unit === 'document' ? ['bm25', 's1'] : ['bm25'])
      for (const text of texts) {
        const request = { unit, k: 20, scorer, queries: [{ text }, { text, holding: ['mail'] }] };
        all.push(await snapshot.search(request, freeCall()));
      }
  return all;
}

async function written(seed: number, sizes: readonly number[]): Promise<string> {
  const folder = join(freshFolder(), 'store');
  const random = randomOf(seed);
  const store = await Store.open(folder, { create: true, chunker: 'sentences' });
  let count = 0;
  for (const size of sizes) {
    const batch = Array.from({ length: size }, () => wordy(random, count++));
    await store.put(batch, freeCall());
    await store.close();
  }
  return folder;
}

describe('indexes that are read by pages', () => {
  test('find what those in memory find', async () => {
    const text = fc.array(fc.constantFrom(...WORDS, '7', 'absent'), { minLength: 1, maxLength: 6 });
    const texts = fc.array(
      text.map(words => words.join(' ')),
      { minLength: 3, maxLength: 8 },
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.nat(), sizes, texts, async (seed, sizes, texts) => {
        const folder = await written(seed, sizes);
        // Asked again, questions are answered by compiled postings.
        const asked = [...texts, ...texts];
        assert.deepEqual(await found(folder, PAGED, asked), await found(folder, nodeDisk, asked));
      }),
      { numRuns: 10 },
    );
  });

  test('with a flipped bit are built again, or refuse to search; they find nothing wrong', async () => {
    const folder = await written(5, [300]);
    const texts = [...WORDS, 'mail ferry to Oban'];
    const sound = await found(folder, PAGED, texts);
    const random = randomOf(7);
    const seen = { refused: 0, rebuilt: 0 };
    for (const name of readdirSync(folder).filter(name => name.startsWith('index-'))) {
      const file = join(folder, name);
      const bytes = readFileSync(file);
      for (let round = 0; round < 8; round++) {
        const bit = Math.floor(random() * bytes.length * 8);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        writeFileSync(file, bytes);
        const warnings: string[] = [];
        const onWarning = ({ code }: StoreWarning): number => warnings.push(code);
        try {
          assert.deepEqual(await found(folder, PAGED, texts, onWarning), sound, `${name}, ${bit}`);
          if (warnings.length > 0) seen.rebuilt++;
        } catch (error) {
          assert.ok(PortError.is(error) && error.code === 'store-damaged', String(error));
          assert.ok(error.message.includes(name), error.message);
          seen.refused++;
        }
        bytes[bit >> 3]! ^= 1 << (bit & 7);
      }
      writeFileSync(file, bytes);
    }
    assert.ok(seen.refused > 0 && seen.rebuilt > 0, JSON.stringify(seen));
    assert.ok((await verifyStore(folder)).ok);
  });

  test('of which a later page is damaged leave nothing of a search to later ones', async () => {
    const folder = await written(5, [800]);
    const ask = ['mail ferry to Oban'];
    const sound = await found(folder, nodeDisk, ask);
    for (const [scorer, key] of [
      ['bm25', 'document.plain'],
      ['s1', 'document.s1'],
    ] as const) {
      const name = readdirSync(folder).find(name => name.startsWith(`index-${key}`))!;
      const file = join(folder, name);
      const bytes = readFileSync(file);
      const { arrays } = parseHead(file, key, bytes.subarray(0, headLength(file, bytes, Infinity)));
      const items = arrays.find(({ name }) => name === 'items')!;
      assert.ok(items.length > PAGE);
      // The first half: the last pages have only words of titles.
      for (let page = 0; page < items.length; page += PAGE) {
        const snapshot = await (await Store.open(folder, { disk: PAGED })).snapshot();
        const search = (text: string): Promise<unknown> =>
          snapshot.search({ unit: 'document', k: 20, scorer, queries: [{ text }] }, freeCall());
        // S1 reads all postings for the lengths of items, before it adds any.
        await search('Oban');
        bytes[items.at + page]! ^= 1;
        writeFileSync(file, bytes);
        await assert.rejects(search(WORDS.join(' ')), { code: 'store-damaged' });
        bytes[items.at + page]! ^= 1;
        writeFileSync(file, bytes);
        assert.deepEqual(await found(folder, nodeDisk, ask), sound, `${name}, ${page}`);
      }
    }
  });

  test('of an earlier release, without sums of pages, are read whole', async () => {
    const folder = await written(5, [30]);
    const texts = ['mail', 'ferry to Oban'];
    const sound = await found(folder, nodeDisk, texts);
    const names = readdirSync(folder).filter(name => name.startsWith('index-'));
    const bytes = names.map(name => readFileSync(join(folder, name)));
    const path = join(folder, 'store.json');
    const { checksum: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'));
    for (const index of manifest.segments[0].indexes) {
      const old = withoutPages(bytes[names.indexOf(index.file)]!);
      Object.assign(index, { bytes: old.length, sha256: sha256(old), crc32: crc32(old) });
      writeFileSync(join(folder, index.file), old);
    }
    writeFileSync(path, printManifest(manifest));
    assert.deepEqual(await found(folder, PAGED, texts), sound);
    const { ok, problems } = await verifyStore(folder);
    assert.ok(ok, JSON.stringify(problems));
  });
});

/** Returns the file of an index without its last array, as earlier releases wrote it. */
function withoutPages(bytes: Buffer): Buffer {
  const start = 16 + Number(bytes.readBigUInt64LE(8));
  const head = JSON.parse(bytes.toString('utf8', 16, start));
  const { at } = head.arrays.pop();
  const old = Buffer.from(bytes.subarray(0, at));
  old.fill(' ', 16, start);
  old.write(JSON.stringify(head), 16);
  return old;
}

/** Returns where a link leads; nothing if it is gone. */
function linkIn(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
