/** Checks `multihop models`: what is on this machine, what servers have, and a try. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freshFolder, printed, run, succeeds } from './running-command.ts';

const KEY = 'sk-canary-77aa11bb22';
const seen: string[] = [];
let server: Server;
let url = '';

/** Answers as Ollama and as an OpenAI-compatible server do. */
const ANSWERS: Readonly<Record<string, (body: string) => unknown>> = {
  '/api/tags': () => ({
    models: [{ name: 'tale:3b', size: 2_000_000_000 }, { name: 'vectors' }, { size: 1 }, null],
  }),
  '/api/show': body =>
    body.includes('tale')
      ? {
          capabilities: ['completion', 'tools'],
          license: 'Apache License 2.0\n\nTerms and conditions',
          model_info: { 'tale.context_length': 4096 },
        }
      : { capabilities: ['embedding'], model_info: null },
  '/v1/models': () => ({ data: [{ id: 'toy' }, {}, null] }),
  '/v1/chat/completions': () => ({
    choices: [{ message: { content: 'The capital is Paris.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 12, completion_tokens: 5 },
  }),
};

before(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      seen.push(`${request.url} ${request.headers.authorization ?? 'no key'}`);
      const answer = ANSWERS[request.url!];
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer?.(body) ?? {}));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => void server.close());

function modelsFolder(): string {
  const folder = freshFolder();
  const model = (name: string, architecture: string, card = ''): void => {
    mkdirSync(join(folder, name, 'onnx'), { recursive: true });
    const config = { architectures: [architecture], max_position_embeddings: 512 };
    writeFileSync(join(folder, name, 'config.json'), JSON.stringify(config));
    writeFileSync(join(folder, name, 'onnx', 'model.onnx'), Buffer.alloc(3_000_000));
    writeFileSync(join(folder, name, 'README.md'), card);
  };
  model('near', 'BertModel', '---\nlanguage: en\nlicense: mit\n---\n# near\n');
  model('rank', 'BertForSequenceClassification');
  model('spans', 'BertForQuestionAnswering');
  model('names', 'BertForTokenClassification');
  model('tale', 'LlamaForCausalLM');
  mkdirSync(join(folder, 'other'));
  mkdirSync(join(folder, 'broken'));
  writeFileSync(join(folder, 'broken', 'config.json'), '{');
  writeFileSync(join(folder, 'plain.gguf'), 'GGUF');
  writeFileSync(join(folder, 'big-00001-of-00002.gguf'), Buffer.alloc(2_000_000));
  writeFileSync(join(folder, 'big-00002-of-00002.gguf'), Buffer.alloc(1_000_000));
  return folder;
}

interface Listed {
  readonly models: readonly { readonly name: string; readonly [fact: string]: unknown }[];
  readonly servers: readonly { readonly address: string; readonly answers: boolean }[];
}

describe('multihop models', () => {
  test('lists folders, GGUF files and models of servers, with what each does', async () => {
    const env = { MULTIHOP_MODELS: modelsFolder(), OLLAMA_HOST: url };
    const listed: Listed = await printed(['models', '--model-url', `${url}/v1`], { env });
    const by = (name: string): unknown => listed.models.find(model => model.name === name);
    const folder = { bytes: 3_000_000, contextTokens: 512 };
    assert.deepEqual(by('near'), { name: 'near', kind: 'embedder', ...folder, licence: 'mit' });
    for (const [name, kind] of [
      ['rank', 'reranker'],
      ['spans', 'question-answerer'],
      ['names', 'entity-recogniser'],
      ['tale', 'model'],
    ] as const)
      assert.deepEqual(by(name), { name, kind, ...folder });
    const big = 'gguf:big-00001-of-00002.gguf';
    assert.deepEqual(by(big), { name: big, kind: 'model', bytes: 3_000_000 });
    assert.ok(by('gguf:plain.gguf'));
    assert.deepEqual(by('ollama:tale:3b'), {
      name: 'ollama:tale:3b',
      kind: 'model',
      bytes: 2_000_000_000,
      licence: 'Apache License 2.0',
      contextTokens: 4096,
    });
    const embedder = { name: 'openai-compatible:vectors', kind: 'embedder', address: `${url}/v1` };
    assert.deepEqual(by('openai-compatible:vectors'), embedder);
    assert.deepEqual(by('openai-compatible:toy'), {
      name: 'openai-compatible:toy',
      kind: 'model',
      address: `${url}/v1`,
    });
    assert.deepEqual(
      listed.servers.filter(({ address }) => address.startsWith(url)),
      [
        { address: url, answers: true },
        { address: `${url}/v1`, answers: true },
      ],
    );
    assert.ok(!listed.models.some(({ name }) => /other|broken|00002-of/.test(name.slice(-14))));
  });

  test('sends a key to the address that is asked for alone', async () => {
    seen.length = 0;
    const env = { OLLAMA_HOST: url, MULTIHOP_MODEL_API_KEY: KEY };
    await printed(['models', '--model-url', `${url}/v1`], { env });
    for (const request of seen)
      assert.match(request, request.startsWith('/v1/') ? /Bearer sk-canary/ : /no key$/);
  });

  test('without any model says how to bring one', async () => {
    const { out, err } = await succeeds(['models', '--verbose'], {
      env: { MULTIHOP_MODELS: freshFolder(), OLLAMA_HOST: '127.0.0.1:9', HOME: freshFolder() },
    });
    assert.match(out, /hf:ORG\/NAME:FILE --download/);
    assert.match(err, /No answer from http:\/\/127.0.0.1:9,/);
  });

  test('tries a model with a sentence', async () => {
    const words = ['models', 'openai-compatible:toy', '--model-url', `${url}/v1`];
    const { out } = await succeeds(words);
    assert.match(out, /^works, [\d.]+ tokens a second \(loaded in .*\): The capital is Paris\.$/m);
    const tried: Record<string, unknown> = await printed(words);
    assert.equal(tried['kind'], 'model');
    assert.equal(tried['text'], 'The capital is Paris.');
  });

  for (const [words, message] of [
    [['models', 'gguf:nowhere.gguf'], /No model in "nowhere.gguf"/],
    [['models', 'tale', '--as', 'poet'], /Unknown kind "poet"/],
    [['models', 'near', '--download'], /Only files of the hub are downloaded/],
    [['models', 'hf:org/name', '--download'], /expected hf:ORG\/NAME:FILE/],
  ] as const)
    test(`${words.join(' ')} is refused`, async () => {
      const { code, err } = await run([...words]);
      assert.equal(code, 2);
      assert.match(err, message);
    });
});
