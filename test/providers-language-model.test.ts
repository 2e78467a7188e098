/**
 * Checks language models over HTTP: every fault is a typed error in bounded time, a text is
 * complete or an error, and no key is ever printed.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { inspect } from 'node:util';
import { defined } from '../src/core/defined.ts';
import { PortError } from '../src/core/errors.ts';
import { mulberry32 } from '../src/core/mulberry32.ts';
import { type Call, freeCall } from '../src/core/trace/call.ts';
import { MAX_COMPLETION } from '../src/models/checked-completion.ts';
import type { Completion, LanguageModel, Prompt } from '../src/models/language-model.ts';
import {
  type OpenAiCompatibleModelOptions,
  openAiCompatibleModel,
} from '../src/providers/openai-compatible-language-model.ts';
import { resolveModel } from '../src/providers/resolve-model.ts';
import {
  completion,
  cut,
  replying,
  streamBytes,
  streamed,
  USAGE,
} from './providers-language-server.ts';
import {
  CANARY,
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
  status,
  trickle,
} from './providers-server.ts';

/** Generous limits for a busy machine; short ones where no answer comes. */
const LIMITS = { answerBytes: 60_000 };
const HASTY = { limits: { connectMs: 500, firstMs: 150, pieceMs: 150, totalMs: 400, ...LIMITS } };
const SAID = 'Zürich – 東京 🗼 is it.';

let server: ModelServer;
before(async () => {
  server = await ModelServer.start(replying(SAID));
});
after(() => server.stop());
afterEach(() => server.reset());

const modelOf = (
  more: Partial<OpenAiCompatibleModelOptions> = {},
  time: FakeTime = new FakeTime(),
): Promise<LanguageModel> =>
  openAiCompatibleModel({
    baseUrl: `${server.url}/v1`,
    model: 'served',
    apiKey: CANARY,
    limits: LIMITS,
    retries: time.retries,
    ...more,
  });

const PROMPT: Prompt = {
  role: 'answer',
  messages: [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Where?' },
  ],
  maxTokens: 40,
};
const SCHEMA = {
  name: 'answer',
  schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
};

const BOTH = ['whole', 'streamed'] as const;
type Way = (typeof BOTH)[number];

interface ModelOutput {
  readonly completion: Completion;
  readonly pieces: readonly string[];
}

async function generateText(
  model: LanguageModel,
  way: Way,
  prompt: Prompt = PROMPT,
  call: Call = freeCall(),
): Promise<ModelOutput> {
  const pieces: string[] = [];
  const completion = await model.generate(
    prompt,
    call,
    way === 'streamed' ? piece => void pieces.push(piece) : undefined,
  );
  if (way === 'streamed') assert.equal(pieces.join(''), completion.text);
  return { completion, pieces };
}

const failure = (work: () => Promise<unknown>): Promise<PortError> => failureOf('model', work);
const failureAt = (
  way: Way,
  play: Play,
  more: Partial<OpenAiCompatibleModelOptions> = {},
  call: Call = freeCall(),
): Promise<PortError> => {
  server.play(play);
  return failure(async () => generateText(await modelOf(more), way, PROMPT, call));
};

/** Idle sockets are no leak; one that still waits for an answer is. */
async function quiet(): Promise<void> {
  for (let tries = 0; tries < 50 && server.busy() > 0; tries++) await later(5);
  assert.equal(server.busy(), 0, 'requests that the server still answers');
}

