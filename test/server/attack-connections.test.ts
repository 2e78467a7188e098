/** Attacks a server by connections: unfinished requests, silence, and too many of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headOf, type RawClient, rawClient, requestOf, until } from './raw-client.ts';
import { type Served, serveShips } from './served-store.ts';

type Limits = NonNullable<NonNullable<Parameters<typeof serveShips>[0]>['limits']>;

interface Listening extends Served, AsyncDisposable {
  readonly url: string;
}

async function listening(limits: Limits): Promise<Listening> {
  const served = await serveShips({ limits });
  const url = await served.server.listen({ port: 0, graceMs: 0 });
  return { ...served, url, [Symbol.asyncDispose]: () => served.server.close() };
}

/** Sends a piece again and again until the server closes the connection. */
async function trickle({ send, closed }: RawClient, piece: () => string): Promise<string> {
  const timer = setInterval(() => send(piece()), 20);
  const received = await closed;
  clearInterval(timer);
  return received;
}

test('headers that never end are cut off (slowloris)', async () => {
  await using served = await listening({ headersMs: 100, requestMs: 60_000 });
  const client = await rawClient(served.url);
  client.send('GET /health HTTP/1.1\r\nHost: localhost\r\n');
  let sent = 0;
  const received = await trickle(client, () => `X-${sent++}: a\r\n`);
  assert.match(received, /^HTTP\/1\.1 408 /);
});

test('a connection that says nothing at all is cut off', async () => {
  await using served = await listening({ headersMs: 100, requestMs: 60_000 });
  const received = await (await rawClient(served.url)).closed;
  assert.match(received, /^(?:HTTP\/1\.1 408 |$)/);
});

test('a body that never ends is cut off, and is no bug in the log', async () => {
  const lines: string[] = [];
  const served = await serveShips({
    limits: { headersMs: 100, requestMs: 200 },
    log: line => lines.push(line),
  });
  await using _ = served.server;
  const url = await served.server.listen({ port: 0 });
  for (const length of ['Content-Length: 5000', 'Transfer-Encoding: chunked']) {
    const client = await rawClient(url);
    const type = 'Content-Type: application/json';
    client.send(`${headOf('POST /v1/search HTTP/1.1', [type, length])}\r\n`);
    const received = await trickle(client, () => (length.startsWith('C') ? ' ' : '1\r\n \r\n'));
    assert.doesNotMatch(received, /HTTP\/1\.1 (?:200|500)/);
  }
  await until(() => lines.length >= 2);
  assert.match(lines.join('\n'), /^(?:POST \/v1\/search (?:400|503) \S+ s\n?){2}$/);
});

test('a chunked body beyond the limit is refused, and its rest is not read', async () => {
  await using served = await listening({ questionBytes: 1000 });
  const client = await rawClient(served.url);
  const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
  client.send(`${headOf('POST /v1/search HTTP/1.1', headers)}\r\n`);
  let sent = 0;
  const received = await trickle(client, () => {
    sent += 100;
    return `64\r\n${'x'.repeat(100)}\r\n`;
  });
  assert.match(received, /^HTTP\/1\.1 413 /);
  assert.match(received, /\r\nconnection: close\r\n/i);
  assert.ok(sent < 1_000_000, String(sent));
});

