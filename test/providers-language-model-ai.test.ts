/**
 * Checks adapters of AI SDK language models against fake models of versions 2 to 4: results are
 * normalised, faults typed.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { PortError } from '../src/core/errors.ts';
import { freeCall } from '../src/core/trace/call.ts';
import type { LanguageModel, Prompt } from '../src/models/language-model.ts';
import { THINKING_TOKENS } from '../src/models/reply-room.ts';
import {
  type AiLanguageModelOptions,
  aiLanguageModel,
} from '../src/providers/ai-language-model.ts';
import type { AiLanguageCall, AiLanguageModel } from '../src/providers/ai-language-shapes.ts';
import { StoppedText } from '../src/providers/stopped-text.ts';
import { apiCallError, FakeTime, failureOf } from './providers-server.ts';

type Version = AiLanguageModel['specificationVersion'];
const VERSIONS = ['v2', 'v3', 'v4'] as const;
const PROMPT: Prompt = {
  role: 'answer',
  messages: [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Where?' },
    { role: 'assistant', text: 'Here.' },
    { role: 'user', text: 'Where else?' },
  ],
  maxTokens: 40,
};

/** Usage and finish reason in the format of each version. */
const usageOf = (
  version: Version,
  input: number | undefined,
  output: number | undefined,
): object =>
  version === 'v2'
    ? { inputTokens: input, outputTokens: output, totalTokens: undefined }
    : {
        inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: output, text: output, reasoning: undefined },
      };
const finishOf = (version: Version, word: string, raw: string | undefined = word): unknown =>
  version === 'v2' ? word : { unified: word, raw };

interface ModelScript {
  readonly text?: readonly string[];
  readonly finish?: unknown;
  readonly usage?: object;
  readonly onRequest?: (options: AiLanguageCall) => void;
}