describe('a request', () => {
  test('follows the OpenAI API, whole and streamed', async () => {
    const model = await modelOf();
    assert.equal(model.id, 'openai-compatible:served');
    for (const way of BOTH) {
      const prompt = { ...PROMPT, stop: ['\n\n'], seed: 7, temperature: 0.5, schema: SCHEMA };
      assert.deepEqual((await generateText(model, way, prompt)).completion, {
        text: SAID,
        usage: { input: 21, output: 9 },
        finish: 'stop',
      });
      const { url, headers, body } = server.requests.at(-1)!;
      assert.equal(url, '/v1/chat/completions');
      assert.equal(headers.authorization, `Bearer ${CANARY}`);
      assert.deepEqual(
        body,
        defined({
          model: 'served',
          max_tokens: 40,
          temperature: 0.5,
          stop: ['\n\n'],
          seed: 7,
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'answer', strict: true, schema: SCHEMA.schema },
          },
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Where?' },
          ],
          stream: way === 'streamed' ? true : undefined,
          stream_options: way === 'streamed' ? { include_usage: true } : undefined,
        }),
      );
    }
  });

  test('has temperature 0 and no schema by default, and keeps the query of the address', async () => {
    const model = await modelOf({ baseUrl: `${server.url}/v1?api-version=canary` });
    await generateText(model, 'whole', {
      ...PROMPT,
      messages: [...PROMPT.messages, { role: 'assistant', text: 'Or\ud800' }],
    });
    const { url, body } = server.requests[0]!;
    assert.equal(url, '/v1/chat/completions?api-version=canary');
    const { messages, ...rest } = body as unknown as { messages: unknown[] };
    assert.deepEqual(rest, { model: 'served', max_tokens: 40, temperature: 0 });
    assert.deepEqual(messages[2], { role: 'assistant', content: 'Or\ufffd' });
    server.play(status(404));
    await failure(() => generateText(model, 'whole'));
  });

  test('without a key carries none', async () => {
    await generateText(await modelOf({ apiKey: undefined }), 'streamed');
    assert.equal(server.requests[0]!.headers.authorization, undefined);
  });
});

