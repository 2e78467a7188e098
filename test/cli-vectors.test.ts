/**
 * Tests that vectors follow the documents on the command line: units, removals, repairs, and stores
 * that cannot be written.
 */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Store } from '../src/stores/disk/index.ts';
import { embeddings, json, ModelServer, type Play } from './providers-server.ts';
import {
  allowOrigin,
  argv,
  DEMO_CORPUS,
  freshFolder,
  PACKAGE,
  type Result,
  run,
  start,
  succeeds,
} from './running-command.ts';

/** Serves `/rerank` of Text Embeddings Inference beside the embedder. */
const served: Play = (response, asked) => {
  if (!asked.url.endsWith('/rerank')) return embeddings(response, asked);
  const { texts } = asked.body as unknown as { texts: string[] };
  return json(texts.map((text, index) => ({ index, score: text.length })))(response, asked);
};

let server: ModelServer;
before(async () => {
  server = await ModelServer.start(served);
  allowOrigin(server.url);
});
after(() => server.stop());
beforeEach(() => server.reset());

const toy = (): string[] => ['--embedder', 'openai-compatible:toy', '--base-url', server.url];
const TOY = 'dense(openai-compatible:toy)';
const texts = (): number => server.requests.flatMap(({ body }) => body.input ?? []).length;
const newStore = (): string => join(freshFolder(), 'demo.store');
const good = async (...words: string[]): Promise<Result> => {
  const result = await succeeds(words);
  return result;
};
const ingested = async (...words: string[]): Promise<string> => {
  const store = newStore();
  await good('ingest', DEMO_CORPUS, '--store', store, ...words);
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
const search = async (
  store: string,
  retriever: string,
  ...words: string[]
): Promise<Searched & { readonly err: string }> => {
  const { out, err } = await good(
    ...argv`search ${'harbour ferry'} --store ${store} --retriever ${retriever} -k 5
      ${words} --json`,
  );
  return { ...(JSON.parse(out) as Searched), err };
};
const oneMore = (): string => {
  const file = join(freshFolder(), 'more.jsonl');
  writeFileSync(
    file,
    `${JSON.stringify({ id: 'more', title: 'More', text: 'A ferry, a harbour, a ferry.' })}\n`,
  );
  return file;
};

describe('remove --purge', () => {
  test('leaves nothing of a removed text in the store; without it the cache stays, and it says so', async () => {
    const store = await ingested(...toy());
    const { documents } = await (await Store.open(store)).snapshot();
    const [first, second] = documents.map(({ id }) => id);
    const kept = await good('remove', first!, '--store', store);
    assert.match(kept.err, /cache of the store keeps embeddings of removed text: --purge/);
    assert.ok(existsSync(join(store, 'cache')));
    writeFileSync(join(store, 'documents-00000099-0123456789abcdef.jsonl'), 'left by a writer');
    const { out, err } = await good('remove', second!, '--store', store, '--purge', '--json');
    assert.deepEqual(JSON.parse(out).purged, [
      'documents-00000099-0123456789abcdef.jsonl',
      'cache/',
    ]);
    assert.doesNotMatch(err, /keeps embeddings/);
    assert.ok(!existsSync(join(store, 'cache')));
    assert.deepEqual((await (await Store.open(store)).verify()).problems, []);
    assert.equal((await run(['remove', 'x', '--purge', '--store', 'postgres://u@h/d'])).code, 2);
  });
});

function damage(store: string): void {
  const file = join(store, readdirSync(store).find(name => name.startsWith('derived-'))!);
  const bytes = readFileSync(file);
  bytes[bytes.length - 9]! ^= 1;
  writeFileSync(file, bytes);
}

describe('a retriever that names no unit', () => {
  test('searches the embedded unit, alone, fused, and in ask; only the query is embedded', async () => {
    const store = await ingested(...toy());
    server.reset();
    const passages = await search(store, TOY);
    assert.deepEqual(
      [passages.retriever, passages.unit],
      ['dense(openai-compatible:toy, unit=passage)', 'passage'],
    );
    // One request finds the dimensions, one embeds the query.
    assert.equal(texts(), 2);
    const both = await search(store, `fused(lexical, ${TOY})`);
    assert.equal(
      both.retriever,
      'fused(lexical(unit=passage), dense(openai-compatible:toy, unit=passage))',
    );
    const words = argv`ask ${'Who runs the harbour ferry?'} --store ${store}
      --retriever ${TOY} --json`;
    const asked = await good(...words, '--strategy', 'fixed-top-k');
    assert.equal(
      (JSON.parse(asked.out) as Searched).retriever,
      'dense(openai-compatible:toy, unit=passage)',
    );
    assert.ok(server.requests.every(({ body }) => body.input.length <= 5));
    const documents = await search(store, 'dense(openai-compatible:toy, unit=document)');
    assert.deepEqual([documents.retriever, documents.unit], [TOY, 'document']);
    assert.match(documents.err, /Embedding texts by/);
  });

  test('searches sentences in fact-lanes, which are embedded once, with a note', async () => {
    const store = await ingested(...toy());
    const words = argv`ask ${'Who runs the harbour ferry?'} --store ${store}
      --retriever ${TOY} --json`;
    assert.match((await good(...words)).err, /Embedding texts by/);
    server.reset();
    await good(...words);
    assert.ok(texts() <= 5, `${texts()} texts`);
    const stored = await ingested(...toy(), '--unit', 'sentence');
    server.reset();
    assert.equal((await good(...words.with(3, stored))).err, '');
    assert.ok(texts() <= 5, `${texts()} texts`);
  });

  test('searches documents if those were embedded too', async () => {
    const store = await ingested(...toy(), '--unit', 'passage', '--unit', 'document');
    assert.deepEqual((await search(store, TOY)).unit, 'document');
    assert.equal((await search(store, 'lexical')).unit, 'document');
  });
});

describe('ingest without PATH', () => {
  test('embeds the stored documents', async () => {
    const store = await ingested();
    const { embedded, read } = JSON.parse(
      (await good('ingest', '--store', store, ...toy(), '--json')).out,
    );
    assert.deepEqual({ embedded, read }, { embedded: { 'openai-compatible:toy': 44 }, read: 0 });
    assert.equal((await search(store, TOY)).hits.length, 5);
  });

  test('needs an embedder, and a store', async () => {
    const store = newStore();
    const nothing = await run(['ingest', '--store', store]);
    assert.deepEqual([nothing.code, /PATH is missing.*--embedder/s.test(nothing.err)], [2, true]);
    assert.equal((await run(['ingest', '--store', store, ...toy()])).code, 4);
    assert.equal(existsSync(store), false);
  });
});

test('documents ingested without the embedder get a note that they have no vectors, with the command that makes them', async () => {
  const store = await ingested(...toy());
  const more = await good('ingest', oneMore(), '--store', store);
  assert.match(
    more.err,
    /No vectors of openai-compatible:toy for these passages; multihop ingest --store .* --embedder openai-compatible:toy --unit passage/,
  );
  const { unembedded, ok } = JSON.parse((await good('verify', '--store', store, '--json')).out);
  assert.deepEqual([unembedded, ok], [[{ space: 'openai-compatible:toy', unit: 'passage' }], true]);
  server.reset();
  const again = await good('ingest', '--store', store, ...toy());
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
  await good('remove', all.hits[0]!.documentId, '--store', store);
  rmSync(join(store, 'cache'), { recursive: true });
  server.reset();
  const rest = await search(store, TOY);
  assert.deepEqual(
    rest.hits.slice(0, 4).map(({ id, score }) => [id, score]),
    all.hits.slice(1).map(({ id, score }) => [id, score]),
  );
  assert.equal(texts(), 2);
  assert.match((await good('verify', '--store', store)).out, /sound/);
});

describe('verify --repair', () => {
  for (const [what, cached] of [
    ['from the cache', true],
    ['by the model', false],
  ] as const)
    test(`computes damaged vectors again ${what}`, async () => {
      const store = await ingested(...toy());
      const file = (): string => readdirSync(store).find(name => name.startsWith('derived-'))!;
      const before = readFileSync(join(store, file()));
      damage(store);
      if (!cached) rmSync(join(store, 'cache'), { recursive: true });
      assert.equal((await run(['verify', '--store', store])).code, 3);
      server.reset();
      assert.match((await good('verify', '--store', store, '--repair')).out, /sound/);
      assert.equal(texts(), cached ? 1 : 45);
      assert.deepEqual(readFileSync(join(store, file())), before);
    });

  test('prints the command to run if the model is not available', async () => {
    const gone = await ModelServer.start(embeddings);
    allowOrigin(gone.url);
    const store = await ingested('--embedder', 'openai-compatible:toy', '--base-url', gone.url);
    await gone.stop();
    damage(store);
    const { out, err } = await good('verify', '--store', store, '--repair');
    assert.match(
      err,
      /warning: The embedder openai-compatible:toy is not available: .*cannot be reached/,
    );
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
  for (const folder of [store, join(store, 'cache')]) chmodSync(folder, 0o555);
  // Files are private to who wrote them; here anybody may read.
  for (const folder of [store, join(store, 'cache')])
    for (const name of readdirSync(folder))
      if (name !== 'cache') chmodSync(join(folder, name), 0o444);
  try {
    for (const [retriever, note] of [
      [TOY, /^$/],
      [
        'dense(openai-compatible:toy, unit=sentence)',
        /cannot be written; what models compute is not cached/,
      ],
      ['reranked(lexical, tei:toy)', /cannot be written; what models compute is not cached/],
    ] as const) {
      const words = argv`search ferry --store ${store} --retriever ${retriever}
      --reranker-url ${server.url} --json`;
      const { code, out, err } = await start(words, someone).result;
      assert.equal(code, 0, err);
      assert.ok((JSON.parse(out) as Searched).hits.length > 0, retriever);
      assert.match(err, note);
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
  const documents = readFileSync(DEMO_CORPUS, 'utf8').trim().split('\n');
  const corpus = documents.map(line => {
    const { text, id, ...rest } = JSON.parse(line) as Record<string, unknown>;
    return { ...rest, body: text };
  });
  writeFileSync(join(folder, 'corpus.json'), JSON.stringify(corpus));
  const files = [
    '--corpus',
    join(folder, 'corpus.json'),
    '--questions',
    join(PACKAGE, 'demo', 'questions.json'),
  ];
  const words = argv`learn support-threshold multihop-rag ${files} --retriever
      ${`fused(lexical, ${TOY})`} ${toy()}`;
  const first = JSON.parse(
    (await good(...words, '--cache', join(folder, 'cache'), '--json')).out,
  ) as Searched & { threshold: number };
  assert.equal(first.retriever, `fused(lexical, ${TOY})`);
  assert.ok(first.threshold > 0 && texts() > 44);
  server.reset();
  assert.deepEqual(
    JSON.parse((await good(...words, '--cache', join(folder, 'cache'), '--json')).out),
    first,
  );
  assert.equal(texts(), 1, 'the dimensions');
  const unknown = await run(words.slice(0, -4));
  assert.deepEqual([unknown.code, /vector space/.test(unknown.err)], [2, true]);
  assert.match(unknown.err, /Name its model too: --embedder openai-compatible:toy/);
});

test('the trace of an ask identifies each model, including those that the store does not record', async () => {
  const store = await ingested();
  const trace = join(freshFolder(), 'run.jsonl');
  const retriever = 'reranked(fused(lexical, dense(openai-compatible:toy)), tei:toy)';
  await good(
    ...argv`ask ${'Who runs the ferry?'} --store ${store} --retriever ${retriever}
      ${toy()} --reranker-url ${server.url} --trace ${trace} --full-trace`,
  );
  assert.match(
    readFileSync(trace, 'utf8'),
    /"resources":\{"embedder":\{"openai-compatible:toy":"openai-compatible:toy@64"\},"reranker":\{"tei:toy":"tei:toy"\}/,
  );
});

test('the hint for a space without vectors depends on the store', async () => {
  const [plain, embedded] = [await ingested(), await ingested(...toy())];
  const search = async (store: string): Promise<string> =>
    (await run(['search', 'ferry', '--store', store, '--retriever', 'dense(bge-small-en-v1.5)']))
      .err;
  assert.match(
    await search(plain),
    /multihop ingest PATH\.\.\. --store DIR --embedder bge-small-en-v1\.5/,
  );
  // A store keeps its first model.
  assert.match(await search(embedded), /Name its model too: --embedder bge-small-en-v1\.5/);
});
