/**
 * Tests bad input around models on the command line: output, number of requests, files written, and
 * that no API key appears anywhere.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sha256 } from '../src/platform/sha256.ts';
import { embeddings, json, ModelServer, type Play, raw, status } from './providers-server.ts';
import {
  allowOrigin,
  argv,
  DEMO_CORPUS,
  freshFolder,
  type Result,
  refuses,
  run,
  succeeds,
} from './running-command.ts';

const KEY = 'sk-canary-4b7e2d9f1a60c835';
/** Half of the key already reveals too much. */
const HALVES = [KEY.slice(0, 12), KEY.slice(-12)];
const env = { MULTIHOP_API_KEY: KEY };

let server: ModelServer;
let store = '';
before(async () => {
  server = await ModelServer.start(embeddings);
  allowOrigin(server.url);
  store = await ingested();
});
after(() => server.stop());
beforeEach(() => server.reset());

const toy = (model = 'toy'): string[] => argv`--embedder ${`openai-compatible:${model}`}
      --base-url ${server.url}`;
const TOY = 'dense(openai-compatible:toy)';

async function ingested(): Promise<string> {
  const folder = join(freshFolder(), 'demo.store');
  await succeeds(['ingest', DEMO_CORPUS, '--store', folder, ...toy()], { env });
  return folder;
}

/** Returns every file below a folder, except locks. */
function image(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true }).map(String);
  const files = names.filter(
    name => !name.startsWith('lock') && statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(
    files.sort().map(name => [name, sha256(readFileSync(join(folder, name)))]),
  );
}

/** Asserts that neither output nor files contain the key or half of it. */
function keyless({ out, err }: Result, ...folders: readonly string[]): void {
  const files = folders.flatMap(folder =>
    readdirSync(folder, { recursive: true }).map(name => join(folder, String(name))),
  );
  const texts = files
    .filter(file => statSync(file).isFile())
    .map(file => readFileSync(file, 'latin1'));
  for (const text of [out, err, ...texts])
    for (const part of HALVES) assert.ok(!text.includes(part), text.slice(0, 400));
}

describe('a model folder', () => {
  const FILES = [
    'config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    join('onnx', 'model_quantized.onnx'),
  ];
  const folder = join(freshFolder(), 'models');
  const model = join(folder, 'all-MiniLM-L6-v2');
  const make = (): void => {
    mkdirSync(join(model, 'onnx'), { recursive: true });
    for (const file of FILES)
      writeFileSync(join(model, file), file.endsWith('.json') ? '{}' : Buffer.alloc(100));
  };
  const ingest = async (): Promise<string> => {
    const target = join(freshFolder(), 'x.store');
    const words = ['ingest', DEMO_CORPUS, '--store', target, '--embedder', 'all-MiniLM-L6-v2'];
    const { code, err } = await run(words, { env: { MULTIHOP_MODELS: folder } });
    assert.equal(code, 2, err);
    assert.throws(() => readdirSync(target), { code: 'ENOENT' });
    return err;
  };

  test('that is missing is named in the error', async () => {
    rmSync(folder, { recursive: true, force: true });
    assert.match(await ingest(), /No model in ".*all-MiniLM-L6-v2"/);
  });
  for (const file of FILES)
    test(`without ${file}: the error names that file`, async () => {
      make();
      rmSync(join(model, file));
      assert.match(
        await ingest(),
        new RegExp(`is incomplete: "${file.replace('.', '\\.')}": it is missing`),
      );
    });
  test('with a truncated file: the error names it', async () => {
    make();
    writeFileSync(join(model, 'tokenizer.json'), '{"model":');
    assert.match(await ingest(), /"tokenizer\.json": it is not JSON, or cut/);
  });
});

const vectorsOf =
  (make: (input: readonly string[]) => readonly (readonly (number | null)[])[]): Play =>
  (response, { body }) =>
    json({ data: make(body.input).map((embedding, index) => ({ index, embedding })) })(
      response,
      {} as never,
    );

describe('vectors of other dimensions than the store’s', () => {
  const short = vectorsOf(input => input.map(() => [1, 2, 3]));
  for (const line of [
    `ingest ${DEMO_CORPUS} TOY`,
    'ingest TOY',
    `search ferry --retriever ${TOY}`,
    `ask ferry? --retriever ${TOY}`,
  ])
    test(`are refused by ${line.split(' ')[0]}, which names both and changes no byte of the store`, async () => {
      server.play(short, short, short);
      const before = image(store);
      const words = line.split(' ').flatMap(word => (word === 'TOY' ? toy() : [word]));
      await refuses(
        [...words, '--store', store],
        /expected openai-compatible:toy .* of 64 dimensions, received openai-compatible:toy .* of 3 dimensions.*Nothing was changed/s,
        { code: 6, env },
      );
      assert.deepEqual(image(store), before);
    });
});

/** Starts a server that repeats the key in its answers, whole and in halves. */
const telling = (code: number): Play =>
  status(
    code,
    { 'retry-after': '0' },
    JSON.stringify({ error: { message: `wrong key ${KEY}, ${HALVES.join(', ')}`, key: KEY } }),
  );
const tooFew = vectorsOf(input => input.slice(1).map(() => [1, 2, 3]));
const nulls = vectorsOf(input => input.map(() => [null, ...Array.from({ length: 63 }, () => 1)]));

