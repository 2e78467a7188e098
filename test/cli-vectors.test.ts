/**
 * Tests that vectors follow the documents on the command line: units, removals, repairs, and stores
 * that cannot be written.
 */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Store } from '../src/stores/disk/index.ts';
import { ModelServer, sound } from './providers-server.ts';
import {
  allowOrigin,
  argv,
  DEMO_CORPUS,
  demoDataSet,
  freshFolder,
  printed,
  refuses,
  run,
  start,
  succeeds,
} from './running-command.ts';

let server: ModelServer;
before(async () => {
  server = await ModelServer.start(sound);
  allowOrigin(server.url);
});
after(() => server.stop());
beforeEach(() => server.reset());

const toy = (at = server.url): string[] => argv`--embedder openai-compatible:toy --base-url ${at}`;
const TOY = 'dense(openai-compatible:toy)';
const IN_PASSAGES = 'dense(openai-compatible:toy, unit=passage)';
const texts = (): number => server.requests.flatMap(({ body }) => body.input ?? []).length;
const newStore = (): string => join(freshFolder(), 'demo.store');
const ingested = async (...words: string[]): Promise<string> => {
  const store = newStore();
  await succeeds(['ingest', DEMO_CORPUS, '--store', store, ...words]);
  return store;
};
interface Searched {
  readonly retriever: string;
  readonly unit: string;
  readonly hits: readonly {
    readonly id: string;
    readonly documentId: string;
    readonly score: number;
  }[];
}
const searching = (store: string, retriever: string): string[] =>
  argv`search ${'harbour ferry'} --store ${store} --retriever ${retriever} -k 5`;
const search = (store: string, retriever: string): Promise<Searched> =>
  printed(searching(store, retriever));
const asking = (store: string, ...words: string[]): string[] =>
  argv`ask ${'Who runs the harbour ferry?'} --store ${store} --retriever ${TOY} ${words}`;
const derivedIn = (store: string): string =>
  join(store, readdirSync(store).find(name => name.startsWith('derived-'))!);
const dropCache = (store: string): void => rmSync(join(store, 'cache'), { recursive: true });

function damage(store: string): void {
  const bytes = readFileSync(derivedIn(store));
  bytes[bytes.length - 9]! ^= 1;
  writeFileSync(derivedIn(store), bytes);
}

test('remove --purge leaves nothing of a removed text in the store; without it the cache stays, and it says so', async () => {
  const store = await ingested(...toy());
  const { documents } = await (await Store.open(store)).snapshot();
  const remove = (at: number, ...words: string[]): string[] =>
    argv`remove ${documents[at]!.id} --store ${store} ${words}`;
  const kept = await succeeds(remove(0));
  assert.match(kept.err, /cache of the store keeps embeddings of removed text: --purge/);
  assert.ok(existsSync(join(store, 'cache')));
  const left = 'documents-00000099-0123456789abcdef.jsonl';
  writeFileSync(join(store, left), 'left by a writer');
  const { out, err } = await succeeds(remove(1, '--purge', '--json'));
  assert.deepEqual(JSON.parse(out).purged, [left, 'cache/']);
  assert.doesNotMatch(err, /keeps embeddings/);
  assert.ok(!existsSync(join(store, 'cache')));
  assert.deepEqual((await (await Store.open(store)).verify()).problems, []);
  assert.equal((await run(argv`remove x --purge --store postgres://u@h/d`)).code, 2);
});

