/** Tests the graph of sentences that a store keeps: built, stored and refreshed at ingest. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { type DocumentStore, type OpenStoreOptions, openStore } from '../src/index.ts';
import type { Embedder } from '../src/models/embedder.ts';
import type { EntityRecogniser } from '../src/models/entity-recogniser.ts';
import { nameRecogniser } from '../src/models/name-recogniser.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import type { Engine } from '../src/search/engine.ts';
import { semantic } from '../src/search/graphs/sentence-graph.ts';
import { NEIGHBOURS } from '../src/search/ports/neighbours-port.ts';
import type { IngestSummary } from '../src/session/document-store.ts';
import { nodeDisk } from '../src/stores/disk/disk.ts';
import { readManifest } from '../src/stores/disk/generation.ts';
import { Store } from '../src/stores/disk/store.ts';
import type { StoreOptions } from '../src/stores/disk/store-options.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { CrashingDisk, Died, randomOf } from './oracles/crashing-disk.ts';
import { DEMO_CORPUS, freshFolder, run, start } from './running-command.ts';

const call = freeCall();
const SPACE = 'toy';
const KEYS = ['entities(names) sentence', `nearest(${SPACE}) sentence`];
const PEOPLE = ['Orla Vell', 'Reed Quill', 'Tam Orrin', 'Ines Marl'];

/** Each of three sentences names two people, so that documents share entities. */
function documentOf(id: string, version = 0): Document {
  const from = id.charCodeAt(0) + version;
  const sentences = [0, 1, 2].map(at => {
    const [one, other] = [PEOPLE[(from + at) % 4], PEOPLE[(from + at + 1) % 4]];
    return `In ${from + at} the keeper ${one} met ${other} at the pier ${version}.`;
  });
  return { id, title: '', text: sentences.join(' '), metadata: {} };
}

const documentsOf = (ids: string, version = 0): Document[] =>
  [...ids].map(id => documentOf(id, version));

const LABELS = ['adjacent', 'entity', semantic(SPACE)];

async function edgesIn(engine: Engine, labels = LABELS): Promise<unknown> {
  await using snapshot = await engine.snapshot();
  const documents = (snapshot as unknown as { documents: readonly Document[] }).documents;
  const parts = await snapshot.parts(
    'sentence',
    documents.map(({ id }) => id),
    call,
  );
  const ids = parts.flat().map(({ id }) => id);
  return snapshot.port(NEIGHBOURS)!.neighbours({ unit: 'sentence', ids, labels }, call);
}

const builtOf = (documents: readonly Document[], labels = LABELS): Promise<unknown> =>
  edgesIn(new EmbeddedEngine({ documents, embedders: [hashedEmbedder(SPACE, 8)] }), labels);

/** Embeds queries alone. */
const silent: Embedder = {
  id: SPACE,
  dimensions: 8,
  embed: async (texts, as, given) =>
    as === 'passage' ? assert.fail('embedded') : hashedEmbedder(SPACE, 8).embed(texts, as, given),
};

const stored = (embedder: Embedder): StoreOptions['embedders'] => [
  { name: SPACE, embedder, units: ['passage'] },
];

function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length - 12]! ^= 1;
  writeFileSync(path, bytes);
}

/** Fails if a part of a graph is built. */
const onGraph = (key: string): never => assert.fail(`built ${key}`);

/** Reads the edges of a store without a model, and fails if a part of the graph is built. */
async function readFrom(folder: string): Promise<unknown> {
  return edgesIn(await Store.open(folder, { embedders: stored(silent)!, onGraph }));
}

const EMBEDDED: OpenStoreOptions = { embedders: [hashedEmbedder(SPACE, 8)] };
const opened = (folder: string, more: object = {}): Promise<DocumentStore> =>
  openStore(folder, { ...EMBEDDED, env: {}, ...more });

/** Ingests once into a store, which is closed then. */
async function ingested(
  folder: string,
  documents: readonly Document[],
  options: OpenStoreOptions,
): Promise<IngestSummary> {
  await using store = await openStore(folder, { env: {}, ...options });
  return await store.ingest(documents);
}

