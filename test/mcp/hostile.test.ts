/** Tests that no input ends a server or becomes a bug: it gives a result or a typed error. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { defined } from '../../src/core/defined.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { start } from '../running-command.ts';
import { type Served, serveShips, shipStore } from '../server/served-store.ts';
import { NEWEST, OLDER } from './client.ts';

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Reply {
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
    readonly _meta?: Readonly<Record<string, { readonly code: string }>>;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

describe('hostile calls', () => {
  const logged: string[] = [];
  let served: Served;
  before(async () => {
    served = await serveShips({ log: line => logged.push(line) });
  });
  after(() => served.server.close());

  async function called(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const accept = { Accept: 'application/json, text/event-stream' };
    return served.send('/mcp', { body, headers: { ...accept, ...headers } });
  }

  async function replyOf(response: Response): Promise<Reply> {
    const body = await response.text();
    const data = /^data: (\{.*)$/m.exec(body)?.[1] ?? body;
    return JSON.parse(data) as Reply;
  }

  const names = fc.constantFrom(...TOOLS.map(({ name }) => name), 'nothing', '__proto__');
  const fields = fc.constantFrom(
    ...new Set(TOOLS.flatMap(({ input }) => Object.keys(input['properties'] as object))),
  );
  const value = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.constantFrom(
      'linnet',
      'lexical',
      'fixed-top-k(k=1e9)',
      'source = "x" and (',
      '😀',
      '\u0000',
    ),
  );
  const args = fc.oneof(
    fc.dictionary(fields, value, { maxKeys: 4 }),
    fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }),
    fc.record({ id: fc.constant('linnet'), offset: value, limit: value }),
    fc.record({ question: fc.string({ unit: 'binary', minLength: 1 }), budget: value }),
  );

  for (const version of [OLDER, NEWEST])
    test(`answer with a result or a code, revision ${version}`, async () => {
      const isModern = version === NEWEST;
      const known = /^[a-z][a-z0-9-]+: /;
      await fc.assert(
        fc.asyncProperty(names, args, async (name, given) => {
          const params = defined({
            name,
            arguments: given,
            _meta: isModern ? MODERN_META : undefined,
          });
          const headers: Record<string, string> = isModern
            ? { 'Mcp-Method': 'tools/call', 'Mcp-Name': name, 'MCP-Protocol-Version': NEWEST }
            : {};
          const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
          const response = await called(body, headers);
          assert.ok(response.status < 500, String(response.status));
          const { result, error } = await replyOf(response);
          if (error) return assert.ok(error.code < 0 && error.message !== '');
          if (!result!.isError) return;
          assert.notEqual(result!._meta!['multihop/error']!.code, 'bug', JSON.stringify(given));
          assert.match(result!.content![0]!.text, known);
        }),
        { numRuns: 150 },
      );
    });

  test('bodies of any JSON are answered, and nothing of them is a bug', async () => {
    const method = fc.constantFrom('tools/call', 'initialize', 'resources/read', 'ping', 'x');
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0', 2),
        id: fc.jsonValue(),
        method,
        params: fc.oneof(
          fc.jsonValue(),
          fc.record({ uri: value, name: value, _meta: fc.jsonValue() }),
        ),
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(fc.jsonValue(), message, fc.array(message, { maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(body, async given => {
        const response = await called(given);
        assert.ok(response.status < 500, `${response.status} ${JSON.stringify(given)}`);
        await response.text();
      }),
      { numRuns: 200 },
    );
    assert.deepEqual(
      logged.filter(line => /^\s+at /m.test(line)),
      [],
    );
  });
});

test('a process answers on after lines of any bytes', async () => {
  const folder = await shipStore();
  const { child, result, soFar } = start(['mcp', '--store', folder], { stdin: null });
  const lines = fc.sample(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc
        .record({ jsonrpc: fc.constant('2.0'), id: fc.jsonValue(), method: fc.string() })
        .map(one => JSON.stringify(one)),
    ),
    200,
  );
  for (const line of lines) child.stdin!.write(`${line.replaceAll('\n', ' ')}\n`);
  const params = {
    protocolVersion: OLDER,
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  };
  const greeting = { jsonrpc: '2.0', id: 'last', method: 'initialize', params };
  child.stdin!.write(`${JSON.stringify(greeting)}\n`);
  while (!/"id":"last"/.test(soFar().out)) {
    assert.equal(child.exitCode, null, soFar().err);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  child.stdin!.end();
  const { code, out } = await result;
  assert.equal(code, 0);
  for (const line of out.trim().split('\n')) JSON.parse(line);
});
