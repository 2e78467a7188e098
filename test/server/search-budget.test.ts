/** Searches within a budget: over HTTP, from code, and within the limits of a server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/index.ts';
import { serveShips, shipStore } from './served-store.ts';

const query = 'Which ship lost its engines?';

test('a search ends at each of its limits, and says which', async () => {
  const { server, send } = await serveShips();
  await using _ = server;
  for (const [budget, limit] of [
    [{ ms: 0 }, 'ms 0'],
    [{ retrievals: 0 }, 'retrievals 0'],
  ] as const) {
    const response = await send('/v1/search', { body: { query, budget } });
    assert.equal(response.status, 400);
    const { code, detail } = (await response.json()) as Readonly<Record<string, string>>;
    assert.equal(code, 'budget-reached');
    assert.match(detail!, new RegExp(`limit: ${limit}`));
  }
  const enough = { ms: 60_000, retrievals: 1, rerankedPairs: 0 };
  assert.equal((await send('/v1/search', { body: { query, budget: enough } })).status, 200);
});

test('a search takes the names of limits that it can meet, and no other', async () => {
  const { server, send } = await serveShips();
  await using _ = server;
  for (const name of ['hops', 'documents', 'modelCalls', 'time', '__proto__']) {
    const body = `{"query":"tug","budget":{"${name}":1}}`;
    const response = await send('/v1/search', { body });
    assert.equal(response.status, 400);
    assert.equal(((await response.json()) as { readonly code: string }).code, 'bad-request', name);
  }
});

test('a search does not raise the limits of the server', async () => {
  const { server, send } = await serveShips({ budget: { retrievals: 0 } });
  await using _ = server;
  const response = await send('/v1/search', { body: { query, budget: { retrievals: 5 } } });
  assert.equal(((await response.json()) as { readonly code: string }).code, 'budget-reached');
});

test('a search from code has the same budget', async () => {
  await using store = await openStore(await shipStore());
  assert.equal(
    (await store.search(query, { budget: { ms: 60_000, retrievals: 1 } }))[0]!.id,
    'linnet',
  );
  await assert.rejects(store.search(query, { budget: { ms: 0 } }), { code: 'budget-reached' });
  await assert.rejects(store.search(query, { budget: { retrievals: 0 } }), {
    code: 'budget-reached',
  });
  await assert.rejects(store.search(query, { budget: { ms: -1 } }), { code: 'bad-limit' });
});
