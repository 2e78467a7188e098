/**
 * Checks that models get what they take: a parameter that a refusal names is renamed or left out
 * once, requests are halved, and both are remembered and said.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { BudgetReached, freeCall } from '../src/core/trace/call.ts';
import { Ledger } from '../src/core/trace/ledger.ts';
import type { LanguageModel, Prompt } from '../src/models/language-model.ts';
import { numbersAmong, objectOf } from '../src/models/reply-schema.ts';
import { reservedModel } from '../src/models/reserved-model.ts';
import { aiLanguageModel } from '../src/providers/ai-language-model.ts';
import { jinaReranker, teiReranker } from '../src/providers/http-rerankers.ts';
import { openAiCompatibleEmbedder } from '../src/providers/openai-compatible-embedder.ts';
import { openAiCompatibleModel } from '../src/providers/openai-compatible-language-model.ts';
import { completion, streamed } from './providers-language-server.ts';
import { embeddings, FakeTime, json, ModelServer, type Play, status } from './providers-server.ts';

let play: Play = () => {};
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

type Body = Readonly<Record<string, unknown>>;
const sent = (): Body[] => server.requests.map(({ body }) => body as unknown as Body);
const names = (at: number): string[] =>
  Object.keys(sent()[at]!).filter(name => name !== 'model' && name !== 'messages');

/** Refuses a request that holds the parameter, in the words of some server. */
type Refuses = (body: Body) => readonly [status: number, answer: unknown] | undefined;
const answering =
  (text: string, ...rules: readonly Refuses[]): Play =>
  (response, request) => {
    const body = request.body as unknown as Body;
    const refusal = rules.map(rule => rule(body)).find(one => one !== undefined);
    const words = (answer: unknown): string =>
      typeof answer === 'string' ? answer : JSON.stringify(answer);
    if (refusal) return status(refusal[0], {}, words(refusal[1]))(response, request);
    const pieces = text.match(/.{1,7}/gsu) ?? [];
    return (body['stream'] ? streamed({ pieces }) : completion(text))(response, request);
  };
const has =
  (name: string, code: number, answer: unknown): Refuses =>
  body =>
    body[name] === undefined ? undefined : [code, answer];

const PROMPT: Prompt = {
  role: 'answer',
  messages: [{ role: 'user', text: 'Where does the ferry sail, and at which temperature?' }],
  maxTokens: 40,
  stop: ['###'],
  seed: 7,
};
const SCHEMA = { name: 'answer', schema: { type: 'object', properties: {} } };
const direct = (more: object = {}): Promise<LanguageModel> =>
  openAiCompatibleModel({
    baseUrl: `${server.url}/v1`,
    model: 'served',
    retries: new FakeTime().retries,
    onNote: (text: string) => void notes.push(text),
    ...more,
  });
const overSdk = async (): Promise<LanguageModel> =>
  aiLanguageModel(
    createOpenAICompatible({ name: 'local', baseURL: `${server.url}/v1` }).chatModel('served'),
    { onNote: text => void notes.push(text), retries: new FakeTime().retries },
  );
const said = async (
  model: LanguageModel,
  isStreamed: boolean,
  prompt = PROMPT,
): Promise<string> => {
  const pieces: string[] = [];
  const pass = (piece: string): void => void pieces.push(piece);
  const { text } = await model.generate(prompt, freeCall(), isStreamed ? pass : undefined);
  if (isStreamed) assert.equal(pieces.join(''), text);
  return text;
};

const REASONING: readonly Refuses[] = [
  has(
    'max_tokens',
    400,
    `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`,
  ),
  body =>
    body['temperature'] === undefined || body['temperature'] === 1
      ? undefined
      : [
          400,
          `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.","param":"temperature","code":"unsupported_value"}}`,
        ],
  has('stop', 400, '{"error":{"message":"Argument not supported on this model: stop"}}'),
];