const keysOf = async (folder: string): Promise<string[]> => {
  const store = await Store.open(folder);
  const { derived = [] } = store.manifest;
  return derived.filter(({ behind = 0 }) => behind === 0).map(({ key }) => key);
};

describe('openStore with a graph', () => {
  test('stores it at ingest, and a new process reads it without building', async () => {
    const folder = freshFolder();
    await using store = await opened(folder, { graph: 'names' });
    const events: unknown[] = [];
    const ingest = store.ingest(documentsOf('abcd'));
    for await (const event of ingest) if (event.type === 'graph') events.push(event);
    assert.deepEqual((await ingest).graph, { 'entities(names)': 4, [`nearest(${SPACE})`]: 4 });
    const steps = ['entities(names)', `nearest(${SPACE})`].flatMap(index =>
      [0, 4].map(done => ({ type: 'graph', index, done, total: 4 })),
    );
    assert.deepEqual(events, steps);
    assert.deepEqual(await readFrom(folder), await builtOf(documentsOf('abcd')));
    assert.deepEqual((await Store.open(folder)).manifest.graph, {
      recogniser: 'names',
      id: 'names',
    });
  });

  test('is right after documents were replaced, added and removed, in any order', async () => {
    const folder = freshFolder();
    await using store = await opened(folder, { graph: 'names' });
    await store.ingest(documentsOf('fbd'));
    await store.ingest(documentsOf('ca'));
    await store.ingest([documentOf('b', 3), documentOf('e')]);
    await store.remove(['f', 'a']);
    const left = [documentOf('b', 3), ...documentsOf('cde')];
    assert.deepEqual(await readFrom(folder), await builtOf(left));
    assert.deepEqual((await keysOf(folder)).filter(key => KEYS.includes(key)).sort(), KEYS);
    assert.deepEqual((await (await Store.open(folder)).verify()).problems, []);
  });

  test('a second ingest adds only new documents, and goes on without the option', async () => {
    const folder = freshFolder();
    await ingested(folder, documentsOf('abcd'), { graph: 'names', ...EMBEDDED });
    await using later = await opened(folder);
    const { graph } = await later.ingest(documentsOf('abcdef'));
    assert.deepEqual(graph, { 'entities(names)': 2, [`nearest(${SPACE})`]: 2 });
    assert.deepEqual(await readFrom(folder), await builtOf(documentsOf('abcdef')));
  });

  test('begins on a store of documents, and needs no embedder', async () => {
    const folder = freshFolder();
    await ingested(folder, documentsOf('abc'), {});
    await using later = await openStore(folder, { env: {}, graph: 'names' });
    assert.deepEqual((await later.ingest([])).graph, { 'entities(names)': 3 });
    const labels = ['entity', 'adjacent'];
    const read = await edgesIn(await Store.open(folder, { onGraph }), labels);
    assert.deepEqual(read, await builtOf(documentsOf('abc'), labels));
  });

  test('a store without one keeps none, and a search that builds one says so', async () => {
    const folder = freshFolder();
    await ingested(folder, documentsOf('abc'), EMBEDDED);
    assert.deepEqual(
      (await keysOf(folder)).filter(key => KEYS.includes(key)),
      [],
    );
    const built: string[] = [];
    const onGraph = (key: string): void => void built.push(key);
    const embedders = stored(hashedEmbedder(SPACE, 8))!;
    const read = await edgesIn(await Store.open(folder, { embedders, onGraph }));
    assert.deepEqual(built, KEYS);
    assert.deepEqual(read, await builtOf(documentsOf('abc')));
  });

  test('a damaged graph is built in memory, and stored again at the next ingest', async () => {
    const folder = freshFolder();
    await using store = await opened(folder, { graph: 'names' });
    await store.ingest(documentsOf('abc'));
    const { derived = [] } = (await readManifest(nodeDisk, folder))!;
    for (const { file } of derived.filter(one => KEYS.includes(one.key))) {
      damage(join(folder, file));
    }
    const warned: string[] = [];
    const embedders = stored(hashedEmbedder(SPACE, 8))!;
    const onWarning = ({ message }: { readonly message: string }): void =>
      void warned.push(message);
    const read = await edgesIn(await Store.open(folder, { embedders, onWarning }));
    assert.deepEqual(read, await builtOf(documentsOf('abc')));
    assert.equal(warned.length, 2);
    await store.ingest([documentOf('a')]);
    assert.deepEqual(await readFrom(folder), await builtOf(documentsOf('abc')));
  });
});

