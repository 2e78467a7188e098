/**
 * Tests `/mcp` of a server: its limits and errors, also by the official client. `test/server`
 * attacks its guards with those of every route.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { start } from '../running-command.ts';
import {
  type Sent,
  type Served,
  serveAsking,
  serveShips,
  shipStore,
  TOKEN,
} from '../server/served-store.ts';
import { connectHttp, NEWEST, OLDER, withoutSdk } from './client.ts';

const QUESTION = 'Who leads the owner of the bay where the Linnet lost its engines?';
const ACCEPT = { Accept: 'application/json, text/event-stream' };

const rpc = (method: string, params: object = {}, id = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const greeting = rpc('initialize', {
  protocolVersion: OLDER,
  capabilities: {},
  clientInfo: { name: 't', version: '1' },
});

describe('requests of /mcp', () => {
  let served: Served;
  before(async () => {
    served = await serveShips({
      origins: ['https://app.example'],
      limits: { questionBytes: 2000 },
    });
  });
  after(() => served.server.close());

  const post = (sent: Sent): Promise<Response> =>
    served.send('/mcp', { body: greeting, ...sent, headers: { ...ACCEPT, ...sent.headers } });

  test('let a greeting pass, and name a session that the client sends back', async () => {
    const response = await post({});
    assert.equal(response.status, 200);
    assert.match(response.headers.get('mcp-session-id')!, /^[0-9a-f-]{36}$/);
    assert.match(await response.text(), /"protocolVersion":"2025-06-18"/);
  });

  test('of a page of an allowed origin may have the headers of the protocol', async () => {
    const headers = { Origin: 'https://app.example' };
    const response = await served.send('/mcp', { method: 'OPTIONS', headers });
    assert.equal(response.status, 204);
    const allowed = response.headers.get('access-control-allow-headers')!;
    for (const name of ['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'authorization'])
      assert.ok(allowed.includes(name), name);
  });

  test('in a list of more than 20 are refused', async () => {
    const many = (length: number): unknown[] =>
      Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    assert.equal((await post({ body: many(20) })).status, 200);
    const response = await post({ body: many(21) });
    assert.equal(response.status, 400);
    assert.match(((await response.json()) as { detail: string }).detail, /at most 20/);
  });

  test('escape in their answers what terminals act on', async () => {
    const query = 'tug \u202e\u0085';
    const params = { name: 'search', arguments: { query, budget: '{"ms":5000}' } };
    const text = await (await post({ body: rpc('tools/call', params) })).text();
    assert.doesNotMatch(text, /[\u0080-\u009f\u202e]/);
    const { result } = JSON.parse(text.slice(text.indexOf('{')));
    assert.equal(result.structuredContent.query, query);
  });

  test('for a stream to listen on are refused: nothing of a store is announced', async () => {
    const response = await served.send('/mcp', { headers: { Accept: 'text/event-stream' } });
    assert.equal(response.status, 405);
    const ended = await served.send('/mcp', { method: 'DELETE' });
    assert.equal(ended.status, 405);
  });
});

describe('limits of /mcp', () => {
  test('count its requests with those of /v1', async () => {
    const { server, send } = await serveShips({ limits: { perMinute: 2 } });
    await using _ = server;
    await send('/v1/about');
    assert.equal((await send('/mcp', { body: greeting, headers: ACCEPT })).status, 200);
    const response = await send('/mcp', { body: greeting, headers: ACCEPT });
    assert.equal(response.status, 429);
  });

  for (const version of [OLDER, NEWEST])
    test(`share the places of runs with /v1, revision ${version}`, async () => {
      await using served = await serveAsking({ limits: { concurrent: 1, queue: 0 } });
      const url = await served.server.listen({ port: 0, graceMs: 0 });
      await using connected = await connectHttp(url, version);
      const { client } = connected;
      const args = { question: QUESTION, reader: 'generative' };
      const asked = client.callTool({ name: 'ask', arguments: args });
      const call = await served.model.nextCall();
      const search = { body: { query: 'tug' } };
      assert.equal((await served.send('/v1/search', search)).status, 503);
      const busy = await client.callTool({ name: 'search', arguments: { query: 'tug' } });
      assert.equal(busy.isError, true);
      assert.equal((busy._meta!['multihop/error'] as { code: string }).code, 'busy');
      // Reading takes no place.
      const read = await client.callTool({ name: 'read_document', arguments: { id: 'bay' } });
      assert.equal(read.isError ?? false, false);
      call.answer('Mirelle Pask [1]');
      assert.equal((await asked).isError ?? false, false);
      assert.equal((await served.send('/v1/search', search)).status, 200);
      const metrics = await (await served.send('/metrics')).text();
      assert.match(metrics, /multihop_requests_total\{route="POST \/mcp",status="200"\} \d/);
      assert.match(metrics, /multihop_runs_total\{.*answer="answered".*\} 1/);
    });
});

/** A run that nobody cancels outlasts its test. */
const LASTING = { question: QUESTION, reader: 'generative', budget: { ms: 600_000 } };
const WAITS = { timeout: 120_000 };