for (const [way, make] of [
  ['by its address', direct],
  ['over the AI SDK', overSdk],
] as const)
  for (const isStreamed of [false, true])
    test(`a model that reasons is asked as it takes it, ${way}${isStreamed ? ', streamed' : ''}`, async () => {
      play = answering('To port 3. ### And more.', ...REASONING);
      const model = await make();
      assert.equal(await said(model, isStreamed), 'To port 3. ');
      assert.equal(server.requests.length, 4);
      assert.equal(sent()[3]!['max_completion_tokens'], 40);
      assert.equal(sent()[3]!['seed'], 7);
      assert.ok(!('max_tokens' in sent()[3]!) && !('temperature' in sent()[3]!));
      assert.equal(await said(model, isStreamed), 'To port 3. ');
      assert.deepEqual(sent()[4], sent()[3], 'remembered');
      assert.equal(notes.length, 3, notes.join('\n'));
      assert.match(notes[0]!, /refuses the parameter max_tokens: .* max_completion_tokens instead/);
    });

describe('a refusal names a parameter', () => {
  const words: readonly (readonly [string, string, number, answer: string])[] = [
    [
      'as Mistral does',
      'seed',
      422,
      '{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted","input":7}]}}',
    ],
    [
      'as vLLM does',
      'stop',
      400,
      `{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'stop'), 'msg': 'Extra inputs are not permitted', 'input': ['seed']}]","code":400}`,
    ],
    [
      'as Groq does',
      'seed',
      400,
      `{"error":{"message":"property 'seed' is unsupported, did you mean 'stop'?"}}`,
    ],
    ['in plain text', 'seed', 400, 'json: unknown field "seed"'],
    [
      'with what else it knows',
      'seed',
      422,
      '{"detail":"unknown field `seed`, expected one of `model`, `temperature`, `stop`"}',
    ],
    [
      'with the request that it quotes',
      'stop',
      422,
      '{"detail":[{"loc":["body"],"msg":"stop: Extra inputs are not permitted","input":{"temperature":0,"seed":7}}]}',
    ],
    [
      'as Google does',
      'stop',
      400,
      `{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \\"stop_sequences\\" at 'generation_config': Cannot find field.","status":"INVALID_ARGUMENT"}}`,
    ],
    [
      'as Anthropic does',
      'temperature',
      400,
      `{"type":"error","error":{"type":"invalid_request_error","message":"\`temperature\` is deprecated for this model."}}`,
    ],
    [
      'as TGI does',
      'temperature',
      422,
      '{"error":"Input validation error: `temperature` must be strictly positive","error_type":"validation"}',
    ],
    [
      'as a failure of a gateway',
      'seed',
      500,
      `{"error":{"message":"litellm.UnsupportedParamsError: watsonx does not support parameters: {'seed': 7}","code":"500"}}`,
    ],
    [
      'through a gateway',
      'temperature',
      400,
      `{"error":{"message":"openai does not support parameters: ['temperature'], for model=m","param":"None","code":"400"}}`,
    ],
  ];
  for (const [what, name, code, answer] of words)
    test(`${what}: only that one is left out`, async () => {
      play = answering('To port 3.', has(name, code, answer));
      assert.equal(await said(await direct(), false), 'To port 3.');
      assert.equal(server.requests.length, 2);
      assert.deepEqual(
        names(1),
        names(0).filter(one => one !== name),
      );
    });

  test('of its streams: they go without it, or the text comes whole', async () => {
    const usage = "Extra inputs are not permitted, field: 'stream_options'";
    play = answering('To port 3.', has('stream_options', 400, { error: { message: usage } }));
    assert.equal(await said(await direct(), true), 'To port 3.');
    assert.equal(sent()[1]!['stream'], true);
    const verified = {
      message: 'Your organization must be verified to stream this model.',
      param: 'stream',
    };
    play = answering('To port 3.', has('stream', 400, { error: verified }));
    assert.equal(await said(await direct(), true), 'To port 3.');
    assert.ok(!('stream' in sent().at(-1)!));
  });

  test('that the caller gave among the options of the provider', async () => {
    play = answering('To port 3.', has('top_p', 400, { error: { message: '`top_p`: unknown' } }));
    const options = { openaiCompatible: { top_p: 0.5, min_p: 0.1 } };
    await said(await direct({ providerOptions: options }), false);
    assert.ok(!('top_p' in sent()[1]!) && sent()[1]!['min_p'] === 0.1);
  });

  test('beside a schema, which is sent on', async () => {
    play = answering('{}', ...REASONING);
    const model = await direct();
    await said(model, false, { ...PROMPT, schema: SCHEMA });
    assert.equal(server.requests.length, 4);
    assert.ok(sent().every(body => 'response_format' in body));
  });

  test('under both of its names: it is left out, and what the reply used is charged', async () => {
    const rules = ['max_tokens', 'max_completion_tokens'].map(name =>
      has(name, 400, { error: { message: `Unrecognized request argument supplied: ${name}` } }),
    );
    const signal = freeCall().signal;
    const ledger = new Ledger({ budget: { modelTokens: 400 }, signal, clock: () => 0 });
    const model = reservedModel(await direct(), ledger);
    const usage = { prompt_tokens: 12, completion_tokens: 900, total_tokens: 912 };
    const refusing = answering('x', ...rules);
    server.play(refusing, refusing, completion('To port 3.', { usage }));
    await model.generate(PROMPT, freeCall());
    assert.deepEqual(ledger.spent, { modelCalls: 1, modelTokens: 912 });
    await assert.rejects(model.generate(PROMPT, freeCall()), BudgetReached);
    assert.equal(server.requests.length, 3);
  });

  test('whose value is too large: it is left out of that request alone where no room is left', async () => {
    const large = "'max_tokens' or 'max_completion_tokens' is too large";
    play = answering('To port 3.', body =>
      Number(body['max_tokens']) > 100 ? [400, { error: { message: large } }] : undefined,
    );
    const model = await direct();
    await said(model, false, { ...PROMPT, maxTokens: 400 });
    await said(model, false);
    assert.deepEqual(
      sent().map(body => body['max_tokens']),
      [400, undefined, 40],
    );
    assert.deepEqual(notes, []);
  });

  const tooLarge: readonly (readonly [
    string,
    (asked: number) => string,
    most: number,
    later: number,
  ])[] = [
    [
      'vLLM',
      asked =>
        `'max_tokens' or 'max_completion_tokens' is too large: ${asked}. This model's maximum context length is 4096 tokens and your request has 300 input tokens (${asked} > 4096 - 300).`,
      3796,
      3796,
    ],
    [
      'vLLM, whose prompt takes most of the context',
      asked =>
        `'max_tokens' or 'max_completion_tokens' is too large: ${asked}. This model's maximum context length is 4096 tokens and your request has 3500 input tokens (${asked} > 4096 - 3500).`,
      596,
      2048,
    ],
    [
      'OpenAI, earlier',
      asked =>
        `This model's maximum context length is 4096 tokens. However, you requested ${asked + 300} tokens (300 in the messages, ${asked} in the completion). Please reduce the length of the messages or completion.`,
      3796,
      3796,
    ],
    [
      'OpenAI',
      asked =>
        `max_tokens is too large: ${asked}. This model supports at most 4096 completion tokens, whereas you provided ${asked}.`,
      4096,
      4096,
    ],
    [
      'DeepSeek',
      () => 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
      8192,
      8192,
    ],
    [
      'Anthropic',
      asked =>
        `input length and \`max_tokens\` exceed context limit: 3000 + ${asked} > 8000, decrease input length or \`max_tokens\` and try again`,
      5000,
      5000,
    ],
    [
      'TGI',
      asked =>
        `\`inputs\` tokens + \`max_new_tokens\` must be <= 4096. Given: 300 \`inputs\` tokens and ${asked} \`max_new_tokens\``,
      3796,
      3796,
    ],
    ['nobody', asked => `max_tokens is too large: ${asked}`, 4608, 4608],
  ];
  for (const [who, says, most, later] of tooLarge)
    test(`too large a number in the words of ${who}: a shorter reply is asked for, now and later`, async () => {
      play = answering('To port 3.', body => {
        const asked = Number(body['max_tokens']);
        return asked > most || !(asked > 0)
          ? [400, { error: { message: says(asked) } }]
          : undefined;
      });
      const model = await direct();
      await said(model, false, { ...PROMPT, maxTokens: 9216 });
      play = answering('To port 3.');
      assert.equal(model.replyTokens!(9216), later, 'a budget reserves no more');
      await said(model, false, { ...PROMPT, maxTokens: 9216 });
      await said(model, false);
      assert.deepEqual(
        sent().map(body => body['max_tokens']),
        [9216, most, later, 40],
      );
      assert.deepEqual(
        notes.map(note => note.replace(/^.* refuses/, '')),
        [` longer replies: requests ask for at most ${later} tokens from now on`],
      );
    });
});