describe('a graph by a recogniser of one’s own', () => {
  let asked = 0;
  const own: EntityRecogniser = {
    id: 'own-1',
    async recognise(documents, given) {
      asked += documents.length;
      return nameRecogniser.recognise(documents, given);
    },
  };
  const resources = { 'entity-recogniser': own };

  test('is read without it, and asks it again for new documents alone', async () => {
    const folder = freshFolder();
    await using store = await openStore(folder, { env: {}, graph: 'own-1', resources });
    await store.ingest(documentsOf('abc'));
    assert.deepEqual(await keysOf(folder), ['entities(own-1) sentence']);
    await store.ingest(documentsOf('cd'));
    assert.equal(asked, 4);
    const labels = ['entity'];
    const read = await edgesIn(await Store.open(folder), labels);
    assert.deepEqual(read, await builtOf(documentsOf('abcd'), labels));
  });

  test('that is missing leaves new documents out, which a search refuses by name', async () => {
    const folder = freshFolder();
    await ingested(folder, documentsOf('abc'), { graph: 'own-1', resources });
    await using later = await openStore(folder, { env: {} });
    assert.deepEqual((await later.ingest([documentOf('d')])).graph, {});
    await assert.rejects(edgesIn(await Store.open(folder), ['entity']), {
      code: 'missing-recogniser',
      message: /entities of new documents/,
    });
    await later.remove(['d']);
    const read = await edgesIn(await Store.open(folder), ['entity']);
    assert.deepEqual(read, await builtOf(documentsOf('abc'), ['entity']));
  });

  test('takes the place of the recorded one', async () => {
    const folder = freshFolder();
    await ingested(folder, documentsOf('abc'), { graph: 'names' });
    await ingested(folder, [], { graph: 'own-1', resources });
    assert.deepEqual(await keysOf(folder), ['entities(own-1) sentence']);
    const { graph } = (await Store.open(folder)).manifest;
    assert.deepEqual(graph, { recogniser: 'own-1', id: 'own-1' });
  });

  test('an unknown one is refused before a store is made', async () => {
    const folder = join(freshFolder(), 'none.store');
    const ingest = await run(['ingest', DEMO_CORPUS, '--store', folder, '--graph', 'nmes']);
    assert.equal(ingest.code, 2);
    assert.match(ingest.err, /Unknown entity recogniser "nmes"[\s\S]*names/);
    await assert.rejects(Store.open(folder), { code: 'no-store' });
  });
});