describe('a stream', () => {
  for (const dialect of ['openai', 'ollama', 'llama.cpp'] as const)
    test(`in the format of ${dialect} is read wherever its bytes are split`, async () => {
      const model = await modelOf();
      for (const size of [1, 2, 3, 7, 64, 1e6]) {
        server.play(
          streamed({ pieces: ['Zür', 'ich – 東', '京 ', '', '🗼 is it.'], dialect }, size),
        );
        const { completion: got, pieces } = await generateText(model, 'streamed');
        assert.deepEqual(got, { text: SAID, usage: { input: 21, output: 9 }, finish: 'stop' });
        assert.deepEqual(pieces, ['Zür', 'ich – 東', '京 ', '🗼 is it.']);
      }
    });

  /**
   * Bytes that llama-cpp-python 0.3.36 sent for SmolLM2-135M-Instruct; it counts no tokens in a
   * stream.
   */
  const RECORDED = readFileSync(new URL('golden/llama-cpp-stream.txt', import.meta.url));
  test('recorded from a real server yields the text of the model', async () => {
    for (const size of [1, 5, 1e6]) {
      server.play(streamed(RECORDED, size));
      // With a key, a piece that ends like its beginning would be held back.
      const { completion: got, pieces } = await generateText(
        await modelOf({ apiKey: undefined }),
        'streamed',
      );
      // 15 bytes were sent in two messages, 31 received.
      assert.deepEqual(got, {
        text: 'The capital of France is Paris.',
        usage: { input: 20, output: 8, estimated: true },
        finish: 'stop',
      });
      assert.deepEqual(pieces, ['The', ' capital', ' of', ' France', ' is', ' Paris', '.']);
    }
  });

  const cutText = ['Zür', 'ich – 東', '京 🗼 is it.'];
  const cuts: readonly (readonly [what: string, bytes: Buffer, whole: string])[] = [
    ['as openai writes it', streamBytes({ pieces: cutText, dialect: 'openai' }), SAID],
    ['as ollama writes it', streamBytes({ pieces: cutText, dialect: 'ollama' }), SAID],
    ['that a real server sent', RECORDED, 'The capital of France is Paris.'],
  ];
  for (const [what, bytes, text] of cuts)
    test(`${what}, cut at every byte: complete, or a typed fault`, async () => {
      // Attempts without output are repeated; every tenth byte tests that.
      const [patient, once] = [await modelOf(), await modelOf({ retries: { attempts: 1 } })];
      const outcomes = new Map<string, number>();
      for (let at = 0; at < bytes.length; at++) {
        server.reset();
        const play = cut(bytes, at, at % 2 ? 'end' : 'reset');
        server.play(play, play, play);
        const pieces: string[] = [];
        const attempts = at % 10 === 0 ? 3 : 1;
        const model = attempts === 3 ? patient : once;
        const outcome = await model
          .generate(PROMPT, freeCall(), piece => void pieces.push(piece))
          .catch((error: unknown) => error);
        const shown = pieces.join('');
        if (PortError.is(outcome)) {
          assert.ok(text.startsWith(shown), `at ${at}: ${shown}`);
          assert.ok(
            ['incomplete', 'unreachable', 'malformed'].includes(outcome.code),
            `at ${at}: ${outcome.message}`,
          );
          // A call whose text was passed on is not repeated; others may be.
          assert.equal(
            server.requests.length,
            shown === '' && outcome.retryable ? attempts : 1,
            `at ${at}: ${outcome.message}`,
          );
          outcomes.set(outcome.code, (outcomes.get(outcome.code) ?? 0) + 1);
        } else {
          const { text: whole, usage, finish } = outcome as Completion;
          assert.equal(whole, text, `at ${at}`);
          assert.equal(shown, text);
          assert.equal(finish, 'stop');
          // The counts may be missing, but not the text.
          assert.ok(usage.estimated || usage.input === USAGE.prompt_tokens);
          outcomes.set('whole', (outcomes.get('whole') ?? 0) + 1);
        }
      }
      assert.ok(
        (outcomes.get('incomplete') ?? 0) + (outcomes.get('unreachable') ?? 0) > bytes.length / 2,
        inspect(outcomes),
      );
    });

  test('with bytes changed, lost or doubled is a text or a typed fault, never another exception', async () => {
    const bytes = streamBytes({ pieces: ['Zür', 'ich – 東', '京 🗼 is it.'] });
    const model = await modelOf({ retries: { attempts: 1 } });
    const random = mulberry32(11);
    const outcomes = new Map<string, number>();
    for (let run = 0; run < 150; run++) {
      const [from, length] = [Math.floor(random() * bytes.length), 1 + Math.floor(random() * 40)];
      const [head, part, tail] = [
        bytes.subarray(0, from),
        bytes.subarray(from, from + length),
        bytes.subarray(from + length),
      ];
      const noise = Buffer.from(part).map(byte =>
        random() < 0.3 ? Math.floor(random() * 256) : byte,
      );
      const changed = [
        [head, tail],
        [head, part, part, tail],
        [head, noise, tail],
      ][run % 3]!;
      server.play(streamed(Buffer.concat(changed)));
      const pieces: string[] = [];
      const outcome = await model
        .generate(PROMPT, freeCall(), piece => void pieces.push(piece))
        .catch((error: unknown) => error);
      if (!PortError.is(outcome))
        assert.equal((outcome as Completion).text, pieces.join(''), inspect(outcome));
      const kind = PortError.is(outcome) ? outcome.code : 'a text';
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    }
    assert.deepEqual([...outcomes.keys()].sort(), ['a text', 'malformed'], inspect(outcomes));
  });

  test('that stalls anywhere ends in time, without retries', async () => {
    const bytes = streamBytes({ pieces: ['Zür', 'ich – 東', '京 🗼 is it.'] });
    const model = await modelOf(HASTY);
    let kept = 0;
    for (let at = 0; at < bytes.length; at += 150) {
      server.reset();
      server.play(cut(bytes, at, 'silence'));
      const start = performance.now();
      const outcome = await generateText(model, 'streamed').catch((error: PortError) => error);
      assert.ok(performance.now() - start < 1000);
      if ('completion' in outcome) {
        const { text, finish, cut } = outcome.completion;
        assert.ok(text !== '' && SAID.startsWith(text));
        assert.deepEqual([finish, cut], ['length', { ms: 150 }]);
        kept++;
      } else assert.equal(outcome.code, 'timeout');
      assert.equal(server.requests.length, 1);
    }
    assert.ok(kept > 2, 'what was streamed is kept');
    await quiet();
  });
});

