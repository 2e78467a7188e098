/**
 * Checks answers that are not what the API says: other statuses, whole JSON for a stream and a
 * stream for whole JSON, errors under status 200, compressed bodies, addresses without an API.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { PortError } from '../src/core/errors.ts';
import { freeCall } from '../src/core/trace/call.ts';
import type { Completion, Prompt } from '../src/models/language-model.ts';
import { ollamaUrl } from '../src/providers/model-servers.ts';
import { openAiCompatibleEmbedder } from '../src/providers/openai-compatible-embedder.ts';
import { openAiCompatibleModel } from '../src/providers/openai-compatible-language-model.ts';
import { reportedError } from '../src/providers/reported-error.ts';
import { completion, replying, streamBytes, streamed } from './providers-language-server.ts';
import { FakeTime, json, ModelServer, type Play, raw, sound, status } from './providers-server.ts';

const SAID = 'To port 3, as the log says.';
let server: ModelServer;
before(async () => {
  server = await ModelServer.start(sound);
});
after(() => server.stop());
afterEach(() => server.reset());

const PROMPT: Prompt = {
  role: 'answer',
  messages: [{ role: 'user', text: 'Where does the ferry sail?' }],
  maxTokens: 40,
};

interface Reply extends Completion {
  readonly shown: string;
}

async function reply(
  way: 'whole' | 'streamed',
  more: { readonly time?: FakeTime; readonly base?: string } = {},
): Promise<Reply> {
  const { time = new FakeTime(), base = '/v1' } = more;
  const model = await openAiCompatibleModel({
    baseUrl: `${server.url}${base}`,
    model: 'served',
    retries: time.retries,
  });
  let shown = '';
  const show = (piece: string): void => {
    shown += piece;
  };
  return {
    ...(await model.generate(PROMPT, freeCall(), way === 'streamed' ? show : undefined)),
    shown,
  };
}

const failure = async (work: () => Promise<unknown>): Promise<PortError> => {
  const error = await work().then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(PortError.is(error), String(error));
  return error;
};
const embed = async (base = '/v1'): Promise<unknown> => {
  const retries = new FakeTime().retries;
  const options = { baseUrl: `${server.url}${base}`, model: 'served', dimensions: 64, retries };
  return (await openAiCompatibleEmbedder(options)).embed(['a text'], 'passage', freeCall());
};

describe('a status', () => {
  for (const code of [408, 409, 425, 429, 500, 502, 503, 504, 507, 520, 522, 524, 529, 599])
    test(`${code} is tried again`, async () => {
      server.play(status(code), replying(SAID));
      assert.equal((await reply('streamed')).shown, SAID);
      server.play(status(code));
      await embed();
      assert.equal(server.requests.length, 4);
    });

  for (const code of [400, 404, 410, 418, 422, 501, 505])
    test(`${code} is not`, async () => {
      server.play(status(code));
      await failure(() => reply('whole'));
      assert.equal(server.requests.length, 1);
    });

  test('of a key without quota is not tried again, and says where to look', async () => {
    const words =
      '{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}';
    server.play(status(429, {}, words));
    assert.match((await failure(() => reply('whole'))).message, /quota.*plan and billing/);
    assert.equal(server.requests.length, 1);
  });

  test('waits as its headers say: seconds, a date, or milliseconds', async () => {
    const date = new Date(Date.now() + 30_000).toUTCString();
    for (const [headers, least] of [
      [{ 'retry-after': '7' }, 7000],
      [{ 'retry-after': date }, 27_000],
      [{ 'retry-after-ms': '1500', 'retry-after': '2' }, 1500],
    ] as const) {
      const time = new FakeTime();
      server.play(status(529, headers), replying(SAID));
      await reply('whole', { time });
      const [wait = 0] = time.waits;
      assert.ok(wait >= least && wait <= least * 1.2, `${wait}`);
    }
  });
});

describe('an answer in another form', () => {
  const typed =
    (type: string, body: string | Buffer): Play =>
    response =>
      void response.writeHead(200, { 'content-type': type }).end(body);
  const whole = JSON.stringify({
    choices: [{ message: { role: 'assistant', content: SAID }, finish_reason: 'length' }],
    usage: { prompt_tokens: 5, completion_tokens: 40 },
  });

  for (const type of ['application/json', 'text/event-stream', 'text/plain'])
    test(`whole JSON for a stream, as ${type}, is its text`, async () => {
      server.play(typed(type, `\n ${whole}`));
      const { shown, finish, usage } = await reply('streamed');
      assert.deepEqual([shown, finish, usage.output], [SAID, 'length', 40]);
      assert.equal(server.requests.length, 1);
    });

  test('whole JSON without a finish reason is complete', async () => {
    server.play(json({ choices: [{ message: { content: SAID } }] }));
    assert.equal((await reply('streamed')).shown, SAID);
  });

  test('a stream for whole JSON is its text', async () => {
    for (const dialect of ['openai', 'ollama', 'llama.cpp'] as const) {
      server.play(streamed({ pieces: ['To port 3, ', 'as the log says.'], dialect }));
      const { text, finish, usage } = await reply('whole');
      assert.deepEqual([text, finish, usage.output], [SAID, 'stop', 9], dialect);
    }
  });

  const chunk = (delta: object, more: object = {}): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;

  test('[DONE] without a finish reason ends a text', async () => {
    const events = `${chunk({ content: 'To port 3, ' })}${chunk({ content: 'as the log says.' })}`;
    for (const done of ['data: [DONE]\n\n', 'data:[DONE]', 'data: [DONE] \r\n']) {
      server.play(streamed(Buffer.from(events + done), 5));
      const { shown, finish } = await reply('streamed');
      assert.deepEqual([shown, finish], [SAID, 'other']);
    }
    server.play(streamed(Buffer.from(`${events}data: [DONE]\n\n`)));
    assert.equal((await reply('whole')).text, SAID);
  });

  test('without both, it is a part of a text', async () => {
    const part = streamed(Buffer.from(chunk({ content: 'To port' })));
    server.play(part);
    assert.equal((await failure(() => reply('streamed'))).code, 'incomplete');
  });

  test('events without the blank line between them are read one by one', async () => {
    const events = [chunk({ content: 'To port 3, ' }), chunk({ content: 'as the log says.' })];
    const lines = events.map(event => event.trim()).join('\n');
    server.play(streamed(Buffer.from(`${lines}\ndata: [DONE]\n`)));
    assert.equal((await reply('streamed')).shown, SAID);
  });

  test('a text that quotes a finish, an error and an end is passed on as it is', async () => {
    const text = 'data: [DONE] "finish_reason":"stop" {"error":{"message":"x"}}';
    for (const way of ['whole', 'streamed'] as const) {
      server.play(replying(text));
      assert.equal((await reply(way)).text, text);
    }
  });

  test('compressed though nothing asked for it is read', async () => {
    const stream = streamBytes({ pieces: ['To port 3, ', 'as the log says.'] });
    for (const [encoding, pack] of [
      ['gzip', gzipSync],
      ['x-gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      const packed =
        (type: string, bytes: string | Buffer): Play =>
        response => {
          response.writeHead(200, { 'content-type': type, 'content-encoding': encoding });
          response.end(pack(bytes));
        };
      server.play(packed('application/json', whole), packed('text/event-stream', stream));
      assert.equal((await reply('whole')).text, SAID, encoding);
      assert.equal((await reply('streamed')).shown, SAID, encoding);
      const embedding = [3, ...new Array<number>(63).fill(0)];
      server.play(packed('application/json', JSON.stringify({ data: [{ index: 0, embedding }] })));
      await embed();
    }
    const broken: Play = response =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end('{"data":[]}');
    server.play(broken);
    assert.equal((await failure(embed)).code, 'malformed');
  });

  test('of any bytes is a text or a typed fault', async () => {
    const parts = fc.constantFrom(
      ...['data:', ' ', '\n', '\r\n', '[DONE]', '{', '}', '"error"', ':', 'null', '[', ']', ','],
      ...[chunk({ content: 'x' }), '{"choices":', '"delta":{}', '{"error":"busy"}', whole],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(parts), fc.boolean(), async (some, isStreamed) => {
        server.reset();
        const body = raw(some.join(''));
        server.play(body, body, body);
        const outcome = await reply(isStreamed ? 'streamed' : 'whole').catch(
          (error: unknown) => error,
        );
        if (!PortError.is(outcome)) assert.equal(typeof (outcome as Completion).text, 'string');
      }),
      { numRuns: 150, seed: 7 },
    );
  });
});

describe('an error under status 200', () => {
  /** The body, the status that it means, and the words of the server. */
  const errors: readonly (readonly [server: string, body: unknown, number | undefined, string])[] =
    [
      [
        'OpenAI',
        { error: { message: 'The server had an error', type: 'server_error' } },
        500,
        'had an error',
      ],
      ['OpenRouter', { error: { message: 'Provider returned error', code: 502 } }, 502, 'Provider'],
      [
        'Anthropic',
        { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
        503,
        'Overloaded',
      ],
      [
        'Google',
        [{ error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } }],
        429,
        'Quota',
      ],
      [
        'vLLM',
        { object: 'error', message: 'no room', type: 'BadRequestError', code: 400 },
        400,
        'no room',
      ],
      [
        'llama.cpp',
        { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
        503,
        'Loading',
      ],
      ['TGI', { error: 'Model is overloaded', error_type: 'overloaded' }, 503, 'overloaded'],
      ['FastAPI', { detail: 'Not Found' }, undefined, 'Not Found'],
      [
        'a gateway',
        { error: { message: { error: { message: 'inner', code: '504' } } } },
        504,
        'inner',
      ],
      [
        'MiniMax',
        { base_resp: { status_code: 1004, status_msg: 'login fail' } },
        undefined,
        'login fail',
      ],
      ['a proxy', { code: 500, msg: 'upstream', success: false, data: null }, 500, 'upstream'],
      ['plain text', { error: 'model runner has stopped' }, undefined, 'has stopped'],
    ];
  for (const [what, body, code, words] of errors)
    test(`as ${what} writes it has the words of the server`, async () => {
      assert.equal(reportedError(body)?.status, code);
      const play = json(body);
      for (const kind of ['whole', 'streamed', 'embedded'] as const) {
        server.reset();
        server.play(play, play, play);
        const { message } = await failure(() => (kind === 'embedded' ? embed() : reply(kind)));
        assert.ok(message.includes(words), message);
        const retried = code !== undefined && (code === 429 || code >= 500);
        // An embedder asks once whether the server refuses that text alone.
        const once = kind === 'embedded' && code === 400 ? 2 : 1;
        assert.equal(server.requests.length, retried ? 3 : once, message);
      }
    });

  test('that a limit of a minute names a quota for is tried again', async () => {
    const words = 'You exceeded your current quota, please check your plan. Retry in 2s.';
    const busy = { error: { message: words, code: 429, status: 'RESOURCE_EXHAUSTED' } };
    server.play(json(busy), replying(SAID));
    assert.equal((await reply('streamed')).shown, SAID);
  });

  test('that may pass is tried again', async () => {
    server.play(json({ error: { message: 'busy', code: 503 } }), replying(SAID));
    assert.equal((await reply('streamed')).shown, SAID);
  });

  test('in the middle of a stream ends it, also beside choices', async () => {
    const failed = { error: { message: 'upstream went away', code: 502 }, choices: [] };
    const events = [{ choices: [{ delta: { content: 'To ' } }] }, failed];
    const bytes = events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
    server.play(streamed(Buffer.from(`${bytes}data: [DONE]\n\n`)));
    assert.match((await failure(() => reply('streamed'))).message, /upstream went away/);
    assert.equal(server.requests.length, 1);
  });

  test('is no answer of a server that says that there is none', () => {
    for (const error of [null, undefined, '', {}, false])
      assert.equal(reportedError({ error, choices: [{}] }), undefined);
    assert.equal(reportedError({ data: [], message: 'ok' }), undefined);
    fc.assert(
      fc.property(fc.jsonValue(), body => void reportedError(body)),
      { numRuns: 300 },
    );
  });
});

