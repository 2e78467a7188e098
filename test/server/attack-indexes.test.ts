/** Attacks a server by names whose settings decide what is built over all documents. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../src/index.ts';
import { openServer } from '../../src/server/open-server.ts';
import { freshFolder } from '../fresh-folder.ts';
import { connectHttp } from '../mcp/client.ts';
import { SHIPS, sendTo, serveShips, TOKEN } from './served-store.ts';

const question = 'Which ship lost its engines?';
const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { readonly code?: string }).code ?? `${response.status}`;

test('does not choose what is built over all documents, on any route', async () => {
  const { server, send } = await serveShips({ env: {} });
  await using _ = server;
  const inside = 'dense(lsa(dimensions=300))';
  for (const retriever of [
    inside,
    `fused(lexical, ${inside})`,
    'hybrid(lsa(dimensions=7), unit=passage)',
    `max-p(clauses(${inside}))`,
  ]) {
    for (const path of ['/v1/ask', '/v1/retrieve'])
      assert.equal(await codeOf(await send(path, { body: { question, retriever } })), REFUSED);
    assert.equal(
      await codeOf(await send('/v1/search', { body: { query: question, retriever } })),
      REFUSED,
    );
  }
  for (const setting of ['hubs=0.3', 'synonyms=false'])
    for (const name of ['hipporag1', 'hipporag2']) {
      const strategy = `${name}(${setting})`;
      for (const path of ['/v1/ask', '/v1/retrieve'])
        assert.equal(await codeOf(await send(path, { body: { question, strategy } })), REFUSED);
      const messages = [{ role: 'user', content: question }];
      const chat = { model: `multihop/${strategy}`, messages };
      assert.equal(await codeOf(await send('/v1/chat/completions', { body: chat })), REFUSED);
    }
  await using connected = await connectHttp(server);
  const { isError, content } = await connected.client.callTool({
    name: 'search',
    arguments: { query: question, retriever: inside },
  });
  assert.equal(isError, true);
  assert.match(JSON.stringify(content), /is not built for a request/);
});

const REFUSED = 'setting-not-allowed';

test('default settings, and spaces that the store keeps, are for requests', async () => {
  const folder = join(freshFolder(), 'kept.store');
  {
    await using store = await openStore(folder, { embedders: ['lsa(dimensions=2)'] });
    await store.ingest(SHIPS);
  }
  await using server = await openServer(folder, { token: TOKEN, env: {} });
  for (const space of ['lsa', 'lsa(dimensions=256)', 'lsa(dimensions=2)'])
    for (const unit of ['document', 'passage', 'sentence']) {
      const retriever = `dense(${space}, unit=${unit})`;
      const response = await sendTo(server, '/v1/search', { body: { query: question, retriever } });
      assert.equal(response.status, 200, await response.text());
    }
  const strategy = 'hipporag2(hubs=0.1, synonyms=true)';
  const asked = await sendTo(server, '/v1/ask', { body: { question, strategy } });
  assert.equal(asked.status, 200, await asked.text());
});