describe('a retriever that names no unit', () => {
  test('searches the embedded unit, alone, fused, and in ask; only the query is embedded', async () => {
    const store = await ingested(...toy());
    server.reset();
    const passages = await search(store, TOY);
    assert.deepEqual([passages.retriever, passages.unit], [IN_PASSAGES, 'passage']);
    // One request finds the dimensions, one embeds the query.
    assert.equal(texts(), 2);
    const both = await search(store, `fused(lexical, ${TOY})`);
    assert.equal(both.retriever, `fused(lexical(unit=passage), ${IN_PASSAGES})`);
    const asked = await printed(asking(store, '--strategy', 'fixed-top-k'));
    assert.equal(asked.retriever, IN_PASSAGES);
    assert.ok(server.requests.every(({ body }) => body.input.length <= 5));
  });

  test('searches documents where that unit is named, which are embedded once, with a note', async () => {
    const words = searching(
      await ingested(...toy()),
      'dense(openai-compatible:toy, unit=document)',
    );
    const { out, err } = await succeeds([...words, '--json']);
    const { retriever, unit } = JSON.parse(out);
    assert.deepEqual([retriever, unit], [TOY, 'document']);
    assert.match(err, /Embedding texts by openai-compatible:toy/);
    server.reset();
    await succeeds(words);
    assert.ok(texts() <= 2, `${texts()} texts`);
  });

  test('searches sentences in fact-lanes, which are embedded once, with a note', async () => {
    const store = await ingested(...toy());
    assert.match((await succeeds(asking(store))).err, /Embedding texts by/);
    server.reset();
    await succeeds(asking(store));
    assert.ok(texts() <= 5, `${texts()} texts`);
    const embedded = await ingested(...toy(), '--unit', 'sentence');
    server.reset();
    assert.equal((await succeeds(asking(embedded))).err, '');
    assert.ok(texts() <= 5, `${texts()} texts`);
  });

  test('searches documents if those were embedded too', async () => {
    const store = await ingested(...toy(), '--unit', 'passage', '--unit', 'document');
    for (const retriever of [TOY, 'lexical'])
      assert.equal((await search(store, retriever)).unit, 'document');
  });
});

describe('ingest without PATH', () => {
  test('embeds the stored documents', async () => {
    const store = await ingested();
    const { embedded, read } = await printed(['ingest', '--store', store, ...toy()]);
    assert.deepEqual([embedded, read], [{ 'openai-compatible:toy': 44 }, 0]);
    assert.equal((await search(store, TOY)).hits.length, 5);
  });

  test('needs an embedder, and a store', async () => {
    const store = newStore();
    await refuses(['ingest', '--store', store], /PATH is missing.*--embedder/s);
    assert.equal((await run(['ingest', '--store', store, ...toy()])).code, 4);
    assert.equal(existsSync(store), false);
  });
});

test('documents ingested without the embedder get a note that they have no vectors, with the command that makes them', async () => {
  const store = await ingested(...toy());
  const file = join(freshFolder(), 'more.jsonl');
  writeFileSync(file, '{"id":"more","title":"More","text":"A ferry, a harbour, a ferry."}\n');
  const more = await succeeds(['ingest', file, '--store', store]);
  assert.match(
    more.err,
    /No vectors of openai-compatible:toy for these passages; multihop ingest --store .* --embedder openai-compatible:toy --unit passage/,
  );
  const { unembedded, ok } = await printed(['verify', '--store', store]);
  assert.deepEqual([unembedded, ok], [[{ space: 'openai-compatible:toy', unit: 'passage' }], true]);
  server.reset();
  const again = await succeeds(['ingest', '--store', store, ...toy()]);
  assert.match(
    again.err,
    /1 passages embedded by openai-compatible:toy in .*; 44 passages were known/,
  );
  // One request finds the dimensions, one embeds the new passage.
  assert.equal(texts(), 2);
});

test('remove keeps the vectors of the remaining documents', async () => {
  const store = await ingested(...toy());
  const all = await search(store, TOY);
  await succeeds(['remove', all.hits[0]!.documentId, '--store', store]);
  dropCache(store);
  server.reset();
  const rest = await search(store, TOY);
  const scored = ({ id, score }: { id: string; score: number }): unknown => [id, score];
  assert.deepEqual(rest.hits.slice(0, 4).map(scored), all.hits.slice(1).map(scored));
  assert.equal(texts(), 2);
  assert.match((await succeeds(['verify', '--store', store])).out, /sound/);
});

