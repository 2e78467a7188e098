/**
 * Two servers over one OpenSearch behind the HAProxy of `examples/deploy`: one of them is killed or
 * stopped, again and again, while clients ask and write. `MULTIHOP_ENDS` says how often;
 * `MULTIHOP_HAPROXY` names the program.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../src/testing/fixture-corpus.ts';
import { freshFolder } from '../fresh-folder.ts';
import { TOKEN } from '../server/served-store.ts';
import { serve } from '../server/serving-process.ts';
import { anyCluster, NEEDS_OPENSEARCH, newIndex, OpenedEngines } from './opensearch-server.ts';

const HAPROXY = process.env['MULTIHOP_HAPROXY'] ?? 'haproxy';
const ENDS = Number(process.env['MULTIHOP_ENDS'] ?? 2);
const CLIENTS = 4;
/** All of the loopback network is this machine, under Linux. */
const HOSTS = ['127.0.0.2', '127.0.0.3'] as const;
const CONFIGURATION = new URL('../../examples/deploy/haproxy.cfg', import.meta.url);

const skip =
  NEEDS_OPENSEARCH.skip ||
  (spawnSync(HAPROXY, ['-v']).status !== 0 && 'needs HAProxy (Debian: apt-get install haproxy)');

/** Answers every question for addresses of IPv4 with `HOSTS`, as the network of a cluster does. */
async function nameServer(): Promise<Socket> {
  const socket = createSocket('udp4').on('message', (query, { port, address }) => {
    let end = 12;
    while (query[end] !== 0) end += query[end]! + 1;
    const isIPv4 = query.readUInt16BE(end + 1) === 1;
    const records = (isIPv4 ? HOSTS : []).map(host =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...host.split('.').map(Number)]),
    );
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, records.length]);
    const question = query.subarray(12, end + 5);
    socket.send(Buffer.concat([head, Buffer.alloc(4), question, ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts HAProxy by the configuration of the example over servers on a port of `HOSTS`. */
async function proxyTo(port: number): Promise<AsyncDisposable & { readonly url: string }> {
  const names = await nameServer();
  const own = await freePort();
  const file = join(freshFolder(), 'haproxy.cfg');
  const text = readFileSync(CONFIGURATION, 'utf8')
    .replace('bind :8080', `bind 127.0.0.1:${own}`)
    .replace('parse-resolv-conf', `nameserver test 127.0.0.1:${names.address().port}`)
    .replace(':7777', `:${port}`);
  writeFileSync(file, text);
  const env = { ...process.env, SERVERS: 'servers.test' };
  const child = spawn(HAPROXY, ['-f', file], { env, stdio: 'ignore' });
  return {
    url: `http://127.0.0.1:${own}`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
      names.close();
    },
  };
}

const HEADERS = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };

function askAt(url: string, question: string): Promise<Response> {
  const body = JSON.stringify({ question });
  return fetch(`${url}/v1/ask`, { method: 'POST', headers: HEADERS, body });
}

/** Throws if a run did not go to its end. */
async function checkAnswer(response: Response): Promise<void> {
  const text = await response.text();
  assert.equal(response.status, 200, text);
  assert.equal('stopped' in JSON.parse(text), false, text);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await wait(50);
}

/** Waits until a server has answered questions since its start. */
const hasAnswered = (url: string): Promise<void> =>
  until(async () => {
    const metrics = await (await fetch(`${url}/metrics`, { headers: HEADERS })).text();
    const [, count = 0] =
      /requests_total\{route="POST \/v1\/ask",status="200"\} (\d+)/.exec(metrics) ?? [];
    return Number(count) >= CLIENTS;
  });

test('no question fails and no write is lost while a server ends', { skip }, async t => {
  const cluster = await anyCluster();
  const engines = new OpenedEngines(cluster.url);
  const place = newIndex(cluster.url);
  await engines.holding(FIXTURE_DOCUMENTS, {}, place);
  const port = await freePort();
  const open = (host: string): ReturnType<typeof serve> =>
    serve(place, ['--host', host, '--port', String(port)], { MULTIHOP_TOKEN: TOKEN });
  const servers = await Promise.all(HOSTS.map(open));
  const proxy = await proxyTo(port);
  const faults: unknown[] = [];
  let [asked, written, isOver] = [0, 0, false];
  const documentAt = (at: number): string => `${proxy.url}/v1/documents/kept-${at}`;
  try {
    await until(async () => (await fetch(`${proxy.url}/ready`)).ok);
    await t.test('a browser finds the trace at the server that made it', async () => {
      const response = await askAt(proxy.url, FIXTURE_QUESTIONS[0]!.text);
      const cookie = response.headers.get('set-cookie')!.split(';')[0]!;
      const trace = `${proxy.url}/v1/traces/${response.headers.get('x-trace-id')}`;
      for (let turn = 0; turn < HOSTS.length; turn++)
        assert.equal((await fetch(trace, { headers: { ...HEADERS, cookie } })).status, 200);
    });
    const client = async (): Promise<void> => {
      while (!isOver) {
        const { text } = FIXTURE_QUESTIONS[asked++ % FIXTURE_QUESTIONS.length]!;
        await askAt(proxy.url, text)
          .then(checkAnswer)
          .catch(error => faults.push(error));
      }
    };
    const writer = async (): Promise<void> => {
      for (; !isOver; written++) {
        const body = JSON.stringify({ text: `The mark ${written} is kept.` });
        const sent = { method: 'PUT', headers: HEADERS, body };
        await fetch(documentAt(written), sent)
          .then(async answer => assert.ok(answer.ok, await answer.text()))
          .catch(error => faults.push(error));
      }
    };
    const clients = [writer(), ...Array.from({ length: CLIENTS }, client)];
    for (let end = 0; end < ENDS; end++) {
      const at = Math.floor(end / 2) % 2;
      await Promise.all(servers.map(({ url }) => hasAnswered(url)));
      servers[at]!.child.kill(end % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      const { code, err } = await servers[at]!.result;
      if (end % 2 === 1) assert.equal(code, 0, err);
      servers[at] = await open(HOSTS[at]!);
    }
    await Promise.all(servers.map(({ url }) => hasAnswered(url)));
    isOver = true;
    await Promise.all(clients);
    for (let at = 0; at < written; at++) {
      const { status } = await fetch(documentAt(at), { headers: HEADERS });
      if (status !== 200) faults.push(`document ${at} is lost: ${status}`);
    }
    t.diagnostic(
      `${asked} questions and ${written} writes, ${ENDS} ends of a server, ${faults.length} failed or lost`,
    );
    assert.deepEqual(faults, []);
  } finally {
    isOver = true;
    await proxy[Symbol.asyncDispose]();
    for (const { child } of servers) child.kill('SIGKILL');
    await engines.close();
    await cluster.remove();
  }
});
