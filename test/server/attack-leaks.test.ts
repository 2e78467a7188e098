/** Attacks what a server says: tokens, stacks, folders, and headers and events of hostile texts. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, mock, test } from 'node:test';
import { defined } from '../../src/core/defined.ts';
import { App } from '../../src/server/app.ts';
import { EventStream, STREAM_LIMITS } from '../../src/server/event-stream.ts';
import { ROUTES } from '../../src/server/routes.ts';
import type { AnsweringStore } from '../../src/session/requests/answering-store.ts';
import { TARGETS } from './every-route.ts';
import { headOf, rawClient } from './raw-client.ts';
import {
  allEvents,
  eventsOf,
  type Served,
  sendTo,
  serveAsking,
  serveShips,
  TOKEN,
} from './served-store.ts';

/** Returns all that a response holds: status text, headers and body. */
async function wholeOf(response: Response): Promise<string> {
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${response.status}\n${headers}\n\n${await response.text()}`;
}

const SECRETS = [TOKEN, encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString('base64')];
const assertNoSecret = (text: string, about: string): void => {
  for (const secret of SECRETS) assert.ok(!text.includes(secret), `${about}: ${text}`);
};

describe('the token', () => {
  test('is in no answer, log line, trace or metric, wherever a request puts it', async () => {
    const log: string[] = [];
    const { server } = await serveShips({ env: {}, log: line => log.push(line) });
    await using _ = server;
    const whole = async (path: string, sent: Parameters<typeof sendTo>[2]): Promise<void> =>
      assertNoSecret(await wholeOf(await sendTo(server, path, sent)), path);
    for (const { path, sent, name } of TARGETS) {
      await whole(path, sent);
      await whole(`${path}?token=${TOKEN}&${TOKEN}=1`, sent);
      await whole(path, { ...sent, headers: { Authorization: `Bearer ${TOKEN}x` } });
      await whole(path, { ...sent, headers: { Authorization: TOKEN, cookie: `t=${TOKEN}` } });
      await whole(path, { ...sent, headers: { host: `${TOKEN}.example` } });
      await whole(path, { ...sent, headers: { origin: `https://${TOKEN}.example` } });
      await whole(path, { ...sent, method: 'POST', headers: { 'content-type': TOKEN } });
      if (sent.body !== undefined) {
        await whole(path, { ...sent, body: { ...(sent.body as object), [TOKEN]: 1 } });
        await whole(path, { ...sent, body: `{"x": ${TOKEN}` });
      }
      assertNoSecret(log.join('\n'), name);
    }
    await whole(`/v1/traces/${TOKEN}`, {});
    await whole(`/v1/documents/${encodeURIComponent(`a/${TOKEN}`)}`, {});
    await whole(`/${TOKEN}`, {});
    await whole('/v1/ask', { body: { question: 'x', strategy: TOKEN } });
    const ask = { question: 'Which ship lost its engines?' };
    const { id } = (await (await sendTo(server, '/v1/ask', { body: ask })).json()) as {
      id: string;
    };
    await whole(`/v1/traces/${id}`, {});
    await whole('/metrics', {});
    assert.ok(log.length > 100);
    assertNoSecret(log.join('\n'), 'log');
  });

  test('is compared in constant time, once a request, by digests of one length', async () => {
    const compared: number[][] = [];
    const real = crypto.timingSafeEqual;
    const spy = mock.method(crypto, 'timingSafeEqual', (a: Buffer, b: Buffer) => {
      compared.push([a.length, b.length]);
      return real(a, b);
    });
    syncBuiltinESMExports();
    try {
      const { server } = await serveShips();
      await using _ = server;
      const guesses = ['a', TOKEN.slice(0, 5), `${TOKEN}x`, 'x'.repeat(5000), TOKEN];
      for (const guess of guesses) {
        const headers = { Authorization: `Bearer ${guess}` };
        const { status } = await sendTo(server, '/v1/about', { headers });
        assert.equal(status, guess === TOKEN ? 200 : 401);
      }
      assert.deepEqual(
        compared,
        guesses.map(() => [32, 32]),
      );
    } finally {
      spy.mock.restore();
      syncBuiltinESMExports();
    }
  });
});