describe('a fault', () => {
  const errorBody = (code?: number): Play =>
    raw(JSON.stringify({ error: defined({ message: `no, ${CANARY}`, type: 'x', code }) }));
  const events = (...data: readonly string[]): Play =>
    streamed(Buffer.from(data.map(each => `data: ${each}\n\n`).join('')));
  const errorEvent = (more: object = {}): Play =>
    events(JSON.stringify({ error: { message: `no ${CANARY}`, ...more } }));
  /** The fault, the code of the error, and the number of requests: whole, and as a stream. */
  const faults: readonly (readonly [
    what: string,
    play: Play,
    code: string,
    requests: number,
    streamed?: readonly [code: string, requests: number],
  ])[] = [
    ['401', status(401, {}, `{"error":{"message":"Incorrect key ${CANARY}"}}`), 'unauthorized', 1],
    ['404', status(404, {}, '{"error":{"message":"no such model"}}'), 'refused', 1],
    ['a redirect', status(307, { location: 'http://example.com/' }), 'refused', 1],
    ['429', status(429), 'rate-limited', 3],
    ['500', status(500, {}, `{"error":{"message":"trace of ${CANARY}"}}`), 'server', 3],
    ['500 that is no JSON', status(500, {}, `<html>${CANARY}`), 'server', 3],
    ['503', status(503), 'server', 3],
    ['408', status(408), 'timeout', 3],
    ['a reset', reset, 'unreachable', 3],
    ['a reset in the body', resetInBody, 'unreachable', 3],
    ['no headers', silence, 'timeout', 1],
    ['headers and silence', silenceInBody, 'timeout', 1],
    ['a byte now and then', trickle, 'timeout', 1],
    ['200 and an error that may pass', errorBody(503), 'server', 3],
    ['200 and an error', errorBody(), 'failed', 1],
    ['no choices', json({ choices: [] }), 'malformed', 1],
    ['invalid choices', json({ choices: [{ text: 'x' }] }), 'malformed', 1],
    ['a text that is a number', completion(5 as never), 'malformed', 1],
    ['another schema', json({ outputs: [] }), 'malformed', 1],
    ['null', json(null), 'malformed', 1, ['incomplete', 3]],
    ['a page', raw('<html>busy</html>'), 'malformed', 1],
    ['half of it', raw('{"choices":[{"message":{"content":"x"'), 'malformed', 1],
    ['nothing', raw(''), 'malformed', 1, ['incomplete', 3]],
    ['204', status(204), 'malformed', 1],
    ['too much', completion('x'.repeat(70_000)), 'too-large', 1],
    ['an event that is no JSON', events('{"x"'), 'malformed', 1],
    ['an event of another schema', events('{"choices":"none"}'), 'malformed', 1],
    ['no text', events('{"choices":[]}', '[DONE]'), 'malformed', 1, ['incomplete', 3]],
    ['an event that is an error', errorEvent(), 'failed', 1],
    ['an error with a status', errorEvent({ code: 503 }), 'server', 3],
  ];
  for (const [what, play, code, requests, stream = [code, requests]] of faults)
    for (const [way, wanted] of [
      ['whole', [code, requests]],
      ['streamed', stream],
    ] as const)
      test(`${what}, ${way}: ${wanted[0]}, ${wanted[1]} requests`, async () => {
        server.play(play, play, play, play);
        const model = await modelOf(wanted[0] === 'timeout' ? HASTY : {});
        const start = performance.now();
        const error = await failure(() => generateText(model, way));
        assert.equal(error.code, wanted[0], error.message);
        assert.equal(server.requests.length, wanted[1]);
        assert.ok(performance.now() - start < 1400, 'within the limit and a second');
        await quiet();
        // The next request is not affected.
        server.reset();
        assert.equal((await generateText(await modelOf(), way)).completion.text, SAID);
      });

  test('prints neither a key nor half of one, in any format', async () => {
    const replyWith = (text: string): Play =>
      status(400, {}, JSON.stringify({ error: { message: `you sent ${text}` } }));
    const event = Buffer.from('data: {"error":{"message":"you sent harbour-fer"}}\n\n');
    for (const [way, play] of [
      ['whole', replyWith('harbour-ferry')],
      ['whole', replyWith('harbour...')],
      ['streamed', replyWith(Buffer.from('harbour-ferry').toString('base64'))],
      ['streamed', streamed(event)],
    ] as const) {
      const error = await failureAt(way, play, { apiKey: 'harbour-ferry' });
      assert.match(error.message, /you sent \[redacted\]/);
      assert.ok(!/harbour|aGFy/.test(inspect(error, { depth: 20 })), error.message);
    }
    const { message } = await failureAt('whole', status(401), { apiKey: undefined });
    assert.match(message, /No key was sent/);
  });

  test('in a stream that continues closes its connection at once', async () => {
    const events = Buffer.from('data: {"x"\n\n');
    const { code } = await failureAt('streamed', cut(events, events.length, 'silence'));
    assert.equal(code, 'malformed');
    await quiet();
    const long = streamBytes({ pieces: ['x'.repeat(MAX_COMPLETION + 1)] });
    server.play(cut(long, long.length - 100, 'silence'));
    const patient = await modelOf({ limits: { answerBytes: 1e6 } });
    const { finish, usage } = (await generateText(patient, 'streamed')).completion;
    assert.deepEqual([finish, usage.estimated], ['length', true]);
    await quiet();
  });

  test('of silence names the phase', async () => {
    const bytes = streamBytes({ pieces: ['Zürich'] });
    const early = bytes.indexOf('data:', 10) + 3;
    for (const [way, play, phase] of [
      ['whole', silence, 'the whole answer within 0.4 s'],
      ['streamed', silence, 'the first piece within 0.15 s'],
      ['streamed', cut(bytes, early, 'silence'), 'the first piece within 0.15 s'],
    ] as const) {
      const { message } = await failureAt(way, play, HASTY);
      assert.ok(message.includes(phase), message);
      assert.match(message, /Give it longer: modelTimeoutMs/);
    }
  });

  test('with Retry-After is retried after that wait', async () => {
    for (const way of BOTH) {
      const time = new FakeTime();
      server.play(status(429, { 'retry-after': '7' }));
      await generateText(await modelOf({}, time), way);
      assert.ok(time.waits[0]! >= 7000 && time.waits[0]! <= 7700, `${time.waits}`);
    }
  });

  test('that uses up the remaining time is a timeout', async () => {
    for (const way of BOTH) {
      const start = performance.now();
      const error = await failureAt(way, silence, {}, { ...freeCall(), left: () => ({ ms: 40 }) });
      assert.equal(error.code, 'timeout');
      assert.match(error.message, /within 0\.1\d* s/);
      assert.ok(performance.now() - start < 1040);
    }
  });

  test('after text was passed on is not retried', async () => {
    const bytes = streamBytes({ pieces: ['Zürich', ' is'] });
    const error = Buffer.from('data: {"error":{"message":"overloaded","code":503}}\n\n');
    const shown = bytes.indexOf(' is');
    const start = bytes.subarray(0, bytes.lastIndexOf('data:', shown));
    for (const play of [
      streamed(Buffer.concat([start, error])),
      cut(start, start.length, 'reset'),
      cut(start, start.length, 'end'),
    ]) {
      server.reset();
      server.play(play, play);
      const pieces: string[] = [];
      const fault = await failure(async () =>
        (await modelOf()).generate(PROMPT, freeCall(), piece => void pieces.push(piece)),
      );
      assert.deepEqual(pieces, ['Zürich']);
      assert.equal(server.requests.length, 1, fault.message);
      assert.equal(fault.retryable, true);
    }
  });
});