describe('a role of the system that a model refuses', () => {
  const CHAT: Prompt = {
    ...PROMPT,
    messages: [
      { role: 'system', text: 'Answer briefly.' },
      { role: 'user', text: 'Where?' },
      { role: 'assistant', text: 'There.' },
      { role: 'user', text: 'When?' },
    ],
  };
  type Sent = readonly { readonly role: string; readonly content: string }[];
  for (const [what, code, words] of [
    ['llama.cpp and Gemma', 500, 'Jinja Exception: System role not supported'],
    ['vLLM', 400, 'System role not supported'],
    [
      'OpenAI',
      400,
      "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    ],
    ['Google', 400, 'Developer instruction is not enabled for models/gemma-3-27b-it'],
    ['a template', 400, 'Only user and assistant roles are supported!'],
    ['Mistral 7B', 400, 'Conversation roles must alternate user/assistant/user/assistant/...'],
    ['a gateway', 422, "Invalid role: 'system'"],
  ] as const)
    test(`in the words of ${what}: its text stands before that of the user, and that is said`, async () => {
      play = answering('To port 3.', body =>
        (body['messages'] as Sent).some(({ role }) => role === 'system')
          ? [code, { error: { message: words } }]
          : undefined,
      );
      const model = await direct();
      assert.equal(await said(model, true, CHAT), 'To port 3.');
      const messages = sent()[1]!['messages'] as Sent;
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user', 'assistant', 'user'],
      );
      assert.match(messages[0]!.content, /^Answer briefly\.\s+Where\?$/);
      await said(model, false, CHAT);
      assert.equal(server.requests.length, 3);
      assert.match(notes.join('\n'), /^[^\n]*refuses the system role: [^\n]*$/);
    });
});

