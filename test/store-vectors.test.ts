/**
 * Tests a store with embedders: vectors are files, unchanged documents are not embedded again,
 * other models are rejected, and damage costs only time.
 */
import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { freeCall } from '../src/core/trace/call.ts';
import { cachedEmbedder } from '../src/models/cached-embedder.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { printManifest } from '../src/stores/disk/manifest-file.ts';
import { Store } from '../src/stores/disk/store.ts';
import type { StoreEmbedder } from '../src/stores/disk/store-embedders.ts';
import { VectorCacheFolder } from '../src/stores/disk/vector-cache.ts';
import { verifyStore } from '../src/stores/disk/verify-store.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../src/testing/fixture-corpus.ts';
import { type HashedEmbedder, hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { freshFolder } from './fresh-folder.ts';

const call = freeCall();
const chunker = 'sentences(per=2)';

const toy = (
  inner: HashedEmbedder = hashedEmbedder('toy@1', 16),
  more: Partial<StoreEmbedder> = {},
): StoreEmbedder => ({ name: 'toy', embedder: inner, units: ['passage'], ...more });
const texts = ({ calls }: HashedEmbedder, role = 'passage'): number =>
  calls.filter(({ as }) => as === role).flatMap(of => of.texts).length;
const request = {
  unit: 'passage' as const,
  space: 'toy',
  k: 5,
  queries: FIXTURE_QUESTIONS.map(({ text }) => ({ text })),
};

async function filled(folder: string, embedder = toy()): Promise<Store> {
  const store = await Store.open(folder, { create: true, chunker, embedders: [embedder] });
  await store.put(FIXTURE_DOCUMENTS, call);
  await store.embed(call);
  await store.close();
  return store;
}
const vectorFiles = (folder: string): string[] =>
  readdirSync(folder).filter(name => name.startsWith('derived-'));

test('stored vectors give the same hits as in memory, and only queries are embedded', async () => {
  const folder = freshFolder();
  await filled(folder);
  const inner = hashedEmbedder('toy@1', 16);
  const store = await Store.open(folder, { embedders: [toy(inner)] });
  const memory = new EmbeddedEngine({
    documents: FIXTURE_DOCUMENTS,
    chunker,
    embedders: [{ ...hashedEmbedder('toy', 16) }],
  });
  assert.deepEqual(
    await (await store.snapshot()).search(request, call),
    await memory.current.search(request, call),
  );
  assert.deepEqual([texts(inner), texts(inner, 'query')], [0, request.queries.length]);
  assert.deepEqual(store.manifest.spaces, [
    { name: 'toy', id: 'toy@1', dimensions: 16, template: 'header', units: ['passage'] },
  ]);
  assert.deepEqual((await verifyStore(folder)).problems, []);
  assert.equal(vectorFiles(folder).length, 1);
});

test('unchanged documents are not embedded again, and a killed process continues from the cache', async () => {
  const folder = freshFolder();
  const dying = hashedEmbedder('toy@1', 16);
  const cache = (inner: HashedEmbedder) => ({
    ...inner,
    ...cachedEmbedder(inner, new VectorCacheFolder(join(folder, 'cache')), {
      hash: sha256,
      batch: 2,
    }),
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
  assert.equal(more.manifest.derived![0]!.behind, 1, 'a document without vectors');
  await more.embed(call);
  assert.equal(texts(again), 2);
  assert.equal(store.manifest.documents + 1, more.manifest.documents);
  assert.ok(distinct > 6);
  assert.deepEqual((await verifyStore(folder)).problems, []);
  assert.equal(vectorFiles(folder).length, 1, 'those of earlier documents are gone');
});

describe('another model', () => {
  const folder = freshFolder();
  const state = (): string[] =>
    readdirSync(folder).map(name => sha256(readFileSync(join(folder, name), 'latin1')));
  for (const [what, embedder] of [
    ['of that name', toy(hashedEmbedder('toy@2', 16))],
    ['of other dimensions', toy(hashedEmbedder('toy@1', 8))],
  ] as const)
    test(`${what} is rejected when the store is opened`, async () => {
      await filled(folder);
      const before = state();
      await assert.rejects(Store.open(folder, { embedders: [embedder] }), {
        code: 'other-embedder',
        message: /toy \(toy@1\) of 16 dimensions.*toy \(toy@[12]\) of (?:16|8) dimensions/,
      });
      assert.deepEqual(state(), before);
    });
  test('beside the model of the store cannot embed documents, but can search', async () => {
    const other = await Store.open(folder, {
      embedders: [toy(hashedEmbedder('other', 4), { name: 'other' })],
    });
    const before = state();
    await assert.rejects(other.embed(call), {
      code: 'other-embedder',
      message: /toy \(toy@1\).*other of 4 dimensions/,
    });
    assert.deepEqual(state(), before);
    assert.equal(
      (await (await other.snapshot()).search({ ...request, space: 'other' }, call))[0]!.length,
      5,
    );
  });
});

test('damaged vectors are reported, computed again, and written anew', async () => {
  const folder = freshFolder();
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
  const store = await Store.open(folder, {
    embedders: [toy(inner)],
    onWarning: ({ code }) => told.push(code),
  });
  assert.equal((await (await store.snapshot()).search(request, call))[0]!.length, 5);
  assert.deepEqual(told, ['derived-damaged']);
  await store.embed(call);
  assert.deepEqual((await verifyStore(folder)).problems, []);
});

test('units accumulate, and progress is reported', async () => {
  const folder = freshFolder();
  await filled(folder);
  const inner = hashedEmbedder('toy@1', 16);
  const store = await Store.open(folder, { embedders: [toy(inner, { units: ['document'] })] });
  const steps: string[] = [];
  await store.embed(call, (done, total, space, unit) =>
    steps.push(`${unit} ${space} ${done}/${total}`),
  );
  const { length } = FIXTURE_DOCUMENTS;
  assert.deepEqual(steps, [`document toy 0/${length}`, `document toy ${length}/${length}`]);
  assert.deepEqual(store.manifest.spaces?.[0]?.units, ['document', 'passage']);
  assert.equal(vectorFiles(folder).length, 2);
});

test('a removal keeps the other vectors, equal in bytes to a store that never held the removed ones', async () => {
  const [folder, other] = [freshFolder(), freshFolder()];
  const inner = hashedEmbedder('toy@1', 16);
  const store = await filled(folder, toy(inner, { units: ['document', 'passage'] }));
  const [gone, ...rest] = FIXTURE_DOCUMENTS;
  const before = texts(inner);
  // The removing command has no model.
  const plain = await Store.open(folder);
  await plain.remove([gone!.id], call);
  await plain.close();
  assert.equal(texts(inner), before);
  assert.deepEqual((await verifyStore(folder)).problems, []);
  const embedders = [toy(inner, { units: ['document', 'passage'] })];
  const fresh = await Store.open(other, { create: true, chunker, embedders });
  await fresh.put(rest, call);
  await fresh.embed(call);
  const contents = (of: Store) =>
    of.manifest.derived!.map(({ key, sha256: bytes }) => [key, bytes]).sort();
  assert.deepEqual(contents(plain), contents(fresh));
  assert.equal(plain.manifest.derived!.length, 2);
  await store.remove(
    rest.map(({ id }) => id),
    call,
  );
  assert.deepEqual((await verifyStore(folder)).problems, [], 'none left');
});

test('an intact file of other documents is reported', async () => {
  const [folder, other] = [freshFolder(), freshFolder()];
  const mine = await filled(folder);
  const theirs = await Store.open(other, { create: true, chunker, embedders: [toy()] });
  await theirs.put(FIXTURE_DOCUMENTS.slice(1), call);
  await theirs.embed(call);
  const { derived } = theirs.manifest;
  copyFileSync(join(other, derived![0]!.file), join(folder, derived![0]!.file));
  writeFileSync(join(folder, 'store.json'), printManifest({ ...mine.manifest, derived }));
  assert.deepEqual(
    (await verifyStore(folder)).problems.map(({ problem }) => problem),
    ['it is not vectors(toy) passage of these documents'],
  );
});

test('a space that an earlier release fitted on the documents is ignored, and left out by a write', async () => {
  const folder = freshFolder();
  const { manifest } = await filled(folder);
  const [vectors] = manifest.derived!;
  const lsa = { ...vectors!, key: 'lsa(dimensions=8) passage', file: 'derived-lsa-1.bin' };
  writeFileSync(join(folder, lsa.file), 'of an earlier release');
  const fitted = [{ space: 'lsa(dimensions=8)', units: ['passage'] }];
  const older = { ...manifest, fitted, derived: [lsa, vectors!] };
  writeFileSync(join(folder, 'store.json'), printManifest(older));
  const { problems, orphans } = await verifyStore(folder);
  assert.deepEqual([problems, orphans], [[], [lsa.file]]);
  const store = await Store.open(folder, { embedders: [toy()] });
  assert.equal((await (await store.snapshot()).search(request, call))[0]!.length, 5);
  await store.remove([FIXTURE_DOCUMENTS[0]!.id], call);
  const written = JSON.parse(readFileSync(join(folder, 'store.json'), 'utf8'));
  assert.deepEqual(
    [written.fitted, written.derived.map(({ key }: { key: string }) => key)],
    [undefined, ['vectors(toy) passage']],
  );
});