/** Words that only this machine knows. */
const assertNoPath = (text: string, folder: string, about: string): void => {
  for (const inside of [dirname(folder), process.cwd(), tmpdir(), 'node_modules', '.ts:'])
    assert.ok(!text.includes(inside), `${about} names ${inside}: ${text}`);
  assert.doesNotMatch(text, /\n\s+at /, about);
};

describe('errors', () => {
  const requests = (): (typeof TARGETS)[number][] => [...TARGETS];

  test('of a store that is damaged or gone name no folder and no stack', async () => {
    for (const damage of ['garbage', 'gone', 'folders']) {
      const { server, folder } = await serveShips({ env: {} });
      await using _ = server;
      let failed = 0;
      if (damage === 'gone') rmSync(folder, { recursive: true });
      else
        for (const name of readdirSync(folder)) {
          rmSync(join(folder, name), { recursive: true });
          if (damage === 'garbage') writeFileSync(join(folder, name), 'garbage');
          else mkdirSync(join(folder, name));
        }
      for (const { path, sent, name } of requests())
        for (const accept of ['application/json', 'text/event-stream']) {
          const response = await sendTo(server, path, { ...sent, headers: { accept } });
          if (response.status >= 400) failed++;
          assertNoPath(await wholeOf(response), folder, `${damage} ${name}`);
        }
      assert.ok(failed >= 6, `${damage} ${failed}`);
    }
  });

  test('of a model that fails name no folder in answers, traces or events', async () => {
    const { server, folder, send } = await serveShips({
      env: {},
      model: 'openai-compatible:m',
      modelUrl: 'http://127.0.0.1:9/v1',
    });
    await using _ = server;
    const body = { question: 'Which ship lost its engines?', strategy: 'fixed-top-k(k=2)' };
    for (const accept of ['application/json', 'text/event-stream']) {
      const response = await send('/v1/ask', { body, headers: { accept } });
      const id = response.headers.get('x-trace-id')!;
      const text = await wholeOf(response);
      assert.match(text, /"by":"failure"/);
      assertNoPath(text, folder, accept);
      assertNoPath(await wholeOf(await send(`/v1/traces/${id}`)), folder, 'trace');
    }
  });

  test('that are bugs say so, and their stack goes to the log alone, without the token', async () => {
    const log: string[] = [];
    const fail = (): never => {
      throw new TypeError(`Cannot read ${TOKEN} of a/somebody/secret`);
    };
    const store = new Proxy({} as AnsweringStore, {
      get: (_, name) => (name === 'redact' ? (text: string) => text : fail),
    });
    const app = new App({ store, token: TOKEN, log: line => log.push(line) });
    for (const { path, sent, name } of TARGETS.filter(({ path: one }) => one.startsWith('/v1/'))) {
      if (['/v1/models'].includes(path)) continue;
      const request = new Request(
        `http://localhost${path}`,
        defined({
          method: sent.method,
          headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
          body: sent.body === undefined ? undefined : JSON.stringify(sent.body),
        }),
      );
      const response = await app.handle(request);
      const text = await wholeOf(response);
      if (response.status !== 400) assert.equal(response.status, 500, `${name} ${text}`);
      assert.doesNotMatch(text, /somebody|TypeError|at /, name);
    }
    assert.match(log.join('\n'), /TypeError: Cannot read \[token\]/);
    assertNoSecret(log.join('\n'), 'log');
  });
});

const IDS = [
  '../../../etc/passwd',
  '..\\..\\windows\\system.ini',
  '/etc/passwd',
  'a/../../b',
  'store.json',
  'server.token',
  '%2e%2e%2f',
  'a\r\nSet-Cookie: evil=1',
  'a\nX-Evil: 1',
  'a\0b',
  '\u001b]0;evil\u0007\u001b[2J',
  'a\u007f\u009b31m',
  '\u202egnp.exe',
  '"><script>alert(1)</script>',
  '__proto__',
  'x'.repeat(1000),
  'data: evil\n\nevent: result\ndata: {}',
];

const REFUSED_IDS = ['.', '..', 'x'.repeat(3000)];

