/** Tests the address that a store's record names: without the user's consent it gets no request. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { embeddings, ModelServer } from './providers-server.ts';
import { DEMO_CORPUS, freshFolder, type Result, run } from './running-command.ts';

const KEY = 'sk-canary-4b7e2d9f1a60c835';
const env = { MULTIHOP_API_KEY: KEY };
const TOY = 'dense(openai-compatible:toy)';

let own: ModelServer;
let stranger: ModelServer;
before(async () => {
  own = await ModelServer.start(embeddings);
  stranger = await ModelServer.start(embeddings);
});
after(async () => {
  await own.stop();
  await stranger.stop();
});
beforeEach(() => {
  own.reset();
  stranger.reset();
});

/**
 * Leads to this machine without being written as a local address, in place of any host of the
 * network.
 */
const far = (): string => stranger.url.replace('127.0.0.1', '0.0.0.0');

async function embedded(baseUrl: string): Promise<string> {
  const store = join(freshFolder(), 'demo.store');
  const made = await run([
    'ingest',
    DEMO_CORPUS,
    '--store',
    store,
    '--embedder',
    'openai-compatible:toy',
    '--base-url',
    baseUrl,
  ]);
  assert.equal(made.code, 0, made.err);
  own.reset();
  stranger.reset();
  return store;
}

/** Deletes the vectors, so that `verify --repair` has to embed. */
function damage(store: string): void {
  const file = join(store, readdirSync(store).find(name => name.startsWith('derived-'))!);
  const bytes = readFileSync(file);
  bytes[bytes.length - 9]! ^= 1;
  writeFileSync(file, bytes);
  rmSync(join(store, 'cache'), { recursive: true });
}

const COMMANDS: readonly (readonly string[])[] = [
  ['search', 'harbour ferry', '--retriever', TOY],
  ['search', 'harbour ferry', '--retriever', `fused(lexical, ${TOY})`],
  ['ask', 'Who runs the harbour ferry?', '--retriever', TOY],
  ['verify', '--repair'],
];
const keysAt = ({ requests }: ModelServer): unknown[] => [
  ...new Set(requests.map(({ headers }) => headers.authorization)),
];

