/** Tests vectors and rerankers on the command line, with models behind a local server. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sha256 } from '../src/platform/sha256.ts';
import { embeddings, ModelServer, type Play, sound, status } from './providers-server.ts';
import {
  allowOrigin,
  argv,
  DEMO_CORPUS,
  freshFolder,
  printed,
  type Running,
  refuses,
  run,
  start,
  succeeds,
} from './running-command.ts';

let server: ModelServer;
let store = '';
before(async () => {
  server = await ModelServer.start(sound);
  allowOrigin(server.url);
  store = newStore();
  await succeeds(ingest(store));
});
after(() => server.stop());
beforeEach(() => server.reset());

const newStore = (): string => join(freshFolder(), 'demo.store');
const embedder = (model = 'toy'): string[] =>
  argv`--embedder openai-compatible:${model} --base-url ${server.url}`;
const ingest = (folder: string, ...words: string[]): string[] =>
  argv`ingest ${DEMO_CORPUS} --store ${folder} ${embedder()} ${words}`;
const DENSE = 'dense(openai-compatible:toy, unit=passage)';
const search = async (
  retriever: string,
  ...words: string[]
): Promise<{ id: string; score: number }[]> =>
  (
    await printed(
      argv`search ${'harbour ferry'} --store ${store} --retriever ${retriever} -k 5 ${words}`,
    )
  ).hits;
const texts = (): number => server.requests.flatMap(({ body }) => body.input ?? []).length;

describe('ingest --embedder', () => {
  test('keeps vectors; a second ingest asks the model for its dimensions only', async () => {
    assert.equal(readdirSync(store).filter(name => name.startsWith('derived-')).length, 1);
    await succeeds(ingest(store));
    assert.ok(texts() <= 1, `${texts()} texts`);
  });

  test('another model is refused with exit code 6, an error that names both, and nothing written', async () => {
    const state = (): string[] =>
      readdirSync(store)
        .filter(name => name !== 'cache')
        .map(name => sha256(readFileSync(join(store, name))));
    const before = state();
    const says =
      /openai-compatible:toy.*of 64 dimensions.*openai-compatible:other.*of 64 dimensions/s;
    const words = argv`ingest ${DEMO_CORPUS} --store ${store} ${embedder('other')}`;
    await refuses(words, says, { code: 6 });
    assert.deepEqual(state(), before);
  });

  test('a server that fails half-way leaves the documents and computed vectors stored', async () => {
    const words = ingest(newStore(), '--unit', 'sentence');
    server.play(embeddings, embeddings, status(501));
    await refuses(words, /run the same command again to continue/, { code: 1 });
    server.reset();
    const all = (await printed(words)).embedded['openai-compatible:toy'];
    assert.ok(texts() <= all - 64 + 1, `${texts()} of ${all}: the first batch was kept`);
  });

  test('kill -9 while it embeds: the next run continues from the cache', async () => {
    const words = ingest(newStore(), '--unit', 'sentence');
    let running: Running | undefined;
    let asked = 0;
    const killing: Play = (response, about) => {
      if (++asked === 4) running!.child.kill('SIGKILL');
      return sound(response, about);
    };
    server.play(...Array.from({ length: 8 }, () => killing));
    running = start(words);
    assert.equal((await running.result).code, null);
    const before = texts();
    server.reset();
    const all = (await printed(words)).embedded['openai-compatible:toy'];
    assert.ok(before >= 129 && texts() <= all - 128 + 1, `${before}, then ${texts()} of ${all}`);
  });

  test('progress shows the speed', async () => {
    const { err } = await run(ingest(newStore()));
    assert.match(err, /\d+ passages embedded by openai-compatible:toy in .* \([\d,.]+\/s\)/);
  });

  test('an unreachable model leaves nothing behind', async () => {
    const folder = newStore();
    for (const [words, env, says] of [
      [['--embedder', 'bge-small-en-v1.5'], {}, /MULTIHOP_MODELS/],
      [['--embedder', 'bge-small-en-v1.5'], { MULTIHOP_MODELS: '/nowhere' }, /bge-small-en-v1\.5/],
      [['--embedder', 'openai-compatible:toy'], {}, /--base-url/],
      [[...embedder(), '--unit', 'word'], {}, /document, passage, sentence/],
    ] as const) {
      await refuses(['ingest', DEMO_CORPUS, '--store', folder, ...words], says, { env });
      assert.throws(() => readdirSync(folder), { code: 'ENOENT' });
    }
  });
});

describe('search', () => {
  test('fuses words and a model; without a dense part no model is called', async () => {
    assert.equal((await search('hybrid')).length, 5);
    assert.equal(server.requests.length, 0);
    assert.equal((await search(`fused(lexical(unit=passage), ${DENSE})`)).length, 5);
  });

  test('reranks, and does not score a known pair again', async () => {
    const words = ['reranked(lexical, tei:toy, depth=4)', '--reranker-url', server.url] as const;
    const hits = await search(...words);
    const scores = hits.map(({ score }) => score);
    const descending = scores.toSorted((a, b) => b - a);
    assert.deepEqual([scores, server.requests.length], [descending, 1]);
    assert.deepEqual(await search(...words), hits);
    assert.equal(server.requests.length, 1);
  });

  test('the error for an unknown space lists the known ones', () =>
    refuses(
      argv`search x --store ${store} --retriever dense(openai-compatible:tou)`,
      /one of openai-compatible:toy.*Did you mean openai-compatible:toy\?/s,
    ));
});

for (const retriever of [
  'hybrid',
  `fused(${DENSE}, lexical(unit=passage))`,
  'reranked(fused, tei:toy)',
])
  test(`ask runs over ${retriever}`, async () => {
    const { evidence } = await printed(argv`ask ${'Who runs the harbour ferry?'} --store ${store}
      --retriever ${retriever} --reranker-url ${server.url}`);
    assert.ok(evidence.length > 0);
  });

test('list retrievers shows retrievers with their default arguments', async () => {
  const { members } = await printed(['list', 'retrievers']);
  const names = members.map(({ canonical }: { canonical: string }) => canonical);
  for (const name of ['dense(none)', 'fused(lexical, clauses(lexical))', 'filtered(lexical, "")'])
    assert.ok(names.includes(name), name);
});