describe('verify --repair', () => {
  for (const [what, cached] of [
    ['from the cache', true],
    ['by the model', false],
  ] as const)
    test(`computes damaged vectors again ${what}`, async () => {
      const store = await ingested(...toy());
      const before = readFileSync(derivedIn(store));
      damage(store);
      if (!cached) dropCache(store);
      assert.equal((await run(['verify', '--store', store])).code, 3);
      server.reset();
      assert.match((await succeeds(['verify', '--store', store, '--repair'])).out, /sound/);
      assert.equal(texts(), cached ? 1 : 45);
      assert.deepEqual(readFileSync(derivedIn(store)), before);
    });

  test('prints the command to run if the model is not available', async () => {
    const gone = await ModelServer.start(sound);
    allowOrigin(gone.url);
    const store = await ingested(...toy(gone.url));
    await gone.stop();
    damage(store);
    const { out, err } = await succeeds(['verify', '--store', store, '--repair']);
    assert.match(err, /The embedder openai-compatible:toy is not available: .*cannot be reached/);
    assert.match(
      out,
      /no vectors of openai-compatible:toy for the passages.*multihop ingest --store .* --embedder openai-compatible:toy --unit passage/,
    );
  });
});

test('a store that cannot be written can be searched, by stored vectors and by new ones', async () => {
  const store = await ingested(...toy());
  const someone = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const files = (): string[] => readdirSync(store, { recursive: true }).map(String).sort();
  const before = files();
  chmodSync(join(store, '..'), 0o755);
  // Files are private to who wrote them; here anybody may read.
  for (const name of files()) chmodSync(join(store, name), name === 'cache' ? 0o555 : 0o444);
  chmodSync(store, 0o555);
  try {
    const note = /cannot be written; what models compute is not cached/;
    for (const [retriever, says] of [
      [TOY, /^$/],
      ['dense(openai-compatible:toy, unit=sentence)', note],
      ['reranked(lexical, tei:toy)', note],
    ] as const) {
      const words = argv`${searching(store, retriever)} --reranker-url ${server.url} --json`;
      const { code, out, err } = await start(words, someone).result;
      assert.equal(code, 0, err);
      assert.ok((JSON.parse(out) as Searched).hits.length > 0, retriever);
      assert.match(err, says);
      assert.ok((err.match(/not kept/g) ?? []).length <= 1, 'said once');
    }
    assert.deepEqual(files(), before);
  } finally {
    chmodSync(store, 0o755);
    chmodSync(join(store, 'cache'), 0o755);
  }
});

test('learn takes models, and caches their vectors', async () => {
  const folder = freshFolder();
  const learn = argv`learn support-threshold multihop-rag ${demoDataSet(folder)}
    --retriever ${`fused(lexical, ${TOY})`}`;
  const words = argv`${learn} ${toy()} --cache ${join(folder, 'cache')}`;
  const first = await printed(words);
  assert.equal(first.retriever, `fused(lexical, ${TOY})`);
  assert.ok(first.threshold > 0 && texts() > 44);
  server.reset();
  assert.deepEqual(await printed(words), first);
  assert.equal(texts(), 1, 'the dimensions');
  await refuses(learn, /vector space.*Name its model too: --embedder openai-compatible:toy/s);
});

test('the trace of an ask identifies each model, including those that the store does not record', async () => {
  const store = await ingested();
  const trace = join(freshFolder(), 'run.jsonl');
  await succeeds(argv`ask ${'Who runs the ferry?'} --store ${store} ${toy()}
    --retriever ${`reranked(fused(lexical, ${TOY}), tei:toy)`} --reranker-url ${server.url}
    --trace ${trace} --full-trace`);
  assert.match(
    readFileSync(trace, 'utf8'),
    /"resources":\{"embedder":\{"openai-compatible:toy":"openai-compatible:toy@64"\},"reranker":\{[^}]*"tei:toy":"tei:toy"[^}]*\}/,
  );
});

test('the hint for a space without vectors depends on the store', async () => {
  for (const [store, says] of [
    [await ingested(), /multihop ingest PATH\.\.\. --store DIR --embedder bge-small-en-v1\.5/],
    // A store keeps its first model.
    [await ingested(...toy()), /Name its model too: --embedder bge-small-en-v1\.5/],
  ] as const)
    assert.match((await run(searching(store, 'dense(bge-small-en-v1.5)'))).err, says);
});
