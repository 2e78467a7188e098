/**
 * Checks providers over HTTP: every fault is a typed error, retried in one place and in time, and
 * no key is ever printed.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { InputError, type PortError } from '../src/core/errors.ts';
import { type Call, freeCall } from '../src/core/trace/call.ts';
import { Ledger } from '../src/core/trace/ledger.ts';
import type { Usage } from '../src/core/trace/usage.ts';
import type { Embedder } from '../src/models/embedder.ts';
import { quoted, Secret } from '../src/platform/secret.ts';
import { connectionFault, retryAfterMs } from '../src/providers/fault.ts';
import type { HttpLimits } from '../src/providers/http-exchange.ts';
import { cohereReranker, jinaReranker, teiReranker } from '../src/providers/http-rerankers.ts';
import {
  type OpenAiCompatibleOptions,
  openAiCompatibleEmbedder,
} from '../src/providers/openai-compatible-embedder.ts';
import {
  CANARY,
  embeddings,
  FakeTime,
  failureOf,
  json,
  ModelServer,
  type Play,
  raw,
  reset,
  resetInBody,
  silence,
  silenceInBody,
  sound,
  status,
  trickle,
} from './providers-server.ts';

const LIMITS: Partial<HttpLimits> = {
  connectMs: 500,
  headersMs: 150,
  pieceMs: 150,
  totalMs: 400,
  answerBytes: 20_000,
};

let server: ModelServer;
before(async () => {
  server = await ModelServer.start(sound);
});
after(() => server.stop());
afterEach(() => server.reset());

function embedder(
  more: Partial<OpenAiCompatibleOptions> = {},
  time: FakeTime = new FakeTime(),
): Promise<Embedder> {
  return openAiCompatibleEmbedder({
    baseUrl: `${server.url}/v1`,
    model: 'served',
    apiKey: CANARY,
    dimensions: 64,
    limits: LIMITS,
    retries: time.retries,
    ...more,
  });
}

const failure = (work: () => Promise<unknown>): Promise<PortError> => failureOf('embedder', work);

const ask = async (call: Call = freeCall(), time = new FakeTime()): Promise<Float32Array[]> =>
  (await embedder({}, time)).embed(['one', 'two', 'three'], 'passage', call);

describe('a request', () => {
  test('follows the OpenAI API, and vectors are ordered by their index', async () => {
    const vectors = await ask();
    const { url, headers, body } = server.requests[0]!;
    assert.equal(url, '/v1/embeddings');
    assert.equal(headers.authorization, `Bearer ${CANARY}`);
    assert.deepEqual(body, {
      model: 'served',
      input: ['one', 'two', 'three'],
      encoding_format: 'float',
    });
    // The server sends them in reverse; "one" alone has the same vector.
    assert.deepEqual((await (await embedder()).embed(['one'], 'query', freeCall()))[0], vectors[0]);
    assert.equal(server.requests.length, 2);
  });

  test('requests unknown dimensions once', async () => {
    const found = await embedder({ dimensions: undefined });
    assert.equal(found.dimensions, 64);
    assert.equal(server.requests.length, 1);
    assert.equal(found.id, 'openai-compatible:served@64');
  });

  test('carries the prefix of a known model for its role', async () => {
    const bge = await embedder({ model: 'BAAI/bge-small-en-v1.5' });
    await bge.embed(['x'], 'query', freeCall());
    await bge.embed(['x'], 'passage', freeCall());
    assert.deepEqual(
      server.requests.map(({ body }) => body.input),
      [['Represent this sentence for searching relevant passages: x'], ['x']],
    );
    assert.notEqual(
      bge.id,
      (await embedder({ model: 'BAAI/bge-small-en-v1.5', prefixes: { query: '' } })).id,
    );
  });

  test('holds at most its limit of texts', async () => {
    const few = await embedder({ textsPerRequest: 2 });
    const vectors = await few.embed(['a', 'b', 'c', 'd', 'e'], 'passage', freeCall());
    assert.deepEqual(
      server.requests.map(({ body }) => body.input),
      [['a', 'b'], ['c', 'd'], ['e']],
    );
    assert.deepEqual(vectors[4], (await few.embed(['e'], 'passage', freeCall()))[0]);
  });

  test('without a key has no authorization header', async () => {
    await (await embedder({ apiKey: undefined })).embed(['x'], 'query', freeCall());
    assert.equal(server.requests[0]!.headers.authorization, undefined);
  });
});

describe('faults', () => {
  test('do not show a key of the address', async () => {
    const key = 'q1W2-e3R4-t5Y6';
    server.play(status(400, {}, `GET /v1?api-key=${key}`));
    const keyed = await embedder({ baseUrl: `${server.url}/v1?api-key=${key}` });
    const { message } = await failure(() => keyed.embed(['x'], 'query', freeCall()));
    assert.match(message, /redacted/);
    assert.ok(!message.includes('e3R4'), message);
  });

  const once: readonly (readonly [what: string, play: Play, code: string, retryable: boolean])[] = [
    ['401', status(401, {}, `Incorrect API key provided: ${CANARY}`), 'unauthorized', false],
    ['403', status(403), 'unauthorized', false],
    [
      '410',
      status(410, {}, [CANARY, encodeURIComponent(CANARY), JSON.stringify(CANARY)].join(' ')),
      'refused',
      false,
    ],
    ['404', status(404), 'refused', false],
    ['501', status(501), 'server', true],
    ['a redirect', status(307, { location: '/elsewhere' }), 'refused', false],
    ['silence before the headers', silence, 'timeout', true],
    ['silence in the body', silenceInBody, 'timeout', true],
    ['a byte now and then', trickle, 'timeout', true],
    ['no JSON', raw(`<html>${CANARY}</html>`), 'malformed', false],
    ['cut JSON', raw('{"data": [{"index"'), 'malformed', false],
    ['nothing', raw(''), 'malformed', false],
    ['null', raw('null'), 'malformed', false],
    ['no data', json({ vectors: [] }), 'malformed', false],
    ['an index twice', data([0, 0, 1], [1]), 'malformed', false],
    ['an index too high', data([0, 1, 3], [1]), 'malformed', false],
    ['an index that is none', data([0, 1, '__proto__'], [1]), 'malformed', false],
    ['no vector', data([0, 1, 2], null), 'malformed', false],
    ['too few', data([0, 1], [1]), 'wrong-count', false],
    ['too many', data([0, 1, 2, 3], [1]), 'wrong-count', false],
    ['none', json({ data: [] }), 'wrong-count', false],
    ['other dimensions', data([0, 1, 2], [1, 2, 3]), 'wrong-dimensions', false],
    ['no dimensions', data([0, 1, 2], []), 'wrong-dimensions', false],
    ['null for a number', data([0, 1, 2], [...Array(63).fill(1), null]), 'not-finite', false],
    ['NaN', raw(`{"data":[{"index":0,"embedding":[${'1,'.repeat(63)}NaN]}]}`), 'not-finite', false],
    ['-Infinity', raw('{"data":[{"index":0,"embedding":[-Infinity]}]}'), 'not-finite', false],
    ['too large a number', raw(`{"data":[${[0, 1, 2].map(huge)}]}`), 'not-finite', false],
    ['a length that overflows', data([0, 1, 2], Array(64).fill(1e200)), 'not-finite', false],
    ['zeros', data([0, 1, 2], Array(64).fill(0)), 'zero-vector', false],
    ['a huge answer', raw('x'.repeat(20_001)), 'too-large', false],
    [
      'an answer announced as huge',
      status(200, { 'content-length': '9'.repeat(12) }),
      'too-large',
      false,
    ],
  ];
  function huge(index: number): string {
    return `{"index":${index},"embedding":[1e999${',1'.repeat(63)}]}`;
  }
  function data(indexes: readonly unknown[], embedding: unknown): Play {
    return json({ data: indexes.map(index => ({ index, embedding })) });
  }
  for (const [what, play, code, retryable] of once)
    test(`${what}: ${code}, one request`, async () => {
      server.play(play);
      const started = performance.now();
      const error = await failure(() => ask());
      assert.equal(error.code, code, error.message);
      assert.equal(error.retryable, retryable);
      assert.match(error.message, new RegExp(`"${server.url}/v1/embeddings"`));
      assert.equal(server.requests.length, 1);
      assert.ok(performance.now() - started < 1400, 'ends within its limit and a second');
    });

  test('a server that refuses a key is not quoted, because it may repeat a part of the key', async () => {
    for (const code of [401, 403]) {
      server.play(status(code, {}, 'wrong key sk-can'));
      assert.match(
        (await failure(() => ask())).message,
        /refused the key: received status 40[13]\. Check the key/,
      );
    }
  });

  test('an answer at the size limit is accepted, one byte more is refused', async () => {
    const body = JSON.stringify({ data: [{ index: 0, embedding: Array(64).fill(1) }] }).padEnd(
      20_000,
    );
    server.play(raw(body), raw(`${body} `));
    const served = await embedder();
    assert.equal((await served.embed(['x'], 'query', freeCall())).length, 1);
    assert.equal((await failure(() => served.embed(['x'], 'query', freeCall()))).code, 'too-large');
  });

  test('no socket stays open after a timeout', async () => {
    server.play(silence);
    await failure(() => ask());
    await new Promise(resolve => setTimeout(resolve, 50));
    assert.equal(server.sockets.size, 0);
  });

  test('no server: unreachable, with a hint', async () => {
    const gone = await ModelServer.start(embeddings);
    const { url } = gone;
    await gone.stop();
    const nobody = await embedder({ baseUrl: url });
    const error = await failure(() => nobody.embed(['x'], 'query', freeCall()));
    assert.equal(error.code, 'unreachable');
    assert.match(error.message, /ECONNREFUSED.*Check that the server runs/);
  });

  test('an abort ends the request at once, with its own reason', async () => {
    server.play(silence);
    const stop = new AbortController();
    const asking = ask(freeCall(stop.signal));
    setTimeout(() => stop.abort(new Error('enough')), 30);
    await assert.rejects(asking, { message: 'enough' });
    await new Promise(resolve => setTimeout(resolve, 30));
    assert.equal(server.sockets.size, 0);
    await assert.rejects(ask(freeCall(AbortSignal.abort(new Error('before')))), {
      message: 'before',
    });
  });
});

describe('the retry loop', () => {
  const again: readonly (readonly [what: string, play: Play, code: string])[] = [
    ['429', status(429), 'rate-limited'],
    ['500', status(500, {}, `trace of ${CANARY}`), 'server'],
    ['502', status(502), 'server'],
    ['503', status(503), 'server'],
    ['504', status(504), 'server'],
    ['a reset', reset, 'unreachable'],
    ['a reset in the body', resetInBody, 'unreachable'],
  ];
  for (const [what, play, code] of again)
    test(`${what}, permanently: three attempts in total`, async () => {
      server.play(play, play, play, play);
      const error = await failure(() => ask());
      assert.equal(error.code, code);
      assert.equal(error.retryable, true);
      assert.match(error.message, /\(3 attempts\)/);
      assert.equal(server.requests.length, 3);
    });

  test('waits 500 ms and 1000 ms, each scaled by 0.5 to 1', async () => {
    const time = new FakeTime();
    server.play(status(429), reset);
    assert.equal((await ask(freeCall(), time)).length, 3);
    const [first = 0, second = 0, ...more] = time.waits;
    assert.ok(first >= 250 && first <= 500 && second >= 500 && second <= 1000, `${time.waits}`);
    assert.deepEqual(more, []);
  });

  test('waits as the server asks, within 10 %, never less', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const time = new FakeTime();
      server.play(status(429, { 'retry-after': '7' }));
      const served = await embedder({ retries: { ...time.retries, seed } });
      await served.embed(['x'], 'query', freeCall());
      assert.equal(time.waits.length, 1);
      assert.ok(time.waits[0]! >= 7000 && time.waits[0]! <= 7700, `${time.waits}`);
    }
  });

  test('equal seeds give equal waits', async () => {
    const waits = async (seed: number): Promise<readonly number[]> => {
      const time = new FakeTime();
      server.play(status(500), status(500));
      await (await embedder({ retries: { ...time.retries, seed } })).embed(
        ['x'],
        'query',
        freeCall(),
      );
      return time.waits;
    };
    assert.deepEqual(await waits(5), await waits(5));
    assert.notDeepEqual(await waits(5), await waits(6));
  });

  test('waits neither past the deadline nor longer than its limit', async () => {
    const deadline = (ms: number): Call => ({ ...freeCall(), left: () => ({ ms }) });
    for (const [call, after] of [
      [deadline(6900), '7'],
      [freeCall(), '61'],
      [freeCall(), '1e9'],
      [freeCall(), '9'.repeat(400)],
    ] as const) {
      const time = new FakeTime();
      server.reset();
      server.play(status(429, { 'retry-after': after }));
      if (after === '1e9') {
        // Not a number of seconds: ignored.
        assert.equal((await ask(call, time)).length, 3);
        continue;
      }
      assert.equal((await failure(() => ask(call, time))).code, 'rate-limited');
      assert.deepEqual(time.waits, []);
      assert.equal(server.requests.length, 1);
    }
  });

  test('a pause that a server asks for delays other calls too', async () => {
    const time = new FakeTime();
    server.play(status(429, { 'retry-after': '30' }));
    const served = await embedder({}, time);
    const hurried: Call = { ...freeCall(), left: () => ({ ms: 1000 }) };
    assert.equal((await failure(() => served.embed(['x'], 'query', hurried))).code, 'rate-limited');
    assert.equal((await failure(() => served.embed(['y'], 'query', hurried))).code, 'rate-limited');
    assert.equal(server.requests.length, 1);
    await served.embed(['z'], 'query', freeCall());
    assert.ok(time.waits.length === 1 && time.waits[0]! >= 30_000, `${time.waits}`);
  });

  test('an abort ends a wait', async () => {
    server.play(status(503, { 'retry-after': '30' }));
    const stop = new AbortController();
    const served = await embedder({ retries: {} });
    const asking = served.embed(['x'], 'query', freeCall(stop.signal));
    setTimeout(() => stop.abort(new Error('enough')), 60);
    await assert.rejects(asking, { message: 'enough' });
  });

  test('retries broken connections and lookups that may succeed later, and no others', () => {
    for (const [code, retried] of [
      ['ECONNRESET', true],
      ['EPIPE', true],
      ['EAI_AGAIN', true],
      ['UND_ERR_SOCKET', true],
      ['ECONNREFUSED', false],
      ['ENOTFOUND', false],
    ] as const)
      assert.equal(connectionFault('embedder', 'A server', code).retry, retried, code);
  });

  test('Retry-After is seconds or a date', () => {
    const now = Date.UTC(2026, 0, 1, 12, 0, 0);
    assert.equal(retryAfterMs('3', now), 3000);
    assert.equal(retryAfterMs(' 0 ', now), 0);
    assert.equal(retryAfterMs('Thu, 01 Jan 2026 12:00:09 GMT', now), 9000);
    assert.equal(retryAfterMs('Thu, 01 Jan 2026 11:00:00 GMT', now), 0);
    for (const odd of ['', 'soon', '-3', '1e9', 'NaN'])
      assert.notEqual(retryAfterMs(odd, now), Number.NaN);
    assert.equal(retryAfterMs('soon', now), undefined);
    assert.equal(retryAfterMs(undefined, now), undefined);
  });
});

describe('metering', () => {
  const settled = async (play: Play): Promise<Usage[]> => {
    const used: Usage[] = [];
    server.play(play);
    await ask({ ...freeCall(), begin: () => usage => void used.push(usage) }).catch(() => {});
    return used;
  };
  test('uses the tokens that the server counts', async () =>
    assert.deepEqual(await settled(embeddings), [{ modelCalls: 1, modelTokens: 15 }]));
  test('an impossible or missing count is estimated', async () => {
    const vectors = [0, 1, 2].map(index => ({ index, embedding: Array(64).fill(1) }));
    // 11 bytes of text.
    for (const usage of [
      undefined,
      { prompt_tokens: -1 },
      { prompt_tokens: 1.5 },
      { prompt_tokens: 'many' },
    ])
      assert.deepEqual(await settled(json({ data: vectors, usage })), [
        { modelCalls: 1, modelTokens: 3 },
      ]);
    // No server can count more for 11 bytes and three texts than was reserved.
    assert.deepEqual(await settled(json({ data: vectors, usage: { prompt_tokens: 1e15 } })), [
      { modelCalls: 1, modelTokens: 11 + 24 },
    ]);
  });
  test('a failed call counts as a call', async () =>
    assert.deepEqual(await settled(status(401)), [{ modelCalls: 1, modelTokens: 0 }]));
  test('a budget without calls is checked first', async () => {
    const call = new Ledger({
      budget: { modelCalls: 0 },
      signal: new AbortController().signal,
      clock: () => 0,
    });
    await assert.rejects(ask(call), { limit: 'modelCalls' });
    assert.equal(server.requests.length, 0);
  });
});

describe('rerankers', () => {
  const options = (path = '') => ({
    model: 'm',
    apiKey: CANARY,
    limits: LIMITS,
    baseUrl: `${server.url}${path}`,
    retries: new FakeTime().retries,
  });
  const rankers = {
    tei: () => teiReranker({ ...options(), textsPerRequest: 3 }),
    cohere: () => cohereReranker(options()),
    jina: () => jinaReranker(options('/v1')),
  };
  /** `ranking`: index and score of each text, as in "0 1.5, 1 2". */
  const shape = (kind: string, ranking: string): unknown => {
    const pairs = ranking.split(', ').map(pair => JSON.parse(`[${pair.replace(' ', ',')}]`));
    return kind === 'tei'
      ? pairs.map(([index, score]) => ({ index, score }))
      : {
          results: pairs.map(([index, score]) => ({ index, relevance_score: score })),
          usage: { total_tokens: 12 },
        };
  };

  for (const [kind, make] of Object.entries(rankers)) {
    test(`${kind}: scores in the order of the texts`, async () => {
      server.play(json(shape(kind, '2 3.5, 0 -1, 1 0.25')));
      assert.deepEqual(
        await make().score('q', ['a', 'b', 'c'], freeCall()),
        Float32Array.of(-1, 0.25, 3.5),
      );
      assert.equal((await make().score('q', [], freeCall())).length, 0);
      assert.equal(server.requests.length, 1);
    });
    const wrong: readonly (readonly [what: string, answer: unknown, code: string])[] = [
      ['too few', shape(kind, '0 1'), 'wrong-count'],
      ['an index twice', shape(kind, '0 1, 0 1'), 'malformed'],
      ['an index outside', shape(kind, '0 1, 2 1'), 'malformed'],
      ['no score', shape(kind, '0 1, 1 null'), 'not-finite'],
      ['a score beyond floats', shape(kind, '0 1, 1 1e300'), 'not-finite'],
      ['another shape', { scores: [1, 2] }, 'malformed'],
      ['null', null, 'malformed'],
    ];
    for (const [what, answer, code] of wrong)
      test(`${kind}: ${what}: ${code}`, async () => {
        server.play(json(answer));
        const scoring = () => make().score('q', ['a', 'b'], freeCall());
        assert.equal((await failureOf('reranker', scoring)).code, code);
      });
    test(`${kind}: 401 once, 503 again`, async () => {
      server.play(status(401, {}, CANARY));
      const scoring = () => make().score('q', ['a'], freeCall());
      assert.equal((await failureOf('reranker', scoring)).code, 'unauthorized');
      server.play(status(503), json(shape(kind, '0 1')));
      assert.deepEqual(await scoring(), Float32Array.of(1));
    });
  }

  test('requests follow each API', async () => {
    for (const [kind, make] of Object.entries(rankers)) {
      server.play(json(shape(kind, '0 1, 1 2')));
      await make().score('q', ['a', 'b'], freeCall());
    }
    assert.deepEqual(
      server.requests.map(({ url, body }) => [url, body]),
      [
        ['/rerank', { query: 'q', texts: ['a', 'b'], raw_scores: true, truncate: true }],
        ['/v2/rerank', { model: 'm', query: 'q', documents: ['a', 'b'], top_n: 2 }],
        [
          '/v1/rerank',
          { model: 'm', query: 'q', documents: ['a', 'b'], top_n: 2, return_documents: false },
        ],
      ],
    );
  });

  test('many texts are split into several requests', async () => {
    server.play(json(shape('tei', '0 1, 1 2, 2 3')), json(shape('tei', '0 4')));
    assert.deepEqual(
      await rankers.tei().score('q', ['a', 'b', 'c', 'd'], freeCall()),
      Float32Array.of(1, 2, 3, 4),
    );
  });
});