describe('an abort by the user', () => {
  /** Aborts some milliseconds after the request, and returns the time until the server notices. */
  async function seen(way: Way, play: Play, afterMs: number): Promise<number> {
    server.play(play);
    const stop = new AbortController();
    const model = await modelOf({ retries: {} });
    let aborted = 0;
    void (async () => {
      while (server.requests.length === 0) await later(2);
      await later(afterMs);
      aborted = performance.now();
      stop.abort(new Error('enough'));
    })();
    await assert.rejects(generateText(model, way, PROMPT, freeCall(stop.signal)), {
      message: 'enough',
    });
    assert.ok(performance.now() - aborted < 250, 'the caller notices');
    await quiet();
    return performance.now() - aborted;
  }
  const bytes = streamBytes({ pieces: ['Zür', 'ich'] });
  const cases: readonly (readonly [what: string, play: Play])[] = [
    ['before the headers', silence],
    ['in the body', silenceInBody],
    ['in a stream', cut(bytes, bytes.length - 200, 'silence')],
    ['while bytes trickle in', trickle],
  ];
  for (const [what, play] of cases)
    for (const way of BOTH)
      test(`${what}, ${way}: the server notices within 250 ms`, async () => {
        assert.ok((await seen(way, play, 40)) < 250);
        assert.equal(server.requests.length, 1);
      });

  test('ends a wait and starts no attempt', async () => {
    assert.ok((await seen('whole', status(503, { 'retry-after': '30' }), 60)) < 250);
    const model = await modelOf();
    server.reset();
    for (const way of BOTH)
      await assert.rejects(
        generateText(model, way, PROMPT, freeCall(AbortSignal.abort(new Error('before')))),
        { message: 'before' },
      );
    assert.equal(server.requests.length, 0);
  });

  test('after the answer does not affect the next request on the connection', async () => {
    const model = await modelOf();
    for (const way of BOTH) {
      const first = new AbortController();
      await generateText(model, way, PROMPT, freeCall(first.signal));
      server.reset();
      server.play(async (response, requests) => {
        await later(40);
        return replying(SAID)(response, requests);
      });
      const second = generateText(model, way);
      await later(15);
      first.abort();
      assert.equal((await second).completion.text, SAID);
      assert.equal(server.requests.length, 1, 'asked without a retry');
    }
  });
});

