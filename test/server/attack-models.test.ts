/** Attacks the models of a server: no request may open one, or reach an address, of its choice. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { after, before, describe, mock, test } from 'node:test';
import { readers } from '../../src/readers/readers.ts';
import { retrievers } from '../../src/search/retrievers.ts';
import { strategies } from '../../src/strategies/strategies.ts';
import { type Served, serveShips } from './served-store.ts';

const question = 'Which ship lost its engines at Cold Bay?';
/** Names of models that would be downloaded, loaded from a folder, or asked at an address. */
const MODELS = [
  'jina:x',
  'cohere:x',
  'tei:x',
  'hub:a/b',
  'openai-compatible:x',
  'a-folder',
  '../x',
];

interface Problem {
  readonly code: string;
  readonly detail: string;
}

describe('a server that was started without models', () => {
  let served: Served;
  const connections = mock.method(Socket.prototype, 'connect', () => {
    throw new Error('A request reached for the network');
  });
  before(async () => {
    served = await serveShips({ env: {} });
  });
  after(async () => {
    await served.server.close();
    connections.mock.restore();
  });

  /** Sends a body that names a model, and returns the code of its problem. */
  async function refused(path: string, body: object): Promise<string> {
    const before = connections.mock.callCount();
    const response = await served.send(path, { body });
    const text = await response.text();
    const sent = `${JSON.stringify(body)}: ${text}`;
    assert.equal(response.status, 400, sent);
    assert.equal(connections.mock.callCount(), before, sent);
    return (JSON.parse(text) as Problem).code;
  }

  const chat = (model: string): object => ({
    model: `multihop/${model}`,
    messages: [{ role: 'user', content: question }],
  });

  test('refuses rerankers and question answerers that a request names', async () => {
    for (const model of MODELS) {
      const retriever = `reranked(lexical, ${model.replace('../', '')})`;
      const strategy = `longrag-dual(reranker=${model.replace('../', '')})`;
      for (const path of ['/v1/ask', '/v1/retrieve'])
        for (const named of [{ retriever }, { strategy }])
          assert.equal(await refused(path, { question, ...named }), 'model-not-allowed');
      assert.equal(
        await refused('/v1/search', { query: question, retriever }),
        'model-not-allowed',
      );
      assert.equal(await refused('/v1/chat/completions', chat(strategy)), 'model-not-allowed');
      const reader = `span(${model.replace('../', '')})`;
      assert.equal(await refused('/v1/ask', { question, reader }), 'model-not-allowed');
    }
  });

  test('refuses embedders that neither its start nor its store names', async () => {
    for (const model of MODELS.filter(name => !name.includes('/x'))) {
      const retriever = `dense(${model})`;
      assert.equal(await refused('/v1/ask', { question, retriever }), 'unknown-space');
      assert.equal(await refused('/v1/search', { query: question, retriever }), 'unknown-space');
    }
  });

  test('reaches nothing for any member and parameter that takes a name', async () => {
    let opened = 0;
    for (const model of MODELS)
      for (const [field, family] of [
        ['strategy', strategies],
        ['retriever', retrievers],
        ['reader', readers],
      ] as const)
        for (const { name } of family.members)
          for (const parameter of ['model', 'reranker', 'answerer', 'embedder', 'space']) {
            const named = `${name}(${parameter}=${model})`;
            const response = await served.send('/v1/ask', { body: { question, [field]: named } });
            await response.text();
            assert.equal(response.status, 400, named);
            opened++;
          }
    assert.ok(opened > 500, String(opened));
    assert.equal(connections.mock.callCount(), 0);
  });

  test('has no field of a body for a model, an address, a key or a file', async () => {
    const fields = ['model', 'modelUrl', 'baseUrl', 'rerankerUrl', 'embedders', 'resources', 'env'];
    const others = ['cassette', 'price', 'graph', 'chunker', 'apiKey', 'paths', 'allowModels'];
    for (const field of [...fields, ...others]) {
      const value = 'http://127.0.0.1:9/';
      for (const path of ['/v1/ask', '/v1/retrieve'])
        assert.equal(await refused(path, { question, [field]: value }), 'bad-request');
      assert.equal(await refused('/v1/search', { query: question, [field]: value }), 'bad-request');
      if (field === 'model') continue;
      const ignored = await served.send('/v1/chat/completions', {
        body: { messages: [{ role: 'user', content: question }], [field]: value },
      });
      assert.equal(ignored.status, 200);
    }
    assert.equal(connections.mock.callCount(), 0);
  });

  test('has no language model for a reader that needs one', async () => {
    assert.equal(await refused('/v1/ask', { question, reader: 'generative' }), 'missing-resource');
  });
});

test('a name of allowModels may be opened, and no other', async () => {
  const { server, send } = await serveShips({ env: {}, allowModels: ['mine'] });
  await using _ = server;
  const codeOf = async (model: string): Promise<string> => {
    const retriever = `reranked(lexical, ${model})`;
    const response = await send('/v1/search', { body: { query: question, retriever } });
    return ((await response.json()) as Problem).code;
  };
  // It is looked for, and there is none.
  assert.equal(await codeOf('mine'), 'unknown-reranker');
  assert.equal(await codeOf('mine2'), 'model-not-allowed');
});

test('a server with an address of rerankers asks there, whatever provider a request names', async () => {
  const asked: string[] = [];
  const host = createServer((request, response) => {
    asked.push(request.url!);
    request.resume().on('end', () => response.writeHead(400).end('{}'));
  });
  await new Promise<void>(resolve => host.listen(0, '127.0.0.1', resolve));
  const port = (host.address() as AddressInfo).port;
  const { server, send } = await serveShips({ env: {}, rerankerUrl: `http://127.0.0.1:${port}` });
  const reached = mock.method(Socket.prototype, 'connect');
  try {
    for (const model of ['jina:x', 'cohere:x', 'tei:x']) {
      const retriever = `reranked(lexical, ${model})`;
      const response = await send('/v1/search', { body: { query: question, retriever } });
      assert.equal(response.status, 502);
      await response.text();
    }
    const other = { query: question, retriever: 'reranked(lexical, hub:a/b)' };
    assert.equal((await send('/v1/search', { body: other })).status, 400);
    assert.equal(asked.length, 3);
    for (const { arguments: given } of reached.mock.calls)
      assert.match(JSON.stringify(given), new RegExp(`"port":"?${port}"?`));
  } finally {
    reached.mock.restore();
    await server.close();
    host.close();
    host.closeAllConnections();
  }
});