describe('keys and addresses', () => {
  test('a secret does not print its text', () => {
    const secret = new Secret(CANARY);
    for (const text of [
      `${secret}`,
      JSON.stringify({ secret }),
      inspect(secret, { showHidden: true }),
      inspect({ a: [secret] }, { depth: 9 }),
    ])
      assert.ok(!text.includes('canary'), text);
    assert.equal(secret.reveal(), CANARY);
  });

  test('text that looks like a key is masked in server messages', () => {
    assert.equal(quoted('bad key sk-proj-abcdef0123456789abcd given'), 'bad key [redacted] given');
    assert.equal(
      quoted('bad keys sk-CANARY12 and hf_abcdef'),
      'bad keys [redacted] and [redacted]',
    );
    assert.equal(quoted('internationalisation-is-long'), 'internationalisation-is-long');
    assert.equal(quoted(`a\u001b[31m\n\u202eb`), 'a [31m b');
  });

  test('half a key is masked too, in every encoding', () => {
    const secret = new Secret(CANARY);
    for (const [at, length] of [
      [0, 6],
      [3, 9],
      [CANARY.length - 6, 6],
    ] as const)
      assert.equal(
        quoted(`key ${CANARY.slice(at, at + length)}... is wrong`, secret),
        'key [redacted]... is wrong',
      );
    assert.equal(
      quoted(`key ${CANARY.slice(0, 5)} is wrong`, secret),
      `key ${CANARY.slice(0, 5)} is wrong`,
    );
    for (const spelling of [
      encodeURIComponent,
      (key: string) => Buffer.from(key).toString('base64'),
    ])
      assert.equal(quoted(`a "${spelling(CANARY)}" b`, secret), 'a "[redacted]" b');
  });

  test('an address with a user is refused and not printed', async () => {
    await assert.rejects(embedder({ baseUrl: 'http://me:canary@localhost/v1' }), (error: Error) => {
      assert.ok(InputError.is(error) && !error.message.includes('canary'));
      return true;
    });
  });

  test('the query of an address is sent but not printed', async () => {
    server.play(status(404));
    const served = await embedder({ baseUrl: `${server.url}/v1?api-key=canary` });
    await failure(() => served.embed(['x'], 'query', freeCall()));
    assert.equal(server.requests[0]!.url, '/v1/embeddings?api-key=canary');
  });

  test('invalid addresses and keys are refused', async () => {
    for (const baseUrl of ['', 'localhost:8080', 'ftp://x', '/v1', 'file:///etc/passwd'])
      await assert.rejects(embedder({ baseUrl }), { code: 'bad-url' }, baseUrl);
    for (const apiKey of ['canary\nx-evil: 1', 'canary ü'])
      await assert.rejects(
        embedder({ apiKey }),
        (error: InputError) => error.code === 'bad-key' && !error.message.includes('canary'),
      );
  });
});