describe('a schema', () => {
  const refusal = status(400, {}, '{"error":{"message":"response_format is not supported"}}');
  /** The refusal of the llama-cpp-python server. */
  const failure500 = status(
    500,
    {},
    '{"error":{"message":"1 validation error: loc: (body, response_format, type)"}}',
  );
  const formats = () =>
    server.requests.map(
      ({ body }) =>
        (body as unknown as { response_format?: { type: string } }).response_format?.type,
    );
  const prompt: Prompt = { ...PROMPT, schema: SCHEMA };

  for (const way of BOTH)
    test(`that the server refuses is replaced by JSON mode, and that is remembered (${way})`, async () => {
      for (const refused of [refusal, failure500]) {
        const model = await modelOf();
        server.reset();
        server.play(refused);
        assert.equal((await generateText(model, way, prompt)).completion.text, SAID);
        const { response_format: format } = server.requests[1]!.body as unknown as {
          response_format: unknown;
        };
        assert.deepEqual(format, { type: 'json_object', schema: SCHEMA.schema });
        await generateText(model, way, prompt);
        assert.deepEqual(formats(), ['json_schema', 'json_object', 'json_object']);
        await generateText(model, way);
        assert.equal(formats()[3], undefined);
      }
    });

  for (const way of BOTH)
    test(`that is refused in JSON mode too is omitted from then on (${way})`, async () => {
      const model = await modelOf();
      server.play(failure500, refusal);
      assert.equal((await generateText(model, way, prompt)).completion.text, SAID);
      await generateText(model, way, prompt);
      assert.deepEqual(formats(), ['json_schema', 'json_object', undefined, undefined]);
    });

  test('is kept if the server refuses something else', async () => {
    const model = await modelOf();
    const other = status(400, {}, '{"error":{"message":"no such account"}}');
    server.play(other, other, other);
    assert.match(
      (await failure(() => generateText(model, 'whole', prompt))).message,
      /no such account/,
    );
    await generateText(model, 'whole', prompt);
    assert.deepEqual(formats(), ['json_schema', 'json_object', undefined, 'json_schema']);
    // A prompt that is too long is so without its schema, too.
    server.reset();
    server.play(status(400, {}, '{"error":{"message":"the prompt is too long"}}'));
    const { code } = await failure(() => generateText(model, 'whole', prompt));
    assert.deepEqual([code, formats()], ['context-full', ['json_schema']]);
    // No request is repeated without a schema that it did not have.
    server.reset();
    server.play(refusal);
    await failure(() => generateText(model, 'whole'));
    assert.equal(server.requests.length, 1);
  });

  test('is sent again after other faults', async () => {
    const model = await modelOf();
    server.play(status(500), status(404));
    assert.equal((await failure(() => generateText(model, 'whole', prompt))).code, 'refused');
    assert.deepEqual(formats(), ['json_schema', 'json_schema']);
  });
});

