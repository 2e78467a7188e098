/** Tests vectors and rerankers on the command line, with models behind a local server. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sha256 } from '../src/platform/sha256.ts';
import { embeddings, json, ModelServer, type Play, status } from './providers-server.ts';
import {
  allowOrigin,
  argv,
  DEMO_CORPUS,
  freshFolder,
  type Result,
  type Running,
  refuses,
  run,
  start,
  succeeds,
} from './running-command.ts';

/** Serves `/rerank` of Text Embeddings Inference, with higher scores for shorter texts. */
const served: Play = (response, asked) => {
  if (!asked.url.endsWith('/rerank')) return embeddings(response, asked);
  const { texts } = asked.body as unknown as { texts: string[] };
  return json(texts.map((text, index) => ({ index, score: -text.length })))(response, asked);
};

let server: ModelServer;
let store = '';
before(async () => {
  server = await ModelServer.start(served);
  allowOrigin(server.url);
  store = join(freshFolder(), 'demo.store');
  const made = await ingest(store, ...embedder());
  assert.equal(made.code, 0, made.err);
});
after(() => server.stop());
beforeEach(() => server.reset());

const embedder = (model = 'toy'): string[] => argv`--embedder ${`openai-compatible:${model}`}
      --base-url ${server.url}`;
const ingest = (folder: string, ...words: string[]): Promise<Result> =>
  run(['ingest', DEMO_CORPUS, '--store', folder, ...words, '--json']);
const DENSE = 'dense(openai-compatible:toy, unit=passage)';
const search = async (retriever: string, ...words: string[]) => {
  const result = await succeeds(argv`search ${'harbour ferry'} --store ${store}
      --retriever ${retriever} -k 5 ${words} --json`);
  return (JSON.parse(result.out) as { hits: { id: string; score: number }[] }).hits;
};
const texts = (): number => server.requests.flatMap(({ body }) => body.input ?? []).length;