/** Builds a conforming model. */
function modelOf(
  version: Version,
  { text = ['Zü', 'rich'], finish = finishOf(version, 'stop'), usage, onRequest }: ModelScript = {},
): AiLanguageModel {
  const counts = usage ?? usageOf(version, 12, 3);
  return {
    specificationVersion: version,
    provider: 'test',
    modelId: 'm',
    async doGenerate(options) {
      onRequest?.(options);
      const content = [
        { type: 'reasoning', text: 'Hm.' },
        ...text.map(part => ({ type: 'text', text: part })),
        { type: 'source' },
      ];
      return { content, finishReason: finish, usage: counts, warnings: [] };
    },
    async doStream(options) {
      onRequest?.(options);
      const parts = [
        { type: 'stream-start', warnings: [] },
        { type: 'response-metadata', id: 'x' },
        { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
        { type: 'text-start', id: '1' },
        ...text.map(delta => ({ type: 'text-delta', id: '1', delta })),
        { type: 'text-end', id: '1' },
        { type: 'finish', finishReason: finish, usage: counts },
      ];
      return { stream: ReadableStream.from(parts) };
    },
  };
}

const over = (model: AiLanguageModel, options: AiLanguageModelOptions = {}): LanguageModel =>
  aiLanguageModel(model, {
    limits: { totalMs: 60, firstMs: 30, pieceMs: 30 },
    retries: new FakeTime().retries,
    ...options,
  });

const failure = (work: () => Promise<unknown>): Promise<PortError> => failureOf('model', work);

for (const version of VERSIONS)
  describe(`a model of specification ${version}`, () => {
    test('returns its text, whole and in pieces, without its reasoning, which is counted', async () => {
      const model = over(modelOf(version));
      const pieces: string[] = [];
      const wanted = {
        text: 'Zürich',
        usage: { input: 12, output: 3, thoughts: 1 },
        finish: 'stop',
      };
      assert.deepEqual(await model.generate(PROMPT, freeCall()), wanted);
      assert.deepEqual(
        await model.generate(PROMPT, freeCall(), piece => pieces.push(piece)),
        wanted,
      );
      assert.deepEqual(pieces, ['Zü', 'rich']);
      assert.equal(model.id, 'test:m');
    });

    test('returns its finish reason', async () => {
      for (const [word, wanted] of [
        ['stop', 'stop'],
        ['length', 'length'],
        ['content-filter', 'filtered'],
        ['tool-calls', 'other'],
        ['other', 'other'],
      ] as const) {
        // Version 2 has one string for each; the others also pass on the provider's own.
        const model = over(
          modelOf(version, {
            finish: version === 'v2' && word === 'other' ? 'tool-calls' : finishOf(version, word),
          }),
        );
        assert.equal((await model.generate(PROMPT, freeCall())).finish, wanted);
        assert.equal((await model.generate(PROMPT, freeCall(), () => {})).finish, wanted);
      }
    });

    test('without a finish reason is cut if streamed, and complete otherwise', async () => {
      const unsaid =
        version === 'v2'
          ? ['unknown', undefined]
          : [{ unified: 'other', raw: undefined }, { unified: 'interrupted' }, undefined];
      for (const finish of [...unsaid, finishOf(version, 'error')]) {
        const model = modelOf(version);
        const doGenerate: AiLanguageModel['doGenerate'] = async options => ({
          ...(await model.doGenerate(options)),
          finishReason: finish,
        });
        const doStream: AiLanguageModel['doStream'] = async () => ({
          stream: ReadableStream.from([
            { type: 'text-delta', delta: 'Zü' },
            { type: 'finish', finishReason: finish, usage: {} },
          ]),
        });
        const said = over({ ...model, doGenerate, doStream });
        assert.equal((await said.generate(PROMPT, freeCall())).finish, 'other');
        assert.equal(
          (await failure(() => said.generate(PROMPT, freeCall(), () => {}))).code,
          'incomplete',
        );
      }
    });

    test('with missing counts is estimated', async () => {
      // 31 bytes were sent in four messages and 10 received, 3 of thoughts: four bytes per token
      // and eight tokens per message.
      for (const [counts, wanted] of [
        [
          usageOf(version, undefined, undefined),
          { input: 40, output: 3, thoughts: 1, estimated: true },
        ],
        [
          version === 'v2'
            ? { ...usageOf(version, 12, 3), cachedInputTokens: 8 }
            : { ...usageOf(version, 12, 3), inputTokens: { total: 12, cacheRead: 8 } },
          { input: 12, output: 3, thoughts: 1, reused: 8 },
        ],
        [usageOf(version, 12, undefined), { input: 12, output: 3, thoughts: 1, estimated: true }],
        [usageOf(version, Number.NaN, 3), { input: 40, output: 3, thoughts: 1, estimated: true }],
        [{}, { input: 40, output: 3, thoughts: 1, estimated: true }],
      ] as const)
        assert.deepEqual(
          (await over(modelOf(version, { usage: counts })).generate(PROMPT, freeCall())).usage,
          wanted,
        );
    });
  });

test('requests follow the format of the SDK', async () => {
  const seen: AiLanguageCall[] = [];
  const providerOptions = { openai: { reasoningEffort: 'low' } };
  const model = over(modelOf('v4', { onRequest: options => seen.push(options) }), {
    providerOptions,
  });
  const schema = { name: 'a', schema: { type: 'object' } };
  await model.generate({ ...PROMPT, stop: ['\n'], seed: 3, schema }, freeCall());
  await model.generate({ ...PROMPT, stop: [] }, freeCall(), () => {});
  // Room for thoughts, since the first reply had one.
  const roomy = 40 + THINKING_TOKENS;
  const text = (said: string) => [{ type: 'text', text: said }];
  const prompt = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: text('Where?') },
    { role: 'assistant', content: text('Here.') },
    { role: 'user', content: text('Where else?') },
  ];
  const plain = { prompt, maxOutputTokens: 40, temperature: 0, providerOptions };
  assert.deepEqual(
    seen.map(({ abortSignal: _, ...options }) => options),
    [
      { ...plain, stopSequences: ['\n'], seed: 3, responseFormat: { type: 'json', ...schema } },
      { ...plain, maxOutputTokens: roomy },
    ],
  );
  assert.match(model.id, /^test:m-[0-9a-f]{8}$/);
});