describe('a schema that a server refuses', () => {
  const nested = { name: 'nested', schema: { type: 'object', anyOf: [{ type: 'object' }] } };
  test('is sent in another form, and other schemas as before', async () => {
    play = answering('{}', body => {
      const format = JSON.stringify(body['response_format'] ?? '');
      return format.includes('anyOf')
        ? [400, { error: { message: "Invalid schema for response_format 'nested': anyOf" } }]
        : undefined;
    });
    const model = await direct();
    await said(model, false, { ...PROMPT, schema: nested });
    await said(model, false, { ...PROMPT, schema: SCHEMA });
    const forms = sent().map(body => (body['response_format'] as { type?: string })?.type);
    assert.deepEqual(forms, ['json_schema', 'json_object', undefined, 'json_schema']);
    await said(model, false, { ...PROMPT, schema: nested });
    assert.equal(server.requests.length, 5);
    assert.equal(notes.length, 1);
    assert.match(notes[0]!, /the schema "nested"/);
    // The numbers of the passages differ from prompt to prompt, the shape does not.
    const citing = (count: number) =>
      objectOf('cited', {
        citations: numbersAmong(Array.from({ length: count }, (_, at) => at + 1)),
      });
    play = answering('{}', body =>
      JSON.stringify(body).includes('"cited"')
        ? [400, 'invalid schema: response_format']
        : undefined,
    );
    server.reset();
    for (const count of [1, 2, 3, 200])
      await said(model, false, { ...PROMPT, schema: citing(count) });
    assert.equal(server.requests.length, 5);
    assert.equal(notes.length, 2);
  });
});