describe('a store whose record names another machine', () => {
  for (const [command, ...words] of COMMANDS) {
    const line = [command!, ...words];
    const inStore = (store: string, ...more: string[]): string[] => [
      ...line,
      '--store',
      store,
      ...more,
    ];

    test(`${line.join(' ')}: no request is sent, and the error names the address`, async () => {
      const others: Record<string, string>[] = [env, {}, { MULTIHOP_ALLOWED_ORIGINS: own.url }];
      for (const around of others) {
        const store = await embedded(far());
        damage(store);
        const before = readFileSync(join(store, 'store.json'), 'utf8');
        const result: Result = await run(inStore(store), { env: around });
        assert.deepEqual([result.code, result.out], [2, ''], result.err);
        assert.ok(
          result.err.includes(
            `repeat it as --base-url '${far()}/', or list its origin in MULTIHOP_ALLOWED_ORIGINS`,
          ),
          result.err,
        );
        assert.ok(!result.err.includes(KEY.slice(0, 12)));
        assert.deepEqual([stranger.requests.length, own.requests.length], [0, 0]);
        assert.equal(readFileSync(join(store, 'store.json'), 'utf8'), before);
      }
    });

    test(`${line.join(' ')}: with the same address given or allowed, requests are sent to it`, async () => {
      const store = await embedded(far());
      const allowed = { MULTIHOP_ALLOWED_ORIGINS: `https://other.example ${far()}/v1` };
      for (const [more, around, keys] of [
        [[], { env: allowed }, [undefined]],
        [[], { env: { ...allowed, OPENAI_API_KEY: KEY } }, [undefined]],
        [[], { env: { ...allowed, ...env } }, [`Bearer ${KEY}`]],
        [['--base-url', far()], {}, [undefined]],
        [['--base-url', far()], { env }, [`Bearer ${KEY}`]],
      ] as const) {
        damage(store);
        stranger.reset();
        const { code, err } = await run(inStore(store, ...more), around);
        assert.equal(code, 0, err);
        assert.deepEqual(keysAt(stranger), keys);
        if (command !== 'verify') {
          const repair = ['verify', '--repair', '--store', store];
          assert.equal((await run(repair, { env: allowed })).code, 0);
        } else assert.ok(stranger.requests.length > 0);
      }
    });

    test(`${line.join(' ')}: with the user's own address, requests go there alone`, async () => {
      const store = await embedded(far());
      damage(store);
      const { code, err } = await run(inStore(store, '--base-url', own.url), { env });
      assert.equal(code, 0, err);
      assert.deepEqual([keysAt(own), stranger.requests.length], [[`Bearer ${KEY}`], 0]);
    });

    test(`${line.join(' ')}: an address of this machine in the record is no exception`, async () => {
      const store = await embedded(own.url.replace('127.0.0.1', 'localhost'));
      damage(store);
      const { code, err } = await run(inStore(store), { env });
      assert.deepEqual([code, own.requests.length], [2, 0], err);
    });
  }

  test('can be searched lexically and verified with the key in the environment', async () => {
    const store = await embedded(far());
    assert.equal(
      (await run(['search', 'ferry', '--store', store, '--retriever', 'lexical'], { env })).code,
      0,
    );
    assert.equal((await run(['verify', '--store', store], { env })).code, 0);
    assert.equal((await run(['verify', '--store', store, '--repair'], { env })).code, 0);
    assert.equal(stranger.requests.length, 0);
  });

  test('no request goes to the other models of the search either', async () => {
    const store = await embedded(far());
    const words = [
      'search',
      'ferry',
      '--store',
      store,
      '--retriever',
      `reranked(${TOY}, tei:x)`,
      '--reranker-url',
      own.url,
    ];
    const { code } = await run(words, { env });
    assert.deepEqual([code, own.requests.length, stranger.requests.length], [2, 0, 0]);
  });

  test('ingest uses no address from the record', async () => {
    const store = await embedded(far());
    for (const words of [
      ['ingest', '--store', store, '--embedder', 'openai-compatible:toy', '--unit', 'document'],
      ['ingest', DEMO_CORPUS, '--store', store, '--embedder', 'openai-compatible:toy'],
    ]) {
      const { code, err } = await run(words, { env });
      assert.deepEqual([code, /--base-url URL/.test(err)], [2, true]);
    }
    assert.equal((await run(['ingest', DEMO_CORPUS, '--store', store], { env })).code, 0);
    assert.equal(stranger.requests.length, 0);
  });
});

test('the help of each command with --base-url says which address gets the key', async () => {
  for (const [command, record] of [
    ['search', true],
    ['ask', true],
    ['verify', true],
    ['ingest', false],
    ['eval', false],
  ] as const) {
    const help = (await run([command, '--help'])).out.replace(/\s+/g, ' ');
    assert.match(help, /--base-url URL .*MULTIHOP_API_KEY/);
    assert.equal(
      help.includes(
        'without it the address in the store’s record, if MULTIHOP_ALLOWED_ORIGINS lists its origin',
      ),
      record,
      command,
    );
  }
});

test('a query string without a secret is recorded and sent by a search; one with a secret is neither', async () => {
  const store = await embedded(
    `${own.url}/v1?api-version=2024-10-21&api-key=canary&deployment=a%20b`,
  );
  const record = readFileSync(join(store, 'store.json'), 'utf8');
  assert.ok(record.includes(`"${own.url}/v1?api-version=2024-10-21&deployment=a%20b"`), record);
  const allowed = { env: { MULTIHOP_ALLOWED_ORIGINS: own.url } };
  const words = ['search', 'ferry', '--store', store, '--retriever', TOY];
  const { code, err } = await run(words, allowed);
  assert.equal(code, 0, err);
  assert.deepEqual(
    [...new Set(own.requests.map(({ url }) => url))],
    ['/v1/embeddings?api-version=2024-10-21&deployment=a%20b'],
  );
});