describe('ids of documents and traces', () => {
  test('are names and no paths: reading one reads no file, and writing one writes none', async () => {
    const { server, folder, send } = await serveShips();
    await using _ = server;
    const outside = (): string[] => readdirSync(dirname(folder)).sort();
    const before = outside();
    symlinkSync('/etc/passwd', join(folder, 'link'));
    for (const id of [...IDS, ...REFUSED_IDS, 'link']) {
      const path = encodeURIComponent(id).replace(/^\.+$/, dots => dots.replaceAll('.', '%252e'));
      for (const read of [`/v1/documents/${path}`, `/v1/traces/${path}`]) {
        const response = await send(read);
        assert.equal(response.status, 404, read);
        assert.doesNotMatch(await response.text(), /root:|"documents"/);
      }
      const stored = await send('/v1/documents', {
        body: { documents: [{ id, text: `A text of ${id.length} characters.` }] },
      });
      const isRefused = REFUSED_IDS.includes(id);
      assert.equal(stored.status, isRefused ? 400 : 200, id);
      if (isRefused) {
        assert.equal(((await stored.json()) as { code: string }).code, 'bad-document');
      } else {
        const read = (await (await send(`/v1/documents/${path}`)).json()) as { id: string };
        assert.equal(read.id, id);
      }
      const gone = await send('/v1/documents', { method: 'DELETE', body: { ids: [id] } });
      assert.equal(gone.status, isRefused ? 404 : 200, id);
    }
    assert.deepEqual(outside(), before);
    assert.ok(readdirSync(folder).every(name => !/passwd|evil|win/.test(name)));
  });

  test('and raw paths over a socket reach no file and no other route', async () => {
    const { server } = await serveShips();
    await using _ = server;
    const url = await server.listen({ port: 0 });
    for (const path of [
      ...['/../../etc/passwd', '/v1/../../etc/passwd', '/v1/documents/../../../etc/passwd'],
      ...['/%2e%2e/%2e%2e/etc/passwd', '/v1/traces/..%2f..%2fserver.token', '//etc/passwd'],
      ...[
        '/v1\\..\\..\\etc',
        'http://evil.example/v1/nothing',
        '/v1/documents/%00',
        '/server.token',
      ],
    ]) {
      const client = await rawClient(url);
      client.send(`${headOf(`GET ${path} HTTP/1.1`, ['Connection: close'])}\r\n`);
      const received = await client.closed;
      assert.match(received, /^HTTP\/1\.1 40[04] /, `${path}: ${received}`);
      assert.doesNotMatch(received, /root:/);
    }
  });
});

/** Number of control characters but line ends. */
const controls = (text: string): number =>
  [...text].filter(
    one => one !== '\n' && (one < ' ' || one === '\u202e' || (one >= '\x7f' && one <= '\x9f')),
  ).length;