describe('multihop ingest --graph', () => {
  const ingest = (folder: string, ...more: string[]): ReturnType<typeof run> =>
    run(['ingest', ...more, '--store', folder, '--json']);

  test('keeps a graph of new and of stored documents', async () => {
    const folder = join(freshFolder(), 'a.store');
    const first = await ingest(folder, DEMO_CORPUS, '--graph', 'names');
    assert.equal(first.code, 0, first.err);
    const { graph, documents } = JSON.parse(first.out);
    assert.deepEqual(graph, { 'entities(names)': documents });
    assert.ok((await keysOf(folder)).includes(KEYS[0]!));
    const other = join(freshFolder(), 'b.store');
    await ingest(other, DEMO_CORPUS);
    const later = await ingest(other, '--graph', 'names');
    assert.deepEqual(JSON.parse(later.out).graph, { 'entities(names)': documents });
    assert.match((await ingest(other)).err, /an --embedder, a --graph or --claims/);
  });

  test('a first question of a strategy that follows a graph builds none', async () => {
    const [kept, plain] = ['kept.store', 'plain.store'].map(name => join(freshFolder(), name));
    await ingest(kept!, DEMO_CORPUS, '--graph', 'names');
    await ingest(plain!, DEMO_CORPUS);
    for (const strategy of ['chain', 'hipporag2']) {
      const asked = async (store: string): Promise<string> => {
        const words = ['ask', 'Who founded Dunmarrow Drives?', '--store', store, '-v'];
        const { code, err } = await run([...words, '--strategy', strategy]);
        assert.equal(code, 0, err);
        return err;
      };
      assert.doesNotMatch(await asked(kept!), /Building/, strategy);
      const said = await asked(plain!);
      assert.match(said, /Building entities\(names\) [\s\S]*--store \S+ --graph names/, strategy);
    }
  });

  test('an engine on a server keeps none, and says so', async () => {
    const words = ['ingest', DEMO_CORPUS, '--store', 'postgres://nowhere/x', '--graph', 'names'];
    const { code, err } = await run(words);
    assert.equal(code, 2);
    assert.match(err, /--graph[\s\S]*keeps no graph/);
  });

  test('verify --repair writes a damaged one anew', async () => {
    const folder = join(freshFolder(), 'a.store');
    await ingest(folder, DEMO_CORPUS, '--graph', 'names');
    const { derived = [] } = (await readManifest(nodeDisk, folder))!;
    const { file } = derived.find(({ key }) => key === KEYS[0])!;
    damage(join(folder, file));
    const verify = (...more: string[]) => run(['verify', '--store', folder, ...more]);
    assert.equal((await verify()).code, 3);
    assert.equal((await verify('--repair')).code, 0);
    await edgesIn(await Store.open(folder, { onGraph }), ['entity']);
  });

  test('kill -9 at any moment leaves a sound store, and the same command ends the work', async () => {
    const folder = join(freshFolder(), 'killed.store');
    const words = ['ingest', DEMO_CORPUS, '--store', folder, '--graph', 'names', '--json'];
    const whole = join(freshFolder(), 'whole.store');
    const began = performance.now();
    assert.equal((await start(words.with(3, whole)).result).code, 0);
    const took = performance.now() - began;
    for (const share of [0.5, 0.6, 0.7, 0.8, 0.9]) {
      const running = start(words);
      const timer = setTimeout(() => running.child.kill('SIGKILL'), share * took);
      await running.result;
      clearTimeout(timer);
      if (await readManifest(nodeDisk, folder))
        assert.deepEqual((await (await Store.open(folder)).verify()).problems, [], `${share}`);
    }
    assert.equal((await run(words)).code, 0);
    const labels = ['entity', 'adjacent'];
    const read = async (from: string): Promise<unknown> =>
      edgesIn(await Store.open(from, { onGraph }), labels);
    assert.deepEqual(await read(folder), await read(whole));
  });
});

test('kill -9 and a power cut before every step leave documents with a right graph', async () => {
  const FOLDER = '/store';
  const options = (disk: CrashingDisk): StoreOptions => ({
    disk,
    embedders: stored(hashedEmbedder(SPACE, 8))!,
    recogniser: { name: 'names', recogniser: nameRecogniser },
  });
  const workload = async (disk: CrashingDisk): Promise<void> => {
    const store = await Store.open(FOLDER, { ...options(disk), create: true });
    await store.put(documentsOf('ab'), call);
    await store.keepGraph(call);
    await store.put([documentOf('c'), documentOf('b', 1)], call);
    await store.keepGraph(call);
    await store.remove(['a'], call);
  };
  const whole = new CrashingDisk();
  await workload(whole);
  assert.ok(whole.steps > 40, `${whole.steps} steps`);
  const check = async (disk: CrashingDisk, place: string): Promise<void> => {
    if (!(await readManifest(disk, FOLDER))) return;
    const store = await Store.open(FOLDER, options(disk));
    assert.deepEqual((await store.verify()).problems, [], place);
    const { documents } = await store.snapshot();
    if (documents.length > 0)
      assert.deepEqual(await edgesIn(store), await builtOf(documents), place);
  };
  for (let step = 0; step < whole.steps; step++) {
    const dead = new CrashingDisk();
    dead.failAt = step;
    await assert.rejects(workload(dead), Died);
    await check(dead.afterKill(), `killed before step ${step}`);
    await check(dead.afterPowerCut(randomOf(step + 1)), `power cut before step ${step}`);
  }
});
