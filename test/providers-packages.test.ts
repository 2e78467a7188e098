/**
 * Checks models of hosted providers by name, through their packages for the AI SDK, over servers
 * that answer in the shapes of each API; and models of the AI SDK wherever a program gives one.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { createGroq } from '@ai-sdk/groq';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { InputError, PortError } from '../src/core/errors.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { ask, ingest, openStore } from '../src/index.ts';
import type { Prompt } from '../src/models/language-model.ts';
import { MODEL_SERVERS } from '../src/providers/model-servers.ts';
import { resolveModel } from '../src/providers/resolve-model.ts';
import { freshFolder } from './fresh-folder.ts';
import { completion, replying, streamed, USAGE } from './providers-language-server.ts';
import {
  CANARY,
  embeddings,
  FakeTime,
  failureOf,
  json,
  ModelServer,
  type Play,
  sound,
  status,
} from './providers-server.ts';

const SAID = 'To port 3.';
let play: Play = sound;
let server: ModelServer;
before(async () => {
  server = await ModelServer.start((response, request) => play(response, request));
});
after(() => server.stop());
const notes: string[] = [];
afterEach(() => {
  server.reset();
  notes.length = 0;
});

const PROMPT: Prompt = {
  role: 'answer',
  messages: [
    { role: 'system', text: 'Answer briefly.' },
    { role: 'user', text: 'Where does the ferry sail?' },
  ],
  maxTokens: 400,
  temperature: 0,
};
const named = (name: string, more: object = {}) =>
  resolveModel('model', name, {
    env: { MULTIHOP_MODEL_API_KEY: CANARY },
    baseUrl: `${server.url}/base`,
    endpoint: { retries: new FakeTime().retries, onNote: text => void notes.push(text) },
    ...more,
  });

const events = (...all: readonly object[]): Play =>
  streamed(
    Buffer.from(
      all
        .map(event => {
          const { type } = event as { type?: string };
          return `${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(event)}\n\n`;
        })
        .join(''),
    ),
  );

const response = (more: object): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_760_000_000,
  model: 'served',
  status: 'completed',
  error: null,
  incomplete_details: null,
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: SAID, annotations: [] }],
    },
  ],
  usage: { input_tokens: 21, output_tokens: 9, total_tokens: 30 },
  ...more,
});
const google = {
  candidates: [{ content: { role: 'model', parts: [{ text: SAID }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 21, candidatesTokenCount: 9, totalTokenCount: 30 },
};
const anthropic = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'served',
  content: [{ type: 'text', text: SAID }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 21, output_tokens: 9 },
};

/** The name, the path of requests, the header of the key, and the answers whole and streamed. */
const PROVIDERS: readonly (readonly [string, RegExp, string, Play, Play])[] = [
  [
    'openai:served',
    /^\/base\/responses$/,
    'authorization',
    json(response({})),
    events(
      { type: 'response.created', response: response({ status: 'in_progress', output: [] }) },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'in_progress',
          content: [],
        },
      },
      {
        type: 'response.output_text.delta',
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        delta: SAID,
      },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: SAID, annotations: [] }],
        },
      },
      { type: 'response.completed', response: response({}) },
    ),
  ],
  [
    'anthropic:served',
    /^\/base\/messages$/,
    'x-api-key',
    json(anthropic),
    events(
      { type: 'message_start', message: { ...anthropic, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: SAID } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 9 },
      },
      { type: 'message_stop' },
    ),
  ],
  [
    'google:served',
    /^\/base\/models\/served:(?:streamG|g)enerateContent/,
    'x-goog-api-key',
    json(google),
    events(google),
  ],
  ...['mistral', 'groq', 'openrouter'].map(
    scheme =>
      [
        `${scheme}:served`,
        /^\/base\/chat\/completions$/,
        'authorization',
        completion(SAID),
        streamed({ pieces: ['To port ', '3.'], usage: scheme === 'mistral' ? null : USAGE }),
      ] as const,
  ),
];