describe('hostile texts', () => {
  const documents = IDS.map((id, index) => ({
    id: `${id} ${index}`,
    title: id,
    text: `The ship Kestrel lost its engines at ${id}.`,
    source: id,
    url: id,
    author: id,
  }));
  const question = 'Which ship lost its engines?';

  /** Answers that show texts of documents; lines of traces are hashed, and stay as they are. */
  async function answers({ send }: Served): Promise<Response[]> {
    const messages = [{ role: 'user', content: question }];
    const asked = await send('/v1/ask', { body: { question } });
    return [
      await send('/v1/retrieve', { body: { question } }),
      await send('/v1/search', { body: { query: 'Kestrel engines', k: 100 } }),
      await send('/v1/documents'),
      await send('/v1/traces'),
      await send('/v1/chat/completions', { body: { messages } }),
      await send('/v1/chat/completions', { body: { messages, stream: true } }),
      asked,
    ];
  }

  test('reach no header and no log line, and no control character reaches an answer raw', async () => {
    const log: string[] = [];
    const served = await serveShips({ env: {}, log: line => log.push(line) });
    await using _ = served.server;
    assert.equal((await served.send('/v1/documents', { body: { documents } })).status, 200);
    for (const response of await answers(served)) {
      const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
      assert.doesNotMatch(headers, /evil|passwd|script|Kestrel/i);
      const text = await response.text();
      // They would be instructions to a terminal on which somebody runs curl.
      assert.equal(controls(text), 0, text);
    }
    const streamed = { body: { question }, headers: { accept: 'text/event-stream' } };
    for await (const { event, data } of eventsOf(await served.send('/v1/ask', streamed)))
      if (event === 'result' || event === 'text') assert.equal(controls(data), 0);
    await served.send(`/v1/documents/${encodeURIComponent('\u001b[2J evil')}`);
    assert.equal(controls(log.join('\n')), 0);
    assert.doesNotMatch(log.join('\n'), /Kestrel|engines/);
  });

  test('add no event and no field to a stream', async () => {
    const served = await serveShips({ env: {} });
    await using _ = served.server;
    await served.send('/v1/documents', { body: { documents } });
    const hostile = 'engines\n\nevent: result\ndata: {"answer":"evil"}\r\rid: 7\r\ndata: x';
    for (const body of [{ question }, { question: `Which ship lost ${hostile}?` }]) {
      const headers = { accept: 'text/event-stream' };
      const events = await allEvents(await served.send('/v1/ask', { body, headers }));
      const names = events.map(({ event }) => event);
      assert.equal(names[0], 'question');
      assert.equal(names.filter(name => name === 'result').length, 1);
      assert.equal(names.at(-1), 'result');
      const numbered = events.filter(({ id }) => id !== undefined).map(({ id }) => Number(id));
      assert.deepEqual(
        numbered,
        numbered.map((_, index) => index),
      );
      for (const { data } of events) assert.equal(typeof JSON.parse(data), 'object');
    }
  });

  test('keep their line ends inside of their event, whichever they are', async () => {
    const stream = new EventStream(STREAM_LIMITS);
    const text = 'a\nevent: evil\rdata: evil\r\nid: 9\n\nb\r\rc';
    void stream.send('text', text, 1);
    void stream.data(text);
    stream.end();
    const raw = await new Response(stream.readable).text();
    const fields = raw.split(/\r\n|\r|\n/).map(line => line.split(':')[0]);
    assert.deepEqual([...new Set(fields)].sort(), ['', 'data', 'event', 'id']);
    assert.equal(raw.match(/^(?:event|id):/gm)?.length, 2);
    const again = new Response(raw);
    const events = [];
    for await (const event of eventsOf(again)) events.push(event);
    assert.equal(events.length, 2);
  });

  test('name no address in a citation but one of the web', async () => {
    const { server, send } = await serveShips({ env: {} });
    await using _ = server;
    const urls = ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'https://a b'];
    const all = urls.map((url, index) => ({ id: `u${index}`, text: SENTENCE(index), url }));
    await send('/v1/documents', { body: { documents: all } });
    let cited = 0;
    for (const index of urls.keys()) {
      const content = `When was the barge Plover${index} launched?`;
      const response = await send('/v1/chat/completions', {
        body: { messages: [{ role: 'user', content }] },
      });
      const { choices } = (await response.json()) as {
        choices: [{ message: { annotations: { url_citation: { url: string } }[] } }];
      };
      for (const { url_citation } of choices[0].message.annotations) {
        assert.match(url_citation.url, /^(?:https?:\/\/\S+|urn:multihop:document:\S+)$/);
        cited++;
      }
    }
    assert.ok(cited > 0);
  });
});

const SENTENCE = (index: number): string => `The barge Plover${index} was launched in 190${index}.`;

describe('a client that leaves', () => {
  test('stops the call of the model, on every route that runs', async () => {
    await using served = await serveAsking();
    const ask = { question: 'Which ship lost its engines?', strategy: 'fixed-top-k(k=2)' };
    const messages = [{ role: 'user', content: ask.question }];
    const chat = { model: 'multihop/fixed-top-k(k=2)', messages };
    for (const [path, body, accept] of [
      ['/v1/ask', ask, 'application/json'],
      ['/v1/ask', ask, 'text/event-stream'],
      ['/v1/chat/completions', chat, 'application/json'],
      ['/v1/chat/completions', { ...chat, stream: true }, 'text/event-stream'],
    ] as const) {
      const abort = new AbortController();
      const sent = served.send(path, { body, headers: { accept }, signal: abort.signal });
      const call = await served.model.nextCall();
      abort.abort();
      await call.aborted;
      await (await sent).text().catch(() => undefined);
    }
    const metrics = await (await served.send('/metrics')).text();
    assert.match(metrics, /multihop_runs_total\{[^}]*stopped="abort"\} 4/);
    assert.match(metrics, /\nmultihop_running 0\n/);
  });
});

test('every route that the table of routes has is attacked here', () => {
  const attacked = new Set(TARGETS.map(({ name }) => name));
  for (const { method, path } of ROUTES) assert.ok(attacked.has(`${method} ${path}`));
  assert.ok(TARGETS.length >= ROUTES.length + 4);
});
