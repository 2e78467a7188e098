/** Attacks a server by clients that do not read what they asked for. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { EventStream, STREAM_LIMITS } from '../../src/server/event-stream.ts';
import { headOf, rawClient, until } from './raw-client.ts';
import { type Served, serveShips } from './served-store.ts';

const question = 'Who leads the owner of the bay where the Linnet lost its engines?';
const STREAM = { Accept: 'text/event-stream' };

/** Number of sockets of this process that are open: those of the server and of its clients. */
const openSockets = (): number =>
  process.getActiveResourcesInfo().filter(name => name === 'TCPSocketWrap').length;

const metricsOf = async ({ send }: Served): Promise<string> =>
  (await send('/metrics', { client: 'watcher' })).text();

test('a run whose stream is not read is aborted, and gives its place back', async () => {
  for (const [path, body] of [
    ['/v1/ask', { question }],
    ['/v1/retrieve', { question }],
    ['/v1/chat/completions', { stream: true, messages: [{ role: 'user', content: question }] }],
  ] as const) {
    const served = await serveShips({ limits: { bufferBytes: 1, stallMs: 30, concurrent: 1 } });
    await using _ = served.server;
    const unread = await served.send(path, { body, headers: STREAM });
    assert.equal(unread.status, 200);
    await until(async () => (await metricsOf(served)).includes('\nmultihop_running 0\n'));
    assert.match(await metricsOf(served), /multihop_runs_total\{[^}]*stopped="abort"\} 1/);
    // The only place is free again.
    const next = await served.send('/v1/search', { body: { query: 'tug' } });
    assert.equal(next.status, 200);
    await assert.rejects(unread.text(), /reads too slowly/);
  }
});

test('pieces that a model writes for a reader who takes none are bounded', async () => {
  let sent = 0;
  const model = createServer((request, response) => {
    request.resume();
    const content = 'x'.repeat(10_000);
    const choices = [{ index: 0, delta: { role: 'assistant', content } }];
    const chunk = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices };
    const more = (): void => {
      while (!response.destroyed && response.write(`data: ${JSON.stringify(chunk)}\n\n`))
        sent += content.length;
    };
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.on('drain', more).on('error', () => {});
    more();
  });
  await new Promise<void>(resolve => model.listen(0, '127.0.0.1', resolve));
  const served = await serveShips({
    env: {},
    model: 'openai-compatible:m',
    modelUrl: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
    // The wait of 30 s is not what ends it.
    limits: { bufferBytes: 50_000 },
  });
  try {
    const body = { question: 'Which ship lost its engines?', strategy: 'fixed-top-k(k=2)' };
    const response = await served.send('/v1/ask', { body, headers: STREAM });
    await until(async () => (await metricsOf(served)).includes('\nmultihop_running 0\n'));
    const received = await response.text().then(
      text => text.length,
      () => 0,
    );
    assert.equal(received, 0);
    assert.ok(sent < 20_000_000, String(sent));
  } finally {
    await served.server.close();
    model.close();
    model.closeAllConnections();
  }
});

test('senders who wait together for a reader go on together', async () => {
  const stream = new EventStream({ ...STREAM_LIMITS, bufferBytes: 80, stallMs: 40 });
  const sends = Promise.all([stream.send('a', 'x'.repeat(100)), stream.send('b', 'y')]);
  const reader = stream.readable.getReader();
  const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  assert.match(await read(), /^event: a/);
  assert.match(await read(), /^event: b/);
  await sends;
  // Longer than a stall: no timer of an earlier sender is left.
  await new Promise(resolve => setTimeout(resolve, 120));
  assert.equal(stream.signal.aborted, false);
  stream.end();
  assert.equal((await reader.read()).done, true);
});

test('the connection of a client that does not take its answers is closed', async () => {
  const served = await serveShips({ limits: { stallMs: 100 } });
  await using _ = served.server;
  const url = await served.server.listen({ port: 0 });
  const text = 'A sentence about a ship. '.repeat(4000);
  await served.send('/v1/documents', { body: { documents: [{ id: 'big', text }] } });
  const before = openSockets();
  const client = await rawClient(url);
  client.socket.pause();
  const asked = 400;
  client.send(`${headOf('GET /v1/documents/big HTTP/1.1')}\r\n`.repeat(asked));
  await until(() => openSockets() === before + 2);
  await until(() => openSockets() === before + 1);
  client.socket.resume();
  const received = await client.closed;
  assert.ok(received.length > 0 && received.length < asked * text.length);
});