describe('a server that fails', () => {
  // The first request finds the dimensions of the model.
  for (const [what, play, asked, says] of [
    ['401', telling(401), 1, /refused the key: received status 401\. Check the key/],
    ['403', telling(403), 1, /refused the key: received status 403/],
    ['429', telling(429), 3, /limits the request rate: received status 429.*\(3 attempts\)/],
    ['500', telling(500), 3, /failed: received status 500.*\(3 attempts\)/],
    ['503', telling(503), 3, /failed: received status 503.*\(3 attempts\)/],
    ['too few vectors', tooFew, 1, /invalid answer: expected \d+ vectors, received \d+/],
    [
      'NaN',
      raw('{"data":[{"index":0,"embedding":[NaN,1]}]}'),
      1,
      /invalid answer: expected finite numbers, received NaN or Infinity/,
    ],
    ['null for a number', nulls, 1, /expected finite numbers, received null at 1 of vector 1/],
  ] as const) {
    const good = 1;
    test(`${what} at ingest: ${asked} requests after the first, no vector is kept, no key is printed`, async () => {
      const folder = join(freshFolder(), 'bad.store');
      server.play(embeddings, ...Array.from({ length: 9 }, () => play));
      const result = await run(['ingest', DEMO_CORPUS, '--store', folder, ...toy()], { env });
      assert.deepEqual([result.code, result.out], [1, '']);
      assert.match(result.err, says);
      assert.match(result.err, /documents are stored.*run the same command again/);
      assert.equal(server.requests.length, good + asked);
      assert.equal(server.requests[0]!.headers.authorization, `Bearer ${KEY}`);
      keyless(result, folder);
      assert.deepEqual(
        readdirSync(folder).filter(name => name.startsWith('derived-')),
        [],
      );
    });

    test(`${what} at search and ask: no nested error, no key in answer, error or trace`, async () => {
      const trace = join(freshFolder(), 'run.jsonl');
      for (const words of [
        ['search', 'ferry', '--store', store, '--retriever', TOY],
        ['search', 'ferry', '--store', store, '--retriever', TOY, '--json'],
        argv`ask ${'Who runs the ferry?'} --store ${store}
      --retriever ${TOY} --strategy iterative(rounds=3) --trace ${trace}`,
      ]) {
        server.reset();
        server.play(embeddings, ...Array.from({ length: 9 }, () => play));
        const result = await run(words, { env });
        assert.equal(result.code, 1, result.err);
        assert.match(
          result.err,
          what === 'too few vectors' ? /expected 1 vectors, received 0/ : says,
        );
        assert.equal(server.requests.length, good + asked, words.join(' '));
        keyless(result, store, join(trace, '..'));
      }
    });
  }

  for (const model of ['tei:x', 'jina:x', 'cohere:x'])
    test(`as the reranker ${model}: no key is printed either`, async () => {
      for (const [play, asked] of [
        [telling(401), 1],
        [telling(429), 3],
        [telling(500), 3],
        [json([{ index: 0, score: 1 }]), 1],
        [json([{ index: 0, score: null }]), 1],
      ] as const) {
        server.reset();
        server.play(...Array.from({ length: 9 }, () => play));
        const result = await run(
          argv`search ferry --store ${store} --retriever ${`reranked(lexical, ${model})`}
            --reranker-url ${server.url}`,
          { env },
        );
        assert.deepEqual([result.code, server.requests.length], [1, asked], result.err);
        keyless(result, store);
      }
    });

  test('no file of a sound store and no output contains a key', async () => {
    const searched = argv`search ferry --store ${store} --retriever ${TOY} --json -v`;
    keyless(await succeeds(searched, { env }), store);
    const trace = join(freshFolder(), 'run.jsonl');
    const asking = argv`ask ${'Who runs the ferry?'} --store ${store} --retriever ${TOY}
      --trace ${trace} --full-trace -v`;
    keyless(await succeeds(asking, { env }), store, join(trace, '..'));
    const recorded = '"embedder":{"openai-compatible:toy":"openai-compatible:toy@64"}';
    assert.ok(readFileSync(trace, 'utf8').includes(recorded));
    assert.ok(readFileSync(join(store, 'store.json'), 'utf8').includes(server.url));
  });
});

describe('a filter that no document can match', () => {
  for (const [expression, says] of [
    ['sorce = "The Harbour Ledger"', /metadata field "sorce".*Did you mean source\?/],
    ['source = "The Harbor Ledgers"', /as its source.*Did you mean The Harbour Ledger\?/],
    ['source in ("The Harbour Ledger", "Touchlin")', /"Touchlin" as its source.*mean Touchline\?/],
    ['source != "Touchlin"', /Did you mean Touchline\?/],
  ] as const)
    test(`${expression}: search, ask and filtered(...) suggest the nearest name`, async () => {
      const filter = ['--filter', expression];
      const inside = `filtered(lexical, "${expression.replaceAll('"', "'")}")`;
      for (const words of [
        argv`search ferry ${filter}`,
        argv`ask ferry? ${filter}`,
        argv`search ferry --retriever ${inside}`,
        argv`ask ferry? --retriever ${inside} --strategy multi-meta-rag`,
        argv`ask ferry? ${filter} --strategy slot-agent`,
      ])
        await refuses([...words, '--store', store], says);
    });

  test('a day without documents is not an error', async () => {
    const { code, out } = await run(argv`search ferry --store ${store}
      --filter ${'published_at = 2031-01-01'}`);
    assert.deepEqual([code, out], [0, '']);
  });
});