describe('ingest --embedder', () => {
  test('keeps vectors; a second ingest asks the model for its dimensions only', async () => {
    assert.equal(readdirSync(store).filter(name => name.startsWith('derived-')).length, 1);
    const again = await ingest(store, ...embedder());
    assert.equal(again.code, 0, again.err);
    assert.ok(texts() <= 1, `${texts()} texts`);
  });

  test('another model is refused with exit code 6, an error that names both, and nothing written', async () => {
    const state = () =>
      readdirSync(store).map(name =>
        name === 'cache' ? '' : sha256(readFileSync(join(store, name))),
      );
    const before = state();
    const result = await ingest(store, ...embedder('other'));
    assert.deepEqual([result.code, result.out], [6, '']);
    assert.match(result.err, /openai-compatible:toy.*of 64 dimensions/);
    assert.match(result.err, /openai-compatible:other.*of 64 dimensions/);
    assert.deepEqual(state(), before);
  });

  test('a server that fails half-way leaves the documents and computed vectors stored', async () => {
    const folder = join(freshFolder(), 'cut.store');
    server.play(embeddings, embeddings, status(400));
    const cut = await ingest(folder, ...embedder(), '--unit', 'sentence');
    assert.equal(cut.code, 1);
    assert.match(cut.err, /run the same command again to continue/);
    server.reset();
    const rest = await ingest(folder, ...embedder(), '--unit', 'sentence');
    assert.equal(rest.code, 0, rest.err);
    const all = (JSON.parse(rest.out) as { embedded: Record<string, number> }).embedded[
      'openai-compatible:toy'
    ]!;
    assert.ok(texts() <= all - 64 + 1, `${texts()} of ${all}: the first batch was kept`);
  });

  test('kill -9 while it embeds: the next run continues from the cache', async () => {
    const folder = join(freshFolder(), 'killed.store');
    const words = argv`ingest ${DEMO_CORPUS} --store ${folder} ${embedder()}
      --unit sentence --json`;
    let running: Running | undefined;
    let asked = 0;
    const killing: Play = (response, about) => {
      if (++asked === 4) running!.child.kill('SIGKILL');
      return served(response, about);
    };
    server.play(...Array.from({ length: 8 }, () => killing));
    running = start(words);
    assert.equal((await running.result).code, null);
    const before = texts();
    server.reset();
    const rest = await succeeds(words);
    const all = (JSON.parse(rest.out) as { embedded: Record<string, number> }).embedded[
      'openai-compatible:toy'
    ]!;
    assert.ok(before >= 129 && texts() <= all - 128 + 1, `${before}, then ${texts()} of ${all}`);
  });

  test('progress shows the speed', async () => {
    const result = await run(argv`ingest ${DEMO_CORPUS}
      --store ${join(freshFolder(), 'x.store')} ${embedder()}`);
    assert.match(result.err, /\d+ passages embedded by openai-compatible:toy in .* \([\d,.]+\/s\)/);
  });

  test('an unreachable model leaves nothing behind', async () => {
    const folder = join(freshFolder(), 'none.store');
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
  test('uses the store’s own embedder, which embeds the query alone', async () => {
    const hits = await search(DENSE);
    assert.equal(hits.length, 5);
    assert.ok(texts() <= 2, `${texts()} texts`);
  });

  test('fuses words and a model; without a dense part no model is called', async () => {
    assert.equal((await search('hybrid')).length, 5);
    assert.equal(server.requests.length, 0);
    assert.equal((await search(`fused(lexical(unit=passage), ${DENSE})`)).length, 5);
  });

  test('reranks, and does not score a known pair again', async () => {
    const words = ['reranked(lexical, tei:toy, depth=4)', '--reranker-url', server.url] as const;
    const hits = await search(...words);
    const scores = hits.map(({ score }) => score);
    assert.deepEqual(
      scores.toSorted((a, b) => b - a),
      scores,
    );
    const first = server.requests.length;
    assert.equal(first, 1);
    assert.deepEqual(await search(...words), hits);
    assert.equal(server.requests.length, first);
  });

  test('a unit that was not embedded at ingest is embedded once, with a note', async () => {
    const words = argv`search ${'harbour ferry'} --store ${store}
      --retriever ${'dense(openai-compatible:toy, unit=sentence)'}`;
    assert.match((await run(words)).err, /Embedding texts by openai-compatible:toy/);
    const first = texts();
    await run(words);
    assert.ok(texts() - first <= 2);
  });

  test('the error for an unknown space lists the known ones', async () => {
    await refuses(
      argv`search x --store ${store}
      --retriever dense(openai-compatible:tou)`,
      /one of openai-compatible:toy.*Did you mean openai-compatible:toy\?/s,
    );
  });

  test('a model whose vectors changed under the same name is refused', async () => {
    const short: Play = (response, { body }) =>
      json({ data: body.input.map((_, index) => ({ index, embedding: [1, 2, 3] })) })(
        response,
        {} as never,
      );
    server.play(short, short);
    await refuses(
      ['search', 'x', '--store', store, '--retriever', DENSE],
      /64 dimensions.*3 dimensions/s,
      { code: 6 },
    );
  });
});

test('ask runs over dense, fused and reranked retrievers', async () => {
  for (const retriever of [
    'hybrid',
    `fused(${DENSE}, lexical(unit=passage))`,
    'reranked(fused, tei:toy)',
  ]) {
    const result = await succeeds([
      ...['ask', 'Who runs the harbour ferry?', '--store', store, '--retriever', retriever],
      ...['--reranker-url', server.url, '--json'],
    ]);
    assert.ok((JSON.parse(result.out) as { evidence: unknown[] }).evidence.length > 0, retriever);
  }
});

test('list retrievers shows dense, fused and reranked retrievers', async () => {
  const { out } = await run(['list', 'retrievers', '--json']);
  const { members } = JSON.parse(out) as { members: { canonical: string }[] };
  const names = members.map(({ canonical }) => canonical);
  for (const name of [
    'lexical',
    'dense(none)',
    'fused(lexical, clauses(lexical))',
    'hybrid(none)',
    'filtered(lexical, "")',
    'reranked(lexical, none)',
  ])
    assert.ok(names.includes(name), name);
});