test('a client that is gone ends its run', WAITS, async () => {
  await using served = await serveAsking();
  const url = await served.server.listen({ port: 0, graceMs: 0 });
  const abort = new AbortController();
  const asked = fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json', ...ACCEPT },
    body: JSON.stringify(rpc('tools/call', { name: 'ask', arguments: LASTING })),
    signal: abort.signal,
  });
  const { aborted } = await served.model.nextCall();
  abort.abort();
  await asked.then(
    response => response.text().catch(() => {}),
    () => {},
  );
  await aborted;
});

test('a call is cancelled by the session that made it alone', WAITS, async () => {
  await using served = await serveAsking();
  const { model } = served;
  const send = (body: object, session: string): Promise<Response> =>
    served.send('/mcp', { body, headers: { ...ACCEPT, 'Mcp-Session-Id': session } });
  const ask = async (id: number): Promise<string> => {
    const call = rpc('tools/call', { name: 'ask', arguments: LASTING }, id);
    return (await send(call, 'mine')).text();
  };
  const cancel = async (session: string, requestId: number): Promise<void> => {
    const params = { requestId };
    const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    assert.equal((await send(body, session)).status, 202);
  };
  const answered = ask(7);
  const { answer } = await model.nextCall();
  await cancel('another', 7);
  await cancel('mine', 8);
  answer('Mirelle Pask [1]');
  assert.doesNotMatch(await answered, /"stopped"/);
  const cancelled = ask(7);
  const { aborted } = await model.nextCall();
  await cancel('mine', 7);
  await aborted;
  assert.match(await cancelled, /"stopped":\{"by":"abort"\}/);
});

test('without the SDK, /mcp says what to install, and all else goes on', async () => {
  const folder = await shipStore();
  const words = ['serve', '--store', folder, '--port', '0', '--no-token', '--json'];
  const running = start(words, { stdin: null, ...withoutSdk() });
  const urlOf = (): string | undefined => /"url": "([^"]+)"/.exec(running.soFar().out)?.[1];
  while (urlOf() === undefined) await new Promise(resolve => setTimeout(resolve, 20));
  const headers = { 'Content-Type': 'application/json', ...ACCEPT };
  const sent = { method: 'POST', headers, body: JSON.stringify(greeting) };
  const response = await fetch(`${urlOf()}/mcp`, sent);
  assert.equal(response.status, 503);
  const problem = (await response.json()) as { code: string; hint: string };
  assert.equal(problem.code, 'missing-package');
  assert.equal(problem.hint, 'Run: npm install @modelcontextprotocol/server');
  assert.equal((await fetch(`${urlOf()}/v1/about`)).status, 200);
  running.child.kill('SIGTERM');
  assert.equal((await running.result).code, 0);
});