test('a prompt that a context has no room for is refused as such', async () => {
  for (const [code, message] of [
    [
      400,
      "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
    ],
    [400, 'the request exceeds the available context size. try increasing the context size'],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum'],
    [400, 'The input token count (9000) exceeds the maximum number of tokens allowed (8192).'],
    [413, 'Request too large for model: too many tokens'],
    [
      413,
      'Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7200, please reduce your message size and try again.',
    ],
    [500, 'input length exceeds the context length'],
  ] as const) {
    play = answering('x', () => [code, { error: { message } }]);
    const error = await said(await direct(), false).catch(reason => reason);
    assert.equal(error.code, 'context-full', message);
  }
});

describe('options of a model', () => {
  test('are fields of each request, before what the library sends, and part of the id', async () => {
    play = answering('To port 3.');
    const options = { reasoning_effort: 'low', top_k: 20, temperature: 0.7, seed: null };
    const model = await direct({ options });
    await said(model, false);
    const { reasoning_effort: effort, top_k: k, temperature, seed } = sent()[0]!;
    assert.deepEqual([effort, k, temperature, seed], ['low', 20, 0.7, undefined]);
    assert.notEqual(model.id, (await direct()).id);
  });

  test('that a server refuses are left out', async () => {
    play = answering('To port 3.', has('top_k', 400, 'unknown field "top_k"'));
    await said(await direct({ options: { top_k: 20, min_p: 0.1 } }), false);
    assert.ok(!('top_k' in sent()[1]!) && sent()[1]!['min_p'] === 0.1);
  });

  test('of an embedder are fields of its requests', async () => {
    play = embeddings;
    const options = { dimensions: 64, input_type: 'passage' };
    const base = { baseUrl: `${server.url}/v1`, model: 'served', dimensions: 64 };
    const model = await openAiCompatibleEmbedder({ ...base, options });
    await model.embed(['Ferry'], 'passage', freeCall());
    assert.equal(sent()[0]!['input_type'], 'passage');
    assert.notEqual(model.id, (await openAiCompatibleEmbedder(base)).id);
  });
});

describe('a refusal that names no parameter', () => {
  const param = 'messages[0].content';
  for (const [what, code, answer] of [
    ['points to the messages', 400, { error: { message: 'the stop', param } }],
    ['is of another kind', 401, { error: { message: "'temperature'" } }],
    ['says nothing', 400, ''],
  ] as const)
    test(`${what}: one request, and nothing is learnt`, async () => {
      play = answering('x', () => [code, answer]);
      await assert.rejects(said(await direct(), false));
      assert.equal(server.requests.length, 1);
      assert.deepEqual(notes, []);
    });

  test('a fault of the server is tried again as it was', async () => {
    play = answering('x', () => [503, { error: { message: "'temperature'" } }]);
    await assert.rejects(said(await direct(), false));
    assert.deepEqual(sent()[2], sent()[0]);
  });

  test('a parameter that is refused after a fault is left out too', async () => {
    play = answering('To port 3.', has('seed', 400, { error: { message: "no 'seed' here" } }));
    server.play(status(503));
    assert.equal(await said(await direct(), false), 'To port 3.');
    assert.equal(server.requests.length, 3);
  });

  test('a parameter without which it fails too is sent again', async () => {
    play = answering('x', () => [400, { error: { message: "no 'seed' for this model" } }]);
    const model = await direct();
    await assert.rejects(said(model, false));
    play = answering('To port 3.');
    await said(model, false);
    assert.equal(sent().at(-1)!['seed'], 7);
    assert.deepEqual(notes, []);
  });
});