describe('an address without an API', () => {
  const nothing: readonly (readonly [string, Play])[] = [
    ['a page', status(404, { 'content-type': 'text/html' }, '<html>404 page not found</html>')],
    ['plain text', status(404, {}, '404 page not found')],
    ['JSON', status(404, {}, '{"detail":"Not Found"}')],
    ['another method', status(405, {}, '{"detail":"Method Not Allowed"}')],
    ['a page of its own', raw('<!doctype html><title>Chat</title>')],
  ];
  for (const [what, play] of nothing)
    test(`${what}: the message says what to change`, async () => {
      for (const work of [() => reply('whole'), () => reply('streamed'), () => embed()]) {
        server.play(play);
        assert.match((await failure(work)).message, /base URL: this server has no \/\w+.* \/v1/);
      }
      server.play(play, play);
      const bare = new RegExp(
        `base URL: most servers have their API under /v1, "${server.url}/v1"`,
      );
      assert.match((await failure(() => reply('whole', { base: '' }))).message, bare);
      assert.match((await failure(() => embed('/'))).message, bare);
    });

  test('is not meant where the model is unknown', async () => {
    server.play(status(404, {}, '{"error":{"message":"model \\"served\\" not found"}}'));
    assert.doesNotMatch((await failure(() => reply('whole'))).message, /base URL/);
  });

  test('that ends in the path of a request is taken', async () => {
    server.play(completion(SAID));
    await reply('whole', { base: '/v1/chat/completions' });
    await embed('/v1/embeddings/');
    assert.deepEqual(
      server.requests.map(({ url }) => url),
      ['/v1/chat/completions', '/v1/embeddings'],
    );
  });
});

test('OLLAMA_HOST is read as its own commands read it', () => {
  for (const [host, url] of [
    [undefined, 'http://127.0.0.1:11434'],
    ['', 'http://127.0.0.1:11434'],
    ['10.1.2.3', 'http://10.1.2.3:11434'],
    [':1234', 'http://127.0.0.1:1234'],
    ['box', 'http://box:11434'],
    ['box:1234', 'http://box:1234'],
    ['box:99999', 'http://box:11434'],
    ['::1', 'http://[::1]:11434'],
    ['[::1]:1337', 'http://[::1]:1337'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
    ['http://box', 'http://box'],
    ['http://box:8080/', 'http://box:8080'],
    ['https://box', 'https://box'],
    ['https://box.example/ollama', 'https://box.example/ollama'],
    ['https://box.example:8443/a/b/', 'https://box.example:8443/a/b'],
    [' "box:1" ', 'http://box:1'],
  ] as const)
    assert.equal(ollamaUrl(host), `${url}/v1`);
});