describe('a provider by name', () => {
  for (const [name, path, header, whole, stream] of PROVIDERS)
    test(`${name}: asks its API with its key, whole and streamed`, async () => {
      const model = await named(name);
      server.play(whole, stream);
      const first = await model.generate(PROMPT, freeCall());
      let shown = '';
      const second = await model.generate(PROMPT, freeCall(), piece => {
        shown += piece;
      });
      for (const { text, usage, finish } of [first, second]) {
        assert.deepEqual([text, finish], [SAID, 'stop']);
        assert.ok(usage.output > 0);
      }
      assert.equal(shown, SAID);
      for (const { url, headers } of server.requests) {
        assert.match(url, path);
        assert.ok(String(headers[header]).includes(CANARY));
      }
    });

  for (const [name] of PROVIDERS)
    test(`${name}: a fault is a typed error without the key`, async () => {
      play = status(401, {}, JSON.stringify({ error: { message: `bad key ${CANARY}` } }));
      const model = await named(name);
      const error = await failureOf('model', () => model.generate(PROMPT, freeCall()));
      assert.equal(error.code, 'unauthorized');
      server.reset();
      play = status(529, {}, '{"error":{"message":"Overloaded","type":"overloaded_error"}}');
      assert.match(
        (await failureOf('model', () => model.generate(PROMPT, freeCall()))).message,
        /529.*3 attempts/,
      );
    });

  test('that refuses a parameter is asked without it', async () => {
    play = (answer, request) =>
      ('temperature' in request.body
        ? status(
            400,
            {},
            `{"type":"error","error":{"type":"invalid_request_error","message":"\`temperature\` is deprecated for this model."}}`,
          )
        : json(anthropic))(answer, request);
    const model = await named('anthropic:served');
    assert.equal((await model.generate(PROMPT, freeCall())).text, SAID);
    assert.match(notes.join(), /refuses the parameter temperature/);
  });

  test('takes options under the names of its package', async () => {
    server.play(json(response({})));
    const modelOptions = { reasoningEffort: 'low', top_p: 0.5 };
    const model = await named('openai:o4-mini', { modelOptions });
    await model.generate(PROMPT, freeCall());
    const { reasoning } = server.requests[0]!.body as unknown as { reasoning: object };
    assert.deepEqual(reasoning, { effort: 'low' });
    assert.match(model.id, /^openai:o4-mini-/);
  });

  test('embeds', async () => {
    play = embeddings;
    const embedder = await resolveModel('embedder', 'openai:text-embedding-3-small', {
      env: { MULTIHOP_API_KEY: CANARY },
      baseUrl: server.url,
    });
    assert.equal(embedder.id, 'openai:text-embedding-3-small@64');
    assert.equal((await embedder.embed(['Ferry'], 'passage', freeCall())).length, 1);
  });

  test('without a key says which variable to set, before any request', async () => {
    for (const { scheme, key, opens } of MODEL_SERVERS) {
      if (!key || !opens.model || scheme === 'openrouter') continue;
      const error = await resolveModel('model', `${scheme}:served`, { env: {} }).catch(e => e);
      assert.ok(InputError.is(error), String(error));
      assert.equal(error.code, 'no-model-key');
      assert.ok(error.message.includes(key.variables[0]!));
    }
  });

  test('takes its own key before that of other models, and none of them at another address', async () => {
    let sent = '';
    const load = async (): Promise<unknown> => ({
      createGroq(settings: { apiKey: string }) {
        sent = settings.apiKey;
        return createGroq(settings);
      },
    });
    const env = { GROQ_API_KEY: 'own', MULTIHOP_MODEL_API_KEY: 'other' };
    await resolveModel('model', 'groq:m', { env, load });
    assert.equal(sent, 'own');
    await resolveModel('model', 'groq:m', { env, load, baseUrl: 'http://localhost:1/v1' });
    assert.equal(sent, 'other');
  });

  test('whose package is missing says what to install', async () => {
    const load = async (): Promise<unknown> => {
      throw Object.assign(new Error("Cannot find package '@ai-sdk/mistral'"), {
        code: 'ERR_MODULE_NOT_FOUND',
      });
    };
    const error = await named('mistral:m', { load }).catch(e => e);
    assert.ok(PortError.is(error));
    assert.match(error.message, /npm install @ai-sdk\/mistral/);
  });
});

describe('a model of the AI SDK', () => {
  const sdk = () =>
    createOpenAICompatible({ name: 'local', baseURL: `${server.url}/v1` }).chatModel('served');
  const TEXTS = ['Ada Lovelace wrote the first program.', 'Charles built the engine.'];
  const QUESTION = 'Who wrote the first program?';

  test('answers in memory, for a store, and for one question of a store', async () => {
    play = replying('Ada Lovelace [1].');
    const engine = await ingest(TEXTS);
    const inMemory = await ask(QUESTION, { engine, model: sdk() });
    await using store = await openStore(freshFolder(), { model: sdk(), env: {} });
    await store.ingest(TEXTS);
    await using plain = await openStore(freshFolder(), { env: {} });
    await plain.ingest(TEXTS);
    for (const trace of [
      inMemory,
      await store.ask(QUESTION),
      await plain.ask(QUESTION, { model: sdk() }),
    ])
      assert.match(JSON.stringify(trace.answer), /Ada Lovelace/);
    assert.equal(server.requests.length, 3);
  });

  test('of a store takes its options', async () => {
    play = replying('Ada Lovelace [1].');
    const modelOptions = { top_k: 5 };
    await using store = await openStore(freshFolder(), { model: sdk(), modelOptions, env: {} });
    await store.ingest(TEXTS);
    await store.ask(QUESTION);
    assert.equal((server.requests[0]!.body as unknown as { top_k: number }).top_k, 5);
  });

  test('that is none is refused', async () => {
    const engine = await ingest(TEXTS);
    const model = { ...sdk(), specificationVersion: 'v1', doGenerate: undefined } as never;
    await assert.rejects(async () => ask(QUESTION, { engine, model }), { code: 'bad-model' });
  });
});

