/**
 * Tests a store with embedders: vectors are files, unchanged documents are not embedded again,
 * other models are rejected, and damage costs only time.
 */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
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

const call = freeCall();
const home = mkdtempSync(join(tmpdir(), 'store-vectors-'));
after(() => rmSync(home, { recursive: true, force: true }));
let folders = 0;
const newFolder = (): string => join(home, `store-${folders++}`);
const chunker = 'sentences(per=2)';

const toy = (
  inner: HashedEmbedder = hashedEmbedder('toy@1', 16),
  more: Partial<StoreEmbedder> = {},
): StoreEmbedder => ({
  name: 'toy',
  embedder: inner,
  units: ['passage'],
  ...more,
});
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
  const folder = newFolder();
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
  const folder = newFolder();
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
  const folder = newFolder();
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
  const folder = newFolder();
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
  const [folder, other] = [newFolder(), newFolder()];
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
  const fresh = await Store.open(other, {
    create: true,
    chunker,
    embedders: [toy(inner, { units: ['document', 'passage'] })],
  });
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

describe('a fitted space', () => {
  const lsa = { space: 'lsa(dimensions=8)', units: ['document', 'passage'] as const };
  const ask = { ...request, space: lsa.space };
  const fitted = async (folder: string, documents = FIXTURE_DOCUMENTS): Promise<Store> => {
    const store = await Store.open(folder, { create: true, chunker });
    await store.put(documents, call);
    await store.fit([lsa], call);
    await store.close();
    return store;
  };
  const opened = async (folder: string) => {
    const fits: string[] = [];
    return {
      fits,
      store: await Store.open(folder, {
        onFitting: (unit, space) => fits.push(`${unit} ${space}`),
      }),
    };
  };
  const hashes = ({ manifest }: Store) =>
    manifest.derived?.map(({ key, sha256: bytes }) => `${key} ${bytes}`).sort();

  test('is loaded by a search, with the hits of a fresh fit', async () => {
    const folder = newFolder();
    await fitted(folder);
    const { store, fits } = await opened(folder);
    const memory = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS, chunker });
    assert.deepEqual(
      await (await store.snapshot()).search(ask, call),
      await memory.current.search(ask, call),
    );
    const ids = (await (await store.snapshot()).search(ask, call))[0]!.map(({ id }) => id);
    assert.deepEqual(
      await (await store.snapshot()).vectors('passage', ids, ask.space, call),
      await memory.current.vectors('passage', ids, ask.space, call),
    );
    assert.deepEqual(fits, []);
    await (await store.snapshot()).search({ ...ask, space: 'lsa' }, call);
    assert.deepEqual(fits, ['passage lsa'], 'a fit of another space is reported');
    assert.deepEqual((await verifyStore(folder)).problems, []);
    assert.deepEqual(store.manifest.fitted, [lsa]);
  });

  test('has equal bytes whatever the order of writes, and is written once', async () => {
    const [one, two] = [
      await fitted(newFolder()),
      await Store.open(newFolder(), { create: true, chunker }),
    ];
    for (const document of FIXTURE_DOCUMENTS.toReversed()) await two.put([document], call);
    const steps: string[] = [];
    await two.fit([lsa], call, {
      fitted: (unit, space, items) => steps.push(`${unit} ${space} ${items > 0}`),
    });
    assert.deepEqual(hashes(one), hashes(two));
    assert.deepEqual(steps, ['document lsa(dimensions=8) true', 'passage lsa(dimensions=8) true']);
    const { generation } = two.manifest;
    await two.fit([], call, { fitted: () => assert.fail('nothing changed') });
    assert.equal(two.manifest.generation, generation);
  });

  test('is served stale after writes, reports its staleness, and is fitted again on command', async () => {
    const folder = newFolder();
    const store = await fitted(folder);
    const first = FIXTURE_DOCUMENTS[0]!;
    const count = FIXTURE_DOCUMENTS.length;
    const writes = [
      {
        write: () => store.put([{ ...first, id: 'new', text: 'Walrus lighthouse.' }], call),
        stale: { documents: count, added: 1, changed: 0, removed: 0 },
      },
      {
        write: () => store.put([{ ...first, text: 'Changed.' }], call),
        stale: { documents: count + 1, added: 0, changed: 1, removed: 0 },
      },
      {
        write: () => store.remove(['new'], call),
        stale: { documents: count + 1, added: 0, changed: 0, removed: 1 },
      },
    ];
    for (const { write, stale } of writes) {
      const before = hashes(store);
      await write();
      assert.deepEqual(hashes(store), before, 'kept');
      assert.deepEqual(
        store.manifest.derived!.map(({ behind }) => behind),
        [1, 1],
      );
      const report = await verifyStore(folder);
      assert.deepEqual([report.ok, report.unembedded], [true, []]);
      assert.deepEqual(
        report.stale,
        ['document', 'passage'].map(unit => ({ key: `lsa(dimensions=8) ${unit}`, ...stale })),
      );
      const { store: reader, fits } = await opened(folder);
      const snapshot = await reader.snapshot();
      assert.deepEqual(snapshot.stale(), [], 'nothing was searched yet');
      const [hits] = await snapshot.search({ ...ask, unit: 'document', k: 99 }, call);
      assert.equal(
        hits!.some(({ id }) => id === 'new'),
        stale.added === 1 || stale.changed === 1,
        'new documents are folded in, removed ones are dropped',
      );
      assert.deepEqual(snapshot.stale(), [{ key: 'lsa(dimensions=8) document', ...stale }]);
      assert.deepEqual(fits, []);
      await store.fit([], call);
      assert.notDeepEqual(hashes(store), before);
      assert.equal(vectorFiles(folder).length, 2, 'the old ones are gone');
      const repaired = await verifyStore(folder);
      assert.deepEqual([repaired.problems, repaired.stale], [[], []]);
      assert.deepEqual((await store.snapshot()).stale(), []);
    }
    assert.deepEqual(
      hashes(store),
      hashes(
        await fitted(newFolder(), [{ ...first, text: 'Changed.' }, ...FIXTURE_DOCUMENTS.slice(1)]),
      ),
    );
  });

  test('coexists with the vectors of a model', async () => {
    const folder = newFolder();
    const store = await filled(folder);
    await store.fit([lsa], call);
    assert.equal(store.manifest.derived!.length, 3);
    const again = await Store.open(folder, { embedders: [toy()] });
    await again.embed(call);
    assert.equal(again.manifest.derived!.length, 3);
    await again.remove([FIXTURE_DOCUMENTS[0]!.id], call);
    assert.deepEqual(again.manifest.derived!.map(({ key, behind }) => [key, behind]).sort(), [
      ['lsa(dimensions=8) document', 1],
      ['lsa(dimensions=8) passage', 1],
      ['vectors(toy) passage', undefined],
    ]);
  });

  test('verify reports a damaged file, or one of other documents; a search fits it again', async () => {
    const folder = newFolder();
    const store = await fitted(folder);
    const { file } = store.manifest.derived!.find(({ key }) => key.endsWith('passage'))!;
    const bytes = readFileSync(join(folder, file));
    bytes[bytes.length - 3]! ^= 1;
    writeFileSync(join(folder, file), bytes);
    assert.deepEqual(
      (await verifyStore(folder)).problems.map(({ effect }) => effect),
      ['rebuilt'],
    );
    const warned: string[] = [];
    const reader = await Store.open(folder, { onWarning: ({ message }) => warned.push(message) });
    const memory = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS, chunker });
    assert.deepEqual(
      await (await reader.snapshot()).search(ask, call),
      await memory.current.search(ask, call),
    );
    assert.match(
      warned[0]!,
      /built again from the documents\. To write it anew, open ".*" by Store\.open; call rebuild/,
    );
    await reader.fit([], call);
    assert.deepEqual((await verifyStore(folder)).problems, []);
  });

  test('verify reports an intact file of other documents', async () => {
    const [folder, other] = [newFolder(), newFolder()];
    const [mine, theirs] = [
      await fitted(folder),
      await fitted(
        other,
        FIXTURE_DOCUMENTS.toReversed().map((one, at) => ({ ...one, text: `${at}` })),
      ),
    ];
    const stranger = theirs.manifest.derived!.filter(({ key }) => key.endsWith('document'));
    for (const { file } of stranger) copyFileSync(join(other, file), join(folder, file));
    const derived = [
      ...mine.manifest.derived!.filter(({ key }) => key.endsWith('passage')),
      ...stranger,
    ];
    writeFileSync(join(folder, 'store.json'), printManifest({ ...mine.manifest, derived }));
    assert.deepEqual(
      (await verifyStore(folder)).problems.map(({ problem }) => problem),
      ['it is not lsa(dimensions=8) document of these documents'],
    );
  });

  test('an abort ends fitting, and an empty store has none', async () => {
    const store = await Store.open(newFolder(), { create: true, chunker });
    await store.fit([lsa], call, { fitted: () => assert.fail('no documents') });
    await store.put(FIXTURE_DOCUMENTS, call);
    const stop = new AbortController();
    await assert.rejects(store.fit([lsa], freeCall(stop.signal), { fitted: () => stop.abort() }), {
      name: 'AbortError',
    });
    assert.equal(store.manifest.derived, undefined);
  });
});
