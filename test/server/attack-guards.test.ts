/** Attacks every route of a server past each guard: a new route is covered by the route table. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { defined } from '../../src/core/defined.ts';
import { PROBLEM_TYPE } from '../../src/server/problem-response.ts';
import { TARGETS, type Target } from './every-route.ts';
import { rawClient } from './raw-client.ts';
import { type Sent, type Served, sendTo, serveShips, TOKEN } from './served-store.ts';

const GUARD_STATUSES = [401, 403, 413, 415, 429];
const ALLOWED = 'https://app.example';

/** Headers that replace those of a right request; an empty one stands for a missing one. */
type Headers = Readonly<Record<string, string>>;

interface Attack {
  readonly what: string;
  readonly headers: Headers;
  readonly status: number;
  readonly code: string;
  /** Routes that the attack concerns; all of them if undefined. */
  readonly concerns?: (target: Target) => boolean;
}

const withToken = ({ access }: Target): boolean => access === 'token';
const withBody = ({ sent }: Target): boolean => sent.body !== undefined;
const attacksBy = (
  name: string,
  values: readonly string[],
  refusal: Pick<Attack, 'status' | 'code' | 'concerns'>,
): Attack[] =>
  values.map(value => ({ what: `${name}: ${value}`, headers: { [name]: value }, ...refusal }));

const HOSTS = ['evil.example', 'evil.example:7777', 'localhost.evil.example', '127.0.0.1.nip.io'];
const ODD_HOSTS = ['localhost.', '2130706433', '0x7f000001', '[evil]', '[::1].evil.example', 'a@b'];
const ORIGINS = ['https://evil.example', 'null', 'http://127.0.0.1:7778', 'http://localhost:7777'];
const ODD_ORIGINS = [
  'http://127.0.0.1:7777.evil.example',
  'https://app.example.evil.example',
  'http://app.example',
  'file://',
  'https://app.example, http://127.0.0.1:7777',
];
const BEARERS = [
  ...['wrong-token-0123456', TOKEN.slice(0, -1), `${TOKEN}x`, TOKEN.toUpperCase()],
  `${TOKEN} ${TOKEN}`,
].map(token => `Bearer ${token}`);

const ATTACKS: readonly Attack[] = [
  ...attacksBy('host', [...HOSTS, ...ODD_HOSTS], { status: 403, code: 'forbidden-host' }),
  ...attacksBy('origin', [...ORIGINS, ...ODD_ORIGINS], { status: 403, code: 'forbidden-origin' }),
  ...attacksBy('sec-fetch-site', ['cross-site', 'same-site'], {
    status: 403,
    code: 'forbidden-origin',
  }),
  ...attacksBy(
    'authorization',
    ['', ...BEARERS, TOKEN, 'Bearer', `Basic ${btoa(`x:${TOKEN}`)}`, `Token ${TOKEN}`],
    { status: 401, code: 'unauthorized', concerns: withToken },
  ),
  {
    what: 'the token in a cookie',
    headers: { authorization: '', cookie: `token=${TOKEN}` },
    status: 401,
    code: 'unauthorized',
    concerns: withToken,
  },
  ...attacksBy(
    'content-type',
    ['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a'],
    { status: 415, code: 'bad-content-type', concerns: withBody },
  ),
  ...attacksBy(
    'content-type',
    [
      'application/jsonx',
      'text/json',
      'application/json, text/plain',
      'text/plain; application/json',
    ],
    { status: 415, code: 'bad-content-type', concerns: withBody },
  ),
  ...attacksBy('content-encoding', ['gzip', 'br', 'deflate', 'gzip, gzip', 'x'], {
    status: 415,
    code: 'bad-content-encoding',
    concerns: withBody,
  }),
  ...attacksBy('content-length', ['99999999'], {
    status: 413,
    code: 'body-too-large',
    concerns: withBody,
  }),
];

function requestFor({ path, sent }: Target, headers: Headers, body = sent.body): Request {
  const right: Record<string, string> = {
    authorization: `Bearer ${TOKEN}`,
    'content-type': body === undefined ? '' : 'application/json',
    ...headers,
  };
  const given = Object.entries(right).filter(([, value]) => value !== '');
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return new Request(
    `http://127.0.0.1:7777${path}`,
    defined({
      method: sent.method,
      headers: given,
      // Bytes have no content type of their own, as a text has.
      body: body === undefined ? undefined : bytes,
    }),
  );
}