describe('a completion', () => {
  const completionFor = async (play: Play, way: Way = 'whole'): Promise<Completion> => {
    server.play(play);
    return (await generateText(await modelOf(), way)).completion;
  };

  test('has a finish reason', async () => {
    for (const [finish, expected] of [
      ['length', 'length'],
      ['content_filter', 'filtered'],
      ['tool_calls', 'other'],
      ['eos', 'other'],
    ] as const) {
      assert.equal((await completionFor(completion('x', { finish }))).finish, expected);
      const play = streamed({ pieces: ['x'], finish });
      assert.equal((await completionFor(play, 'streamed')).finish, expected);
    }
    assert.equal((await completionFor(completion('x', { finish: null }))).finish, 'other');
    const refused = await completionFor(completion(null, { message: { refusal: 'I cannot.' } }));
    assert.deepEqual([refused.text, refused.finish], ['I cannot.', 'filtered']);
  });

  test('may be empty, and excludes the reasoning of the model', async () => {
    const reasoned = completion('Zürich', { message: { reasoning_content: 'Hm.' } });
    for (const [play, way, text] of [
      [completion(''), 'whole', ''],
      [completion(null), 'whole', ''],
      [streamed({ pieces: [] }), 'streamed', ''],
      [reasoned, 'whole', 'Zürich'],
    ] as const)
      assert.equal((await completionFor(play, way)).text, text);
  });

  test('with missing or impossible token counts is estimated and marked so', async () => {
    // 15 bytes were sent in two messages, 12 received: four bytes per token and eight tokens per
    // message.
    const estimate = { input: 4 + 16, output: 3, estimated: true };
    const text = 'twelve bytes';
    const usageFor = async (usage: unknown): Promise<unknown> =>
      (await completionFor(completion(text, { usage }))).usage;
    for (const [input, output] of [
      [-5, 0],
      [0, 0],
    ])
      assert.deepEqual(
        await usageFor({ prompt_tokens: input, completion_tokens: output }),
        estimate,
      );
    const details = { prompt_tokens_details: { cached_tokens: 16 } };
    assert.deepEqual(await usageFor({ ...USAGE, ...details }), {
      input: 21,
      output: 9,
      reused: 16,
    });
    for (const usage of [undefined, null, {}]) assert.deepEqual(await usageFor(usage), estimate);
    const uncounted = streamed({ pieces: [text], usage: null });
    assert.deepEqual((await completionFor(uncounted, 'streamed')).usage, estimate);
    // No tokenizer makes so many tokens of so few bytes; the other count is accepted. Reasoning
    // counts, up to `maxTokens`.
    for (const [input, output, counted] of [
      [1e12, 5, { ...estimate, output: 5 }],
      [30, 53, { ...estimate, input: 30 }],
      [30, 52, { input: 30, output: 52 }],
    ] as const)
      assert.deepEqual(
        await usageFor({ prompt_tokens: input, completion_tokens: output }),
        counted,
      );
    for (const usage of [{ prompt_tokens: 'many', completion_tokens: 1 }, 'none'])
      assert.equal((await failureAt('whole', completion(text, { usage }))).code, 'malformed');
  });

  test('that is too long is cut and marked so', async () => {
    const model = await modelOf({ limits: { answerBytes: 2e6 } });
    const long = 'é'.repeat(MAX_COMPLETION - 1);
    for (const [text, finish] of [
      [`${long}x`, 'stop'],
      [`${long}xy`, 'length'],
      [`${long}🗼`, 'length'],
    ] as const) {
      server.play(completion(text), streamed({ pieces: [text.slice(0, 1000), text.slice(1000)] }));
      for (const way of BOTH) {
        const { completion: got } = await generateText(model, way);
        assert.equal(got.finish, finish);
        assert.equal(got.text.length, MAX_COMPLETION);
        assert.ok(got.text.isWellFormed());
      }
    }
    await quiet();
  });
});

