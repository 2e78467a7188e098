/** Attacks the bodies and queries of a server: malformed, huge, nested and polluting values. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { PROBLEM_TYPE } from '../../src/server/problem-response.ts';
import { TARGETS } from './every-route.ts';
import { type Served, sendTo, serveShips, TOKEN } from './served-store.ts';

const READING = TARGETS.filter(({ sent }) => sent.body !== undefined);
const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype];

/** Describes the prototypes that a polluting value would change. */
const prototypes = (): string =>
  JSON.stringify(PROTOTYPES.map(one => Object.getOwnPropertyNames(one).sort()));

describe('bodies', () => {
  let served: Served;
  const log: string[] = [];
  before(async () => {
    served = await serveShips({
      env: {},
      log: line => log.push(line),
      budget: { hops: 1, ms: 2000 },
      limits: { perMinute: Number.POSITIVE_INFINITY },
    });
  });
  after(() => served.server.close());

  /** Sends bytes to every route with a body, and checks that none fails in itself. */
  async function sendAll(body: string | Uint8Array): Promise<number[]> {
    const statuses: number[] = [];
    for (const { path, sent, name } of READING) {
      const request = new Request(`http://127.0.0.1:7777${path}`, {
        method: sent.method,
        headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
        body: body as string,
      });
      const response = await served.server.handle(request);
      const text = await response.text();
      const about = `${name} ${String(body).slice(0, 200)}: ${text.slice(0, 300)}`;
      assert.notEqual(response.status, 500, about);
      assert.doesNotMatch(text, /\n\s+at |node_modules|file:\/\//, about);
      const type = response.headers.get('content-type');
      // The protocol of /mcp has errors of its own.
      if (path === '/mcp' && type === 'application/json') assert.match(text, /"error":\{"code":-/);
      else if (response.status >= 400) assert.equal(type, PROBLEM_TYPE, about);
      statuses.push(response.status);
    }
    return statuses;
  }

  const refusesAll = async (body: string | Uint8Array): Promise<void> => {
    const statuses = await sendAll(body);
    assert.deepEqual([...new Set(statuses)], [400], String(body).slice(0, 100));
  };

  test('that are no JSON or no UTF-8 are refused', async () => {
    const texts = [
      '',
      ' ',
      '{',
      '[',
      '"',
      'nul',
      '{"a":}',
      "{'a':1}",
      '{"a":1}}',
      '\0',
      'NaN',
      '1e',
    ];
    for (const text of [...texts, '{"question":"x",}', '/*a*/{}', '<x/>', '\u2028{'])
      await refusesAll(text);
    for (const bytes of [[0xff], [0x22, 0xc3, 0x22], [0xed, 0xa0, 0x80], [0x1f, 0x8b, 0x08, 0]])
      await refusesAll(Uint8Array.from(bytes));
    // A body that is compressed and does not say so.
    await refusesAll(gzipSync('x'.repeat(1_000_000)));
  });

  test('that are JSON of another shape are refused', async () => {
    for (const value of [null, true, 0, 'x', [], [{}], {}, { length: 1 }, { toString: 1 }])
      await refusesAll(JSON.stringify(value));
  });

  test('that are nested deeply are refused, whatever their size', async () => {
    for (const depth of [201, 5000, 150_000]) {
      await refusesAll('['.repeat(depth) + ']'.repeat(depth));
      await refusesAll(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    }
    for (const { path, sent } of READING) {
      const deep = `${'['.repeat(300)}${']'.repeat(300)}`;
      const body = `{"x":${deep},${JSON.stringify(sent.body).slice(1)}`;
      assert.equal((await sendTo(served.server, path, { ...sent, body })).status, 400);
    }
  });

  test('that pollute prototypes change none, as field, metadata or nested value', async () => {
    const before = prototypes();
    const pollution = '{"polluted":"yes","toString":"x","isAdmin":true}';
    for (const { path, sent } of READING)
      for (const key of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__']) {
        const own = JSON.stringify(sent.body).slice(1);
        for (const value of [pollution, `{"prototype":${pollution}}`, '["polluted"]', '"x"']) {
          const response = await sendTo(served.server, path, {
            method: sent.method,
            body: `{"${key}":${value},${own}`,
          });
          assert.ok([200, 400].includes(response.status), `${path} ${key}`);
        }
      }
    const documents = `{"documents":[{"id":"p","text":"A polluted text.","__proto__":["a"],
      "constructor":"c","metadata":{"__proto__":"x","constructor":"y","hasOwnProperty":"z"}}]}`;
    await sendTo(served.server, '/v1/documents', { body: documents });
    await sendTo(served.server, '/v1/search', {
      body: { query: 'polluted text', filter: '__proto__ = "x" or constructor = "y"' },
    });
    assert.equal(prototypes(), before);
    const fresh: Record<string, unknown> = {};
    assert.deepEqual(
      [fresh['polluted'], fresh['isAdmin'], fresh['a']],
      [undefined, undefined, undefined],
    );
    assert.equal((await served.send('/v1/documents/p')).status, 200);
  });

  test('of any JSON never fail in the server, nor do fields of any value', async () => {
    const before = prototypes();
    const names = ['question', 'query', 'messages', 'documents', 'ids', 'text', 'budget', 'filter'];
    const more = ['strategy', 'retriever', 'context', 'reader', 'answerAt', 'k', 'stream', 'model'];
    const key = fc.oneof(
      fc.constantFrom(...names, ...more, 'id', '__proto__', 'constructor', '', '\ud800', 'a.b'),
      fc.string({ maxLength: 5, unit: 'binary' }),
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        -1,
        0,
        1e300,
        Number.MAX_SAFE_INTEGER,
        '\0',
        '\u202e',
        '\ud83d',
        '((((',
        'a=b',
      ),
      fc.record({ hops: fc.integer(), ms: fc.double() }),
    );
    const body = fc.dictionary(key, value, { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(body, async given => {
        await sendAll(JSON.stringify(given));
      }),
      { numRuns: 60 },
    );
    const named = fc.tuple(fc.constantFrom(...READING), key, value);
    await fc.assert(
      fc.asyncProperty(named, async ([{ path, sent, name }, field, given]) => {
        const given1 = { ...(sent.body as object), [field]: given };
        const response = await sendTo(served.server, path, { method: sent.method, body: given1 });
        const text = await response.text();
        assert.notEqual(response.status, 500, `${name} ${JSON.stringify(given1)} ${text}`);
      }),
      { numRuns: 200 },
    );
    assert.equal(prototypes(), before);
    assert.deepEqual(
      log.filter(line => !/^(?:POST|PUT|DELETE|GET) /.test(line)),
      [],
    );
  });

  test('at the limit of a field are taken, and beyond it refused', async () => {
    const ids = (count: number): object => ({
      ids: Array.from({ length: count }, (_, n) => `${n}`),
    });
    const content = (length: number): object => ({
      messages: [{ role: 'user', content: 'x'.repeat(length) }],
    });
    const cases: readonly (readonly [path: string, body: object, status: number])[] = [
      ['POST /v1/search', { query: 'x'.repeat(8192) }, 200],
      ['POST /v1/search', { query: 'x'.repeat(8193) }, 400],
      ['POST /v1/ask', { question: 'x'.repeat(8193) }, 400],
      ['POST /v1/search', { query: 'x', k: 1000 }, 200],
      ['POST /v1/search', { query: 'x', k: 1001 }, 400],
      ['POST /v1/search', { query: 'x', filter: 'a'.repeat(8193) }, 400],
      ['POST /v1/search', { query: 'x', retriever: 'a'.repeat(1001) }, 400],
      ['DELETE /v1/documents', ids(1000), 404],
      ['DELETE /v1/documents', ids(1001), 400],
      ['POST /v1/chat/completions', content(8192), 200],
      ['POST /v1/chat/completions', content(8193), 400],
    ];
    for (const [at, [route, body, status]] of cases.entries()) {
      const [method, path] = route.split(' ') as [string, string];
      assert.equal((await served.send(path, { method, body })).status, status, `${at} ${route}`);
    }
  });

  test('are measured by what came, whatever length their header names', async () => {
    const search = async (query: string, length: string): Promise<number> => {
      const headers = { 'Content-Length': length };
      return (await served.send('/v1/search', { body: { query }, headers })).status;
    };
    for (const length of ['5', 'none', '-1', '0']) {
      assert.equal(await search('x', length), 200, length);
      assert.equal(await search('x'.repeat(1024 * 1024), length), 413, length);
    }
    assert.equal(await search('x', String(1024 * 1024 + 1)), 413);
  });

  test('filters and names that nest or repeat without end are refused at once', async () => {
    const filters = ['('.repeat(8000), 'not '.repeat(2000), `a = "${'\\'.repeat(8000)}`];
    const all = [...filters, 'a=1 and '.repeat(1000), `x in [${'"a",'.repeat(1900)}`];
    for (const filter of all) {
      const { status } = await served.send('/v1/search', { body: { query: 'x', filter } });
      assert.equal(status, 400, filter.slice(0, 30));
    }
    for (const name of [
      'fused('.repeat(160),
      'max-p('.repeat(100) + ')'.repeat(100),
      '('.repeat(999),
    ])
      for (const field of ['retriever', 'strategy', 'context', 'reader']) {
        const { status } = await served.send('/v1/ask', { body: { question: 'x', [field]: name } });
        assert.equal(status, 400, `${field} ${name.slice(0, 20)}`);
      }
  });

  test('a gzip bomb is refused before it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024, 0x20));
    for (const { path, sent } of READING) {
      const request = new Request(`http://127.0.0.1:7777${path}`, {
        method: sent.method,
        headers: {
          Authorization: `Bearer ${TOKEN}`,
          'Content-Type': 'application/json',
          'Content-Encoding': 'gzip',
        },
        body: bomb,
      });
      const response = await served.server.handle(request);
      assert.equal(response.status, 415);
      assert.equal(request.bodyUsed, false);
    }
  });
});
