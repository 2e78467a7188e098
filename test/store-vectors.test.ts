/** A store with embedders: vectors are files, what is unchanged is not embedded again, another model is refused, damage costs only time. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { sha256 } from '../src/edges/sha256.ts';
import { Store, type StoreEmbedder, verifyStore } from '../src/edges/storage/index.ts';
import { VectorCacheFolder } from '../src/edges/storage/vector-cache.ts';
import { cachedEmbedder } from '../src/models/cached-embedder.ts';
import { EmbeddedEngine } from '../src/retrieval/embedded-engine.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../src/testing/fixture-corpus.ts';
import { type HashedEmbedder, hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { freeCall } from '../src/trace/call.ts';

const call = freeCall();
const home = mkdtempSync(join(tmpdir(), 'store-vectors-'));
after(() => rmSync(home, { recursive: true, force: true }));
let folders = 0;
const newFolder = (): string => join(home, `store-${folders++}`);
const chunker = 'sentences(per=2)';

const toy = (inner: HashedEmbedder = hashedEmbedder('toy@1', 16), more: Partial<StoreEmbedder> = {}): StoreEmbedder => ({
  name: 'toy',
  embedder: inner,
  units: ['passage'],
  ...more,
});
const texts = ({ calls }: HashedEmbedder, role = 'passage'): number => calls.filter(({ as }) => as === role).flatMap(of => of.texts).length;
const request = { unit: 'passage' as const, space: 'toy', k: 5, queries: FIXTURE_QUESTIONS.map(({ text }) => ({ text })) };

async function filled(folder: string, embedder = toy()): Promise<Store> {
  const store = await Store.open(folder, { create: true, chunker, embedders: [embedder] });
  await store.put(FIXTURE_DOCUMENTS, call);
  await store.embed(call);
  await store.close();
  return store;
}
const vectorFiles = (folder: string): string[] => readdirSync(folder).filter(name => name.startsWith('vectors-'));

test('vectors come back from the disk: the same hits as in memory, and only the queries are embedded', async () => {
  const folder = newFolder();
  await filled(folder);
  const inner = hashedEmbedder('toy@1', 16);
  const store = await Store.open(folder, { embedders: [toy(inner)] });
  const memory = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS, chunker, embedders: [{ ...hashedEmbedder('toy', 16) }] });
  assert.deepEqual(await store.search(request, call), await memory.search(request, call));
  assert.deepEqual([texts(inner), texts(inner, 'query')], [0, request.queries.length]);
  assert.deepEqual(store.manifest.spaces, [{ name: 'toy', id: 'toy@1', dimensions: 16, units: ['passage'] }]);
  assert.deepEqual((await verifyStore(folder)).problems, []);
  assert.equal(vectorFiles(folder).length, 1);
});

test('what is unchanged is not embedded again, and a process that died goes on from the cache', async () => {
  const folder = newFolder();
  const dying = hashedEmbedder('toy@1', 16);
  const cache = (inner: HashedEmbedder) => ({
    ...inner,
    ...cachedEmbedder(inner, new VectorCacheFolder(join(folder, 'cache')), { hash: sha256, batch: 2 }),
  });
  const broken = {
    ...dying,
    embed: async (...given: Parameters<HashedEmbedder['embed']>) => {
      if (texts(dying) >= 6) throw new Error('killed');
      return dying.embed(...given);
    },
  };
  await assert.rejects(filled(folder, toy(cache(broken))), /killed/);
  const first = hashedEmbedder('toy@1', 16);
  const store = await filled(folder, toy(cache(first)));
  const distinct = texts(dying) + texts(first);
  assert.deepEqual([texts(dying), vectorFiles(folder).length], [6, 1]);
  const again = hashedEmbedder('toy@1', 16);
  await filled(folder, toy(cache(again)));
  assert.equal(texts(again), 0, 'nothing changed');
  const more = await Store.open(folder, { embedders: [toy(cache(again))] });
  await more.put([{ id: 'new', title: '', text: 'One. Two. Three.', metadata: {} }], call);
  assert.equal(more.manifest.vectors, undefined, 'the vectors of other documents');
  await more.embed(call);
  assert.equal(texts(again), 2);
  assert.equal(store.manifest.documents + 1, more.manifest.documents);
  assert.ok(distinct > 6);
  assert.deepEqual((await verifyStore(folder)).problems, []);
  assert.equal(vectorFiles(folder).length, 1, 'those of earlier documents are gone');
});

describe('another model', () => {
  const folder = newFolder();
  const state = (): string[] => readdirSync(folder).map(name => sha256(readFileSync(join(folder, name), 'latin1')));
  for (const [what, embedder] of [
    ['of that name', toy(hashedEmbedder('toy@2', 16))],
    ['of other dimensions', toy(hashedEmbedder('toy@1', 8))],
  ] as const)
    test(`${what} is refused when the store is opened`, async () => {
      await filled(folder);
      const before = state();
      await assert.rejects(Store.open(folder, { embedders: [embedder] }), {
        code: 'other-embedder',
        message: /toy \(toy@1\) of 16 dimensions.*toy \(toy@[12]\) of (?:16|8) dimensions/,
      });
      assert.deepEqual(state(), before);
    });
  test('beside the store’s is refused when it is to embed, and searches', async () => {
    const other = await Store.open(folder, { embedders: [toy(hashedEmbedder('other', 4), { name: 'other' })] });
    const before = state();
    await assert.rejects(other.embed(call), { code: 'other-embedder', message: /toy \(toy@1\).*other of 4 dimensions/ });
    assert.deepEqual(state(), before);
    assert.equal((await other.search({ ...request, space: 'other' }, call))[0]!.length, 5);
  });
});

test('damaged vectors are told of, embedded again, and written anew', async () => {
  const folder = newFolder();
  await filled(folder);
  const [file] = vectorFiles(folder);
  const bytes = readFileSync(join(folder, file!));
  bytes[bytes.length - 3]! ^= 1;
  writeFileSync(join(folder, file!), bytes);
  const report = await verifyStore(folder);
  assert.deepEqual(
    report.problems.map(({ effect }) => effect),
    ['rebuilt'],
  );
  const inner = hashedEmbedder('toy@1', 16);
  const told: string[] = [];
  const store = await Store.open(folder, { embedders: [toy(inner)], onWarning: ({ code }) => told.push(code) });
  assert.equal((await store.search(request, call))[0]!.length, 5);
  assert.deepEqual(told, ['vectors-damaged']);
  await store.embed(call);
  assert.deepEqual((await verifyStore(folder)).problems, []);
});

test('units add up, and progress tells how far it is', async () => {
  const folder = newFolder();
  await filled(folder);
  const inner = hashedEmbedder('toy@1', 16);
  const store = await Store.open(folder, { embedders: [toy(inner, { units: ['document'] })] });
  const steps: string[] = [];
  await store.embed(call, (done, total, space) => steps.push(`${space} ${done}/${total}`));
  assert.deepEqual(steps, [`toy ${FIXTURE_DOCUMENTS.length}/${FIXTURE_DOCUMENTS.length}`]);
  assert.deepEqual(store.manifest.spaces?.[0]?.units, ['document', 'passage']);
  assert.equal(vectorFiles(folder).length, 2);
});