describe('a server that takes few texts in a request', () => {
  const texts = Array.from({ length: 80 }, (_, at) => `Ferry ${at} sails to port ${at}.`);
  const listOf = (body: Body): string[] =>
    (body['input'] ?? body['texts'] ?? body['documents']) as string[];
  const taking =
    (most: number, code: number, answer: (count: number) => unknown, vectors: Play): Play =>
    (response, request) => {
      const count = listOf(request.body as unknown as Body).length;
      const words = JSON.stringify(answer(count));
      return (count > most ? status(code, {}, words) : vectors)(response, request);
    };
  const sizes = (): number[] => sent().map(body => listOf(body).length);
  const embedder = () =>
    openAiCompatibleEmbedder({
      baseUrl: `${server.url}/v1`,
      model: 'served',
      dimensions: 64,
      retries: new FakeTime().retries,
      onNote: text => void notes.push(text),
    });

  const servers: readonly (readonly [string, number, number, (count: number) => unknown])[] = [
    ['TEI', 32, 413, n => ({ error: `batch size ${n} > maximum allowed batch size 32` })],
    ['Azure', 16, 400, () => ({ error: { message: 'Too many inputs. The max number is 16.' } })],
    ['Zhipu', 25, 400, () => ({ error: { message: 'input数组最大不得超过25条' } })],
    ['a validator', 10, 422, () => ({ detail: [{ loc: ['body', 'input'], msg: 'list' }] })],
  ];
  for (const [what, most, code, answer] of servers)
    test(`${what}: requests are halved, and that is remembered and said once`, async () => {
      play = taking(most, code, answer, embeddings);
      const model = await embedder();
      const first = await model.embed(texts, 'passage', freeCall());
      const after = server.requests.length;
      assert.deepEqual(await model.embed(texts, 'passage', freeCall()), first);
      const learnt = sizes().slice(after);
      assert.ok(
        learnt.every(size => size <= most) && Math.max(...learnt) * 2 > most / 2,
        `${learnt}`,
      );
      assert.equal(notes.length, 1);
    });

  test('a field of an embedder that is refused is left out', async () => {
    play = (response, request) =>
      ('encoding_format' in request.body
        ? status(400, {}, '{"detail":"Value \'float\' for the \'encoding_format\' is invalid"}')
        : embeddings)(response, request);
    const model = await embedder();
    await model.embed(texts, 'passage', freeCall());
    assert.deepEqual(sizes(), [64, 64, 16]);
  });

  test('rerankers are halved too', async () => {
    const scores =
      (name: string, wrap: (list: object[]) => unknown): Play =>
      (response, request) => {
        const texts = listOf(request.body as unknown as Body);
        json(wrap(texts.map((_, index) => ({ index, [name]: 1 }))))(response, request);
      };
    const plain = scores('score', list => list);
    const wrapped = scores('relevance_score', results => ({ results }));
    const options = { baseUrl: server.url, onNote: (text: string) => void notes.push(text) };
    const words = (n: number): unknown => ({ error: `batch size ${n} > maximum allowed 16` });
    play = taking(16, 413, words, plain);
    const tei = teiReranker(options);
    assert.equal((await tei.score('Where?', texts, freeCall())).length, 80);
    assert.deepEqual(sizes(), [32, 16, 16, 16, 16, 16]);
    server.reset();
    play = taking(30, 422, words, wrapped);
    const jina = jinaReranker({ ...options, model: 'served' });
    assert.equal((await jina.score('Where?', texts, freeCall())).length, 80);
    assert.equal(notes.length, 2);
  });
});