test('a stranger’s body without end is refused before it is read', async () => {
  await using served = await listening({});
  const client = await rawClient(served.url);
  client.send(
    'POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  await until(() => client.received().includes('\r\n\r\n'));
  assert.match(client.received(), /^HTTP\/1\.1 401 /);
  let sent = 0;
  await trickle(client, () => {
    sent += 10_000;
    return `2710\r\n${'x'.repeat(10_000)}\r\n`;
  });
  assert.ok(sent < 100_000_000, String(sent));
});

test('connections beyond the limit are closed, and those before it are served', async () => {
  await using served = await listening({ connections: 3 });
  const clients: RawClient[] = [];
  for (let count = 0; count < 3; count++) clients.push(await rawClient(served.url));
  // The server has taken them, in turn.
  for (const { send, received } of clients) {
    send(`${headOf('GET /health HTTP/1.1')}\r\n`);
    await until(() => received().includes('"ok"'));
  }
  const fourth = await rawClient(served.url);
  fourth.send(`${headOf('GET /health HTTP/1.1')}\r\n`);
  assert.equal(await fourth.closed, '');
  clients[0]!.socket.destroy();
  await until(async () => {
    const next = await rawClient(served.url);
    next.send(`${headOf('GET /health HTTP/1.1', ['Connection: close'])}\r\n`);
    return (await next.closed).includes('"ok"');
  });
});

test('one client cannot take the connections of others, whether it speaks or is silent', async () => {
  await using served = await listening({ clientConnections: 20 });
  const held: RawClient[] = [];
  for (let count = 0; count < 20; count++) held.push(await rawClient(served.url, '127.0.0.1'));
  for (let count = 0; count < 20; count++) {
    const further = await rawClient(served.url, '127.0.0.1');
    if (count % 2 === 0) further.send(`${headOf('GET /health HTTP/1.1')}\r\n`);
    assert.match(await further.closed, /^HTTP\/1\.1 503 [\s\S]*as many connections as it may/);
  }
  const other = await rawClient(served.url, '127.0.0.2');
  other.send(`${headOf('GET /health HTTP/1.1', ['Connection: close'])}\r\n`);
  assert.match(await other.closed, /^HTTP\/1\.1 200 [\s\S]*"ok"/);
  // The refused ones hold nothing, and each that ends makes room for one.
  held.pop()!.socket.destroy();
  await until(async () => {
    const next = await rawClient(served.url, '127.0.0.1');
    next.send(`${headOf('GET /health HTTP/1.1', ['Connection: close'])}\r\n`);
    return (await next.closed).includes('"ok"');
  });
  for (const { socket } of held) socket.destroy();
});

test('by default one client leaves most connections to others', async () => {
  await using served = await listening({});
  const clients: RawClient[] = [];
  for (let count = 0; count < 1024; count++) clients.push(await rawClient(served.url, '127.0.0.1'));
  await until(() => clients.filter(({ received }) => received() !== '').length === 1024 - 128);
  const other = await rawClient(served.url, '127.0.0.2');
  other.send(`${headOf('GET /health HTTP/1.1', ['Connection: close'])}\r\n`);
  assert.match(await other.closed, /^HTTP\/1\.1 200 /);
  for (const { socket } of clients) socket.destroy();
});

test('a connection between requests is closed after a while', async () => {
  await using served = await listening({ idleMs: 50 });
  const client = await rawClient(served.url);
  client.send(`${headOf('GET /health HTTP/1.1')}\r\n`);
  assert.match(await client.closed, /^HTTP\/1\.1 200 /);
});

test('headers beyond 16 KiB are refused', async () => {
  await using served = await listening({});
  const client = await rawClient(served.url);
  client.send(headOf('GET /health HTTP/1.1', [`X-Long: ${'x'.repeat(20_000)}`]));
  assert.match(await client.closed, /^HTTP\/1\.1 431 /);
});

test('a server that stops closes clients that hang in every state', async () => {
  const served = await listening({});
  const silent = await rawClient(served.url);
  const unfinished = await rawClient(served.url);
  unfinished.send('GET /health HTTP/1.1\r\nHost:');
  const bodiless = await rawClient(served.url);
  bodiless.send(
    `${headOf('POST /v1/search HTTP/1.1', ['Content-Type: application/json', 'Content-Length: 9'])}\r\n`,
  );
  const unread = await rawClient(served.url);
  unread.socket.pause();
  const question = 'Which ship lost its engines?';
  unread.send(requestOf('POST /v1/ask HTTP/1.1', { question }, ['Accept: text/event-stream']));
  await served.server.close();
  unread.socket.resume();
  for (const { closed } of [silent, unfinished, bodiless, unread]) await closed;
  await assert.rejects(rawConnect(served.url));
});

const rawConnect = async (url: string): Promise<Response> => fetch(`${url}/health`);
