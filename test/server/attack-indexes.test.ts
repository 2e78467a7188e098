/** Attacks a server by names whose settings decide what is built over all documents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveShips } from './served-store.ts';

const question = 'Which ship lost its engines?';
const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { readonly code?: string }).code ?? `${response.status}`;

test('does not choose what is built over all documents, on any route', async () => {
  const { server, send } = await serveShips({ env: {} });
  await using _ = server;
  for (const setting of ['hubs=0.3', 'synonyms=false'])
    for (const name of ['hipporag1', 'hipporag2']) {
      const strategy = `${name}(${setting})`;
      for (const path of ['/v1/ask', '/v1/retrieve'])
        assert.equal(await codeOf(await send(path, { body: { question, strategy } })), REFUSED);
      const messages = [{ role: 'user', content: question }];
      const chat = { model: `multihop/${strategy}`, messages };
      assert.equal(await codeOf(await send('/v1/chat/completions', { body: chat })), REFUSED);
    }
});

const REFUSED = 'setting-not-allowed';

test('default settings are for requests', async () => {
  const { server, send } = await serveShips({ env: {} });
  await using _ = server;
  const strategy = 'hipporag2(hubs=0.1, synonyms=true)';
  const asked = await send('/v1/ask', { body: { question, strategy } });
  assert.equal(asked.status, 200, await asked.text());
});