describe('every route', () => {
  let served: Served;
  before(async () => {
    const limits = { questionBytes: 2000, documentBytes: 2000 };
    served = await serveShips({ origins: [ALLOWED], hosts: ['Search.Example'], limits });
  });
  after(() => served.server.close());

  const send = (target: Target, headers: Headers, body?: unknown): Promise<Response> =>
    served.server.handle(requestFor(target, headers, body));

  /** Reads the documents and traces, which no attack may change. */
  async function state(): Promise<unknown> {
    const { documents } = (await (await served.send('/v1/documents')).json()) as {
      documents: unknown;
    };
    const { traces } = (await (await served.send('/v1/traces')).json()) as { traces: unknown };
    return { documents, traces };
  }

  test('refuses what each guard is for, with its code, and does nothing', async () => {
    const before = await state();
    let refused = 0;
    for (const target of TARGETS)
      for (const { what, headers, status, code, concerns } of ATTACKS) {
        if (concerns?.(target) === false) continue;
        const response = await send(target, headers);
        const about = `${target.name}, ${what}`;
        assert.equal(response.status, status, about);
        assert.equal(response.headers.get('content-type'), PROBLEM_TYPE, about);
        assert.equal(((await response.json()) as { code: string }).code, code, about);
        assert.equal(response.headers.get('access-control-allow-origin'), null, about);
        refused++;
      }
    assert.ok(refused > 400, String(refused));
    assert.deepEqual(await state(), before);
  });

  test('refuses a body that is larger than it says', async () => {
    for (const target of TARGETS.filter(withBody)) {
      const response = await send(target, {}, `{"x":"${'x'.repeat(2000)}"}`);
      assert.equal(response.status, 413, target.name);
      assert.equal(response.headers.get('connection'), 'close', target.name);
    }
  });

  test('lets a right request through, and does not let a token in its address through', async () => {
    for (const target of TARGETS) {
      const path = `${target.path}?token=${TOKEN}&access_token=${TOKEN}`;
      const named = await send({ ...target, path }, { authorization: '' });
      assert.equal(named.status === 401, target.access === 'token', target.name);
    }
    const { served: fresh, close } = await freshly();
    for (const target of TARGETS)
      for (const headers of [
        {},
        { host: 'LOCALHOST:7777' },
        { host: '[::1]:7777' },
        { host: 'search.example' },
        { origin: ALLOWED },
        { origin: 'http://127.0.0.1:7777', host: '127.0.0.1:7777' },
        { authorization: `bearer ${TOKEN}` },
        { 'sec-fetch-site': 'same-origin' },
        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      ] as readonly Headers[]) {
        const response = await fresh.server.handle(requestFor(target, headers));
        const about = `${target.name} ${JSON.stringify(headers)}`;
        assert.ok(!GUARD_STATUSES.includes(response.status), `${about}: ${response.status}`);
      }
    await close();
  });

  test('answers the preflight of an allowed origin alone, and names it exactly', async () => {
    for (const { path, name } of TARGETS)
      for (const [origin, allowed] of [
        [ALLOWED, ALLOWED],
        ['https://evil.example', null],
        ['null', null],
        [`${ALLOWED}.evil.example`, null],
      ] as const) {
        const asked = { 'access-control-request-method': 'POST' };
        const sent: Sent = { method: 'OPTIONS', headers: { origin, ...asked } };
        const { headers, status } = await sendTo(served.server, path, sent);
        assert.equal(headers.get('access-control-allow-origin'), allowed, `${name} ${origin}`);
        assert.equal(headers.get('access-control-allow-credentials'), null);
        assert.equal(status === 204, allowed !== null, `${name} ${origin}`);
        if (allowed !== null) assert.equal(headers.get('vary'), 'Origin');
      }
  });

  test('states what a browser may do with its answer', async () => {
    for (const target of TARGETS)
      for (const headers of [{}, { host: 'evil.example' }] as readonly Headers[]) {
        const response = await send(target, headers);
        const policy = response.headers.get('content-security-policy');
        assert.equal(policy, "default-src 'none'; frame-ancestors 'none'", target.name);
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
        assert.equal(response.headers.get('cache-control'), 'no-store');
        assert.equal(response.headers.get('cross-origin-resource-policy'), 'same-origin');
      }
  });

  test('is reached by its own method alone', async () => {
    const known = new Set(TARGETS.map(({ path, sent }) => `${sent.method} ${path}`));
    for (const { path } of TARGETS)
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
        if (known.has(`${method} ${path}`)) continue;
        const response = await sendTo(served.server, path, {
          method,
          headers: { 'Content-Type': 'application/json' },
        });
        assert.equal(response.status, 404, `${method} ${path}`);
      }
  });
});

async function freshly(): Promise<{ served: Served; close(): Promise<void> }> {
  const served = await serveShips({ origins: [ALLOWED], hosts: ['Search.Example'] });
  return { served, close: () => served.server.close() };
}

test('DNS rebinding: over a socket too, no route answers a name that the server does not allow', async () => {
  const { server } = await serveShips();
  await using _ = server;
  const url = await server.listen({ port: 0 });
  const { port } = new URL(url);
  for (const { path, sent, name } of TARGETS)
    for (const host of ['rebound.evil.example', `rebound.evil.example:${port}`]) {
      const client = await rawClient(url);
      const body = sent.body === undefined ? '' : JSON.stringify(sent.body);
      const headers = [
        `${sent.method} ${path} HTTP/1.1`,
        ...[`Host: ${host}`, `Authorization: Bearer ${TOKEN}`, `Origin: http://${host}`],
        ...['Content-Type: application/json', `Content-Length: ${body.length}`],
        'Connection: close',
      ];
      client.send(`${headers.join('\r\n')}\r\n\r\n${body}`);
      const received = await client.closed;
      assert.match(received, /^HTTP\/1\.1 403 /, name);
      assert.match(received, /"forbidden-host"/, name);
    }
});