test('a provider that refuses schemas is called without one, and that is remembered', async () => {
  const unsupported = Object.assign(new Error("'response format' functionality not supported."), {
    name: 'AI_UnsupportedFunctionalityError',
  });
  for (const refusal of [unsupported, apiCallError(400), apiCallError(422)]) {
    const formats: unknown[] = [];
    const model = over(
      modelOf('v3', {
        onRequest({ responseFormat }) {
          formats.push(responseFormat?.type);
          if (responseFormat) throw refusal;
        },
      }),
    );
    const prompt = { ...PROMPT, schema: { name: 'a', schema: {} } };
    assert.equal((await model.generate(prompt, freeCall())).text, 'Zürich');
    assert.equal((await model.generate(prompt, freeCall(), () => {})).text, 'Zürich');
    assert.deepEqual(formats, ['json', undefined, undefined]);
  }
});

test('anything else is refused', () => {
  for (const wrong of [
    { ...modelOf('v2'), specificationVersion: 'v1' },
    'openai:gpt',
    undefined,
    null,
    {},
  ])
    assert.throws(() => aiLanguageModel(wrong as AiLanguageModel), { code: 'bad-model' });
});

describe('a fault', () => {
  const never = new Promise<never>(() => {});
  const hearing = ({ abortSignal }: AiLanguageCall): Promise<never> =>
    new Promise((_, no) => abortSignal.addEventListener('abort', () => no(abortSignal.reason)));
  const refusal = (status: number | undefined, more?: object) => (): Promise<never> =>
    Promise.reject(apiCallError(status, more));
  const broken = (code: string): Error => Object.assign(new Error(), { code });
  const offline = new TypeError('fetch failed', { cause: broken('ENOTFOUND') });
  const looped = new Error('round');
  looped.cause = looped;
  const faults: readonly (readonly [
    what: string,
    work: (options: AiLanguageCall) => Promise<never>,
    code: string,
    calls: number,
  ])[] = [
    ['401', refusal(401), 'unauthorized', 1],
    ['400', refusal(400), 'refused', 1],
    ['429', refusal(429), 'rate-limited', 3],
    ['500', refusal(500), 'server', 3],
    ['a reset', refusal(200, { cause: broken('ECONNRESET') }), 'unreachable', 3],
    ['a transient failure', refusal(undefined, { isRetryable: true }), 'failed', 3],
    ['a failure', () => Promise.reject(new Error('canary-0123456789-abcdefgh')), 'failed', 1],
    ['no such host', () => Promise.reject(offline), 'unreachable', 1],
    [
      'an immediate failure',
      () => {
        throw new Error('key canary-0123456789-abcdefgh');
      },
      'failed',
      1,
    ],
    ['no error at all', () => Promise.reject(undefined), 'failed', 1],
    ['an answer that is none', refusal(200), 'malformed', 1],
    ['a loop of causes', () => Promise.reject(looped), 'failed', 1],
    ['one that hears nothing', () => never, 'timeout', 1],
    ['one that hears its signal', hearing, 'timeout', 1],
    ['nothing', async () => undefined as never, 'malformed', 1],
    ['another shape', async () => ({ text: 'x' }) as never, 'malformed', 1],
  ];
  for (const [what, work, code, calls] of faults)
    test(`${what}: ${code}, ${calls} calls`, async () => {
      let count = 0;
      const counting = (options: AiLanguageCall): Promise<never> => {
        count++;
        return work(options);
      };
      const model = over({ ...modelOf('v4'), doGenerate: counting, doStream: counting });
      const error = await failure(() => model.generate(PROMPT, freeCall()));
      assert.deepEqual([error.code, count], [code, calls], error.message);
      if (code === 'malformed') return;
      count = 0;
      const streamed = await failure(() => model.generate(PROMPT, freeCall(), () => {}));
      assert.deepEqual([streamed.code, count], [code, calls], streamed.message);
    });

  const text = (delta: string): object => ({ type: 'text-delta', id: '1', delta });
  const error = (value: unknown): object => ({ type: 'error', error: value });
  const start = { type: 'stream-start' };
  const reset = broken('ECONNRESET');
  const invalid = [null, 5, { type: 'text-delta' }, { type: 'text-delta', delta: 5 }] as object[];
  const transient = error(apiCallError(503));
  /** Parts of a stream, after which it ends, stays silent, or breaks. */
  const streams: readonly (readonly [
    what: string,
    parts: readonly object[],
    then: 'end' | 'hang' | Error,
    code: string,
    calls: number,
  ])[] = [
    ['that ends without an end', [text('x')], 'end', 'incomplete', 1],
    ['that ends before it begins', [start], 'end', 'incomplete', 3],
    ['that breaks', [text('x')], reset, 'unreachable', 1],
    ['that breaks before it begins', [], reset, 'unreachable', 3],
    ['that hangs before it begins', [start], 'hang', 'timeout', 1],
    ['of an error', [error({ message: 'canary-0123456789-abc' })], 'hang', 'failed', 1],
    ['of an error in words', [error('busy')], 'end', 'failed', 1],
    ['of an error that may pass', [transient], 'hang', 'server', 3],
    ['of a transient error, after text', [text('x'), transient], 'hang', 'server', 1],
    ['of invalid parts', invalid, 'end', 'incomplete', 3],
  ];
  for (const [what, parts, then, code, calls] of streams)
    test(`a stream ${what}: ${code}, ${calls} calls`, async () => {
      let count = 0;
      const stream = async function* (): AsyncGenerator<object> {
        count++;
        yield* parts;
        if (then === 'hang') await never;
        if (then instanceof Error) throw then;
      };
      const doStream = async () => ({ stream: ReadableStream.from(stream()) });
      const model = over({ ...modelOf('v4'), doStream });
      const start = performance.now();
      const fault = await failure(() => model.generate(PROMPT, freeCall(), () => {}));
      assert.deepEqual([fault.code, count], [code, calls], fault.message);
      assert.ok(performance.now() - start < 1000);
    });

  test('ends for its reader: later text of the model is dropped', async () => {
    const received: string[] = [];
    let stopped = false;
    const doStream = async () => ({
      stream: new ReadableStream({
        async pull(controller) {
          await new Promise(resolve => setTimeout(resolve, 10));
          controller.enqueue(text('x'));
        },
        cancel() {
          stopped = true;
        },
      }),
    });
    const model = over({ ...modelOf('v4'), doStream }, { limits: { totalMs: 45 } });
    const { text: kept, cut } = await model.generate(PROMPT, freeCall(), piece =>
      received.push(piece),
    );
    assert.deepEqual([kept, cut], [received.join(''), { ms: 45 }]);
    const count = received.length;
    await new Promise(resolve => setTimeout(resolve, 60));
    assert.equal(received.length, count);
    assert.ok(stopped, 'its stream is cancelled');
  });

  test('an abort ends a call of a model that hears nothing, with its reason', async () => {
    const stop = new AbortController();
    const deaf = over(
      { ...modelOf('v4'), doGenerate: () => never, doStream: () => never },
      { limits: {} },
    );
    setTimeout(() => stop.abort(new Error('enough')), 10);
    for (const onText of [undefined, () => {}])
      await assert.rejects(deaf.generate(PROMPT, freeCall(stop.signal), onText), {
        message: 'enough',
      });
  });
});

test('a text that ends before the first of some stops does not depend on its division into pieces', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 });
  fc.assert(
    fc.property(
      word,
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 0, maxLength: 4 }), {
        maxLength: 3,
      }),
      fc.nat(),
      (text, stops, seed) => {
        const pieces: string[] = [];
        const said = new StoppedText(stops, piece => pieces.push(piece));
        for (let at = 0, size = 1 + (seed % 5); at < text.length; at += size)
          said.push(text.slice(at, at + size));
        said.end();
        // Slow oracle: the earliest place of any stop.
        const places = stops
          .filter(stop => stop !== '')
          .map(stop => text.indexOf(stop))
          .filter(at => at >= 0);
        const wanted = places.length > 0 ? text.slice(0, Math.min(...places)) : text;
        assert.equal(said.text, wanted);
        assert.equal(pieces.join(''), wanted);
        assert.equal(said.stopped, places.length > 0);
      },
    ),
    { numRuns: 5000 },
  );
});