test('the error of a missing package says what to install', async () => {
  const missing = Object.assign(new Error("Cannot find package '@ai-sdk/openai-compatible'"), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
  const error = await failure(() => modelOf({ load: () => Promise.reject(missing) }));
  assert.equal(error.code, 'missing-package');
  assert.match(error.message, /npm install @ai-sdk\/openai-compatible/);
});

describe('a name', () => {
  const env = { MULTIHOP_API_KEY: CANARY };
  test('openai-compatible:MODEL calls its URL with the key of the environment', async () => {
    const model = await resolveModel('model', 'openai-compatible:org/qwen:4b', {
      env,
      baseUrl: `${server.url}/v1/`,
    });
    assert.equal(model.id, 'openai-compatible:org/qwen:4b');
    await generateText(model, 'whole');
    assert.equal(server.requests[0]!.url, '/v1/chat/completions');
    assert.equal(server.requests[0]!.headers.authorization, `Bearer ${CANARY}`);
    assert.equal(server.requests[0]!.body.model, 'org/qwen:4b');
  });

  test('has a key of its own if another server embeds', async () => {
    const model = await resolveModel('model', 'openai-compatible:m', {
      env: { ...env, MULTIHOP_MODEL_API_KEY: 'mine' },
      baseUrl: server.url,
    });
    await generateText(model, 'whole');
    assert.equal(server.requests[0]!.headers.authorization, 'Bearer mine');
  });

  const refused: readonly (readonly [name: string, says: RegExp | object, baseUrl?: string])[] = [
    ['openai-compatible:m', /Give it: modelUrl of openStore\(\), baseUrl elsewhere\./],
    ['openai-compatible:', { code: 'bad-model' }, 'http://localhost'],
    ['openai-compatibl:m', /Did you mean openai-compatible:\?/],
    [
      'smollm2',
      /hub:ORG\/NAME, openai:MODEL, .*ollama:MODEL, openai-compatible:MODEL, a folder in MULTIHOP_MODELS/,
    ],
    ['bge-small-en-v1.5', /It is an embedder/],
  ];
  for (const [name, says, baseUrl] of refused)
    test(`${name} ${baseUrl ?? ''} is an error that says what to do`, () =>
      assert.rejects(resolveModel('model', name, { env, baseUrl }), says));
});

test('no text of a server that echoes the key contains it', async () => {
  for (const text of [
    CANARY,
    `Your key is ${CANARY}, and again ${CANARY}${CANARY}.`,
    `${CANARY.slice(0, -1)} is not all of it, ${CANARY.slice(0, 5)}`,
  ])
    for (const way of BOTH) {
      server.play(replying(text));
      const { completion } = await generateText(await modelOf(), way);
      assert.equal(completion.text, text.replaceAll(CANARY, '[redacted]'));
    }
});

test('no text or error of a server that echoes a key of its address contains it', async () => {
  const key = 'q1W2-e3R4%2Ft5Y6';
  const echoed = decodeURIComponent(key);
  for (const query of [`api-key=${key}`, `v=1&code=${key}`, `v=1;subscription-key=${key}`, key])
    for (const apiKey of [undefined, CANARY]) {
      const baseUrl = `${server.url}/v1?${query}`;
      const said = `POST /v1?${query} by ${echoed} and ${key}`;
      server.play(replying(said), status(400, {}, JSON.stringify({ error: { message: said } })));
      const model = await modelOf({ baseUrl, apiKey });
      const { completion } = await generateText(model, 'streamed');
      assert.ok(!completion.text.includes(echoed), completion.text);
      const error = await failure(() => generateText(model, 'whole'));
      assert.match(error.message, /redacted/);
      assert.doesNotMatch(error.message, /q1W2|e3R4|t5Y6/);
      server.reset();
    }
});