describe('what a provider by name is sent', () => {
  test('options in the words of its API', async () => {
    const model = await named('openai:gpt-5', { modelOptions: { reasoning_effort: 'low' } });
    server.play(json(response({})));
    await model.generate(PROMPT, freeCall());
    const { reasoning } = server.requests[0]!.body as { reasoning?: object };
    assert.deepEqual(reasoning, { effort: 'low' });
  });

  test('options at any depth, in their words and with their values', async () => {
    const budget = { type: 'enabled', budget_tokens: 2000 };
    const rows: readonly (readonly [string, Play, options: object, sent: object])[] = [
      ['anthropic:served', json(anthropic), { thinking: budget }, { thinking: budget }],
      [
        'anthropic:served',
        json(anthropic),
        { top_k: 20, fresh_field: [1] },
        { top_k: 20, fresh_field: [1] },
      ],
      [
        'openai:gpt-5',
        json(response({})),
        { metadata: { my_key: 'a' } },
        { metadata: { my_key: 'a' } },
      ],
      [
        'openai:gpt-5',
        json(response({})),
        { max_tokens: 77, top_p: 0.5 },
        { max_output_tokens: 77, top_p: 0.5 },
      ],
      [
        'openai:gpt-5',
        json(response({})),
        { reasoning: { effort: 'high' } },
        { reasoning: { effort: 'high' } },
      ],
      ['openai:gpt-4o', json(response({})), { max_tokens: null }, { max_output_tokens: undefined }],
      [
        'openai:gpt-4o',
        json(response({})),
        { temperature: null, x: { y_z: 0 } },
        { temperature: undefined, x: { y_z: 0 } },
      ],
      [
        'mistral:served',
        completion(SAID),
        { safe_prompt: true, random_seed: 3 },
        { safe_prompt: true, random_seed: 3 },
      ],
      [
        'groq:served',
        completion(SAID),
        { reasoning_effort: 'none', service_tier: 'flex' },
        { reasoning_effort: 'none', service_tier: 'flex' },
      ],
    ];
    for (const [name, play, modelOptions, sent] of rows) {
      server.play(play);
      await (await named(name, { modelOptions })).generate(PROMPT, freeCall());
      const body = server.requests.at(-1)!.body as unknown as Record<string, unknown>;
      for (const [field, value] of Object.entries(sent))
        assert.deepEqual(body[field], value, `${name} ${JSON.stringify(modelOptions)}`);
    }
    assert.deepEqual(notes, []);
  });

  test('options of Google at their place', async () => {
    for (const thinking_config of [{ thinking_budget: 0 }, { thinkingBudget: 0 }]) {
      const model = await named('google:served', { modelOptions: { thinking_config, top_k: 9 } });
      server.play(json(google));
      await model.generate(PROMPT, freeCall());
      const { generationConfig } = server.requests.at(-1)!.body as unknown as {
        generationConfig: { topK: number; thinkingConfig: object };
      };
      assert.equal(generationConfig.topK, 9);
      assert.deepEqual(generationConfig.thinkingConfig, thinking_config);
    }
  });

  test('no option of its package that requests do not hold, and a note says so once', async () => {
    const model = await named('openai:gpt-5', { modelOptions: { reasoningEfort: 'low' } });
    server.play(json(response({})), json(response({})));
    await model.generate(PROMPT, freeCall());
    await model.generate(PROMPT, freeCall());
    assert.deepEqual(notes, [
      'The request does not hold the option reasoningEfort: only @ai-sdk/openai may read it',
    ]);
  });

  test('schemas without oneOf', async () => {
    const kinds = [{ type: 'string' }, { type: 'null' }];
    const properties = { day: { oneOf: kinds } };
    const schema = { type: 'object', properties, required: ['day'], additionalProperties: false };
    const model = await named('openrouter:served');
    server.play(completion('{"day": null}'));
    await model.generate({ ...PROMPT, schema: { name: 'days', schema } }, freeCall());
    const body = JSON.stringify(server.requests[0]!.body);
    assert.ok(!body.includes('oneOf') && body.includes('"anyOf":[{"type":"string"}'), body);
  });
});

describe('a key of a provider', () => {
  const env = { OPENAI_API_KEY: CANARY };

  test('goes to no other address, and the error names what does', async () => {
    await assert.rejects(named('openai:gpt-5', { env }), (error: unknown) => {
      assert.ok(InputError.is(error) && error.message.includes('MULTIHOP_MODEL_API_KEY'));
      return !error.message.includes('OPENAI_API_KEY');
    });
  });

  test('is used for an embedder that only the record of a store names if its origin is allowed', async () => {
    const recorded = (more: object) =>
      resolveModel('embedder', 'openai:text-embedding-3-small', {
        env: { ...env, ...more },
        recorded: true,
      });
    await assert.rejects(
      recorded({}),
      (error: unknown) => InputError.is(error) && error.code === 'recorded-address',
    );
    // Nobody answers there in a test: the address was called.
    await assert.rejects(
      recorded({ MULTIHOP_ALLOWED_ORIGINS: 'https://api.openai.com' }),
      (error: unknown) => PortError.is(error),
    );
  });
});
