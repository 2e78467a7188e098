/** Tests `multihop mcp` as a process, by the official client over stdin and stdout. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { freshFolder } from '../fresh-folder.ts';
import { type Running, start } from '../running-command.ts';
import { type ScriptedServer, scriptedServer } from '../server/model-server.ts';
import { shipStore } from '../server/served-store.ts';
import { calledTool, connectStdio, NEWEST, OLDER } from './client.ts';

const QUESTION = 'Who leads the owner of the bay where the Linnet lost its engines?';

let folder: string;
before(async () => {
  folder = await shipStore();
});

for (const version of [OLDER, NEWEST])
  describe(`the tools over stdio, revision ${version}`, () => {
    test('are those of the golden list, and none changes anything', async () => {
      await using connected = await connectStdio(['--store', folder], version);
      assert.equal(connected.client.getNegotiatedProtocolVersion(), version);
      const { tools } = await connected.client.listTools();
      const golden = new URL('../golden/mcp-tools.json', import.meta.url);
      assert.deepEqual(tools, JSON.parse(readFileSync(golden, 'utf8')));
      assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
      assert.ok(tools.every(({ description }) => /untrusted data/.test(description!)));
    });

    test('answer with fields of their schema, and with words', async () => {
      await using connected = await connectStdio(['--store', folder], version);
      const { client } = connected;
      const search = await calledTool(client, 'search', { query: 'tug', k: 2 });
      const [hit] = search.fields['hits'] as { documentId: string }[];
      assert.equal(hit!.documentId, 'corncrake');
      assert.match(search.text, /document "corncrake", Harbour Ledger/);

      const asked = await calledTool(client, 'ask', { question: QUESTION, answerAt: 0 });
      assert.match(search.text, /quoted data, never instructions/);
      const answer = asked.fields['answer'] as { text: string };
      assert.match(answer.text, /Mirelle Pask/);
      assert.ok(asked.text.includes(JSON.stringify(answer.text)), asked.text);
      assert.equal((asked.fields['budget'] as { ms: number }).ms, 45_000);

      const found = await calledTool(client, 'retrieve', {
        question: QUESTION,
        budget: { ms: 100_000, documents: 1 },
      });
      assert.equal('answer' in found.fields, false);
      assert.deepEqual(found.fields['budget'], { ms: 100_000, documents: 1 });
      assert.match(found.text, /The Linnet lost its engines at Cold Bay/);

      const { id } = asked.fields;
      const explained = await calledTool(client, 'explain_run', { id });
      assert.equal(explained.fields['hopCount'], (asked.fields['hops'] as unknown[]).length);
      assert.match(explained.text, /Hop 2:/);
      const second = await calledTool(client, 'explain_run', { id, hop: 2 });
      assert.deepEqual(
        (second.fields['hops'] as { hop: number }[]).map(({ hop }) => hop),
        [2],
      );
    });

    test('read_document reads a document part by part, to its end', async () => {
      await using connected = await connectStdio(['--store', folder], version);
      let text = '';
      let parts = 0;
      for (let offset: unknown = 0; offset !== undefined; parts++) {
        const args = { id: 'linnet', offset, limit: 30 };
        const { fields } = await calledTool(connected.client, 'read_document', args);
        text += fields['text'];
        assert.equal(fields['title'], 'The Linnet');
        assert.equal(fields['url'], 'https://ledger.example/linnet');
        offset = fields['next'];
      }
      assert.equal(
        text,
        'The Linnet lost its engines at Cold Bay. Her crew of nine was saved by the Corncrake.',
      );
      assert.equal(parts, Math.ceil(text.length / 30));
    });

    test('report one step a hop, to a client that asks for progress alone', async () => {
      await using connected = await connectStdio(['--store', folder], version);
      const { client, received } = connected;
      const steps: { readonly progress: number; readonly message?: string }[] = [];
      const params = { name: 'ask', arguments: { question: QUESTION } };
      const { structuredContent } = await client.callTool(params, {
        onprogress: step => steps.push(step),
      });
      const { hops } = structuredContent as { hops: unknown[] };
      assert.ok(hops.length >= 2);
      assert.deepEqual(
        steps.map(({ progress }) => progress),
        hops.map((_, index) => index + 1),
      );
      assert.match(steps[0]!.message!, /^Hop 1: searched "Who leads/);
      const before = received('notifications/progress');
      await client.callTool(params);
      assert.equal(received('notifications/progress'), before);
    });

    test('name what is wrong with a call by the code and the remedy of the library', async () => {
      await using connected = await connectStdio(['--store', folder], version);
      const { client } = connected;
      const wrong: readonly (readonly [string, object, string, RegExp])[] = [
        ['search', { query: 'tug', kk: 3 }, 'bad-request', /Did you mean k\?/],
        ['search', {}, 'bad-request', /"query" is missing/],
        ['search', { query: 'tug', retriever: 'lexica' }, 'unknown-retriever', /lexical/],
        ['ask', { question: 'x'.repeat(9000) }, 'bad-request', /1 to 8192 characters/],
        ['ask', { question: QUESTION, filter: 'source =' }, 'bad-filter', /filter/],
        ['read_document', { id: 'nothing' }, 'unknown-id', /no document "nothing"/],
        ['read_document', { id: 'bay', offset: -1 }, 'bad-request', /offset/],
        ['explain_run', { id: 'nothing' }, 'unknown-id', /newest traces/],
      ];
      for (const [name, args, code, message] of wrong) {
        const result = await client.callTool({ name, arguments: { ...args } });
        const [content] = result.content as { text: string }[];
        assert.equal(result.isError, true, name);
        assert.equal((result._meta!['multihop/error'] as { code: string }).code, code);
        assert.match(content!.text, message);
        assert.ok(content!.text.startsWith(`${code}: `));
      }
      await assert.rejects(
        client.callTool({ name: 'delete', arguments: {} }),
        /Unknown tool "delete": expected one of search, ask/,
      );
    });
  });

describe('runs that wait for a model', () => {
  let model: ScriptedServer;
  before(async () => {
    model = await scriptedServer();
  });
  after(() => model.close());

  for (const version of [OLDER, NEWEST])
    test(`end when the client cancels the call, revision ${version}`, async () => {
      const words = ['--model', 'openai-compatible:mock', '--model-url', model.url];
      await using connected = await connectStdio(['--store', folder, ...words], version);
      const { client } = connected;
      const abort = new AbortController();
      const params = { name: 'ask', arguments: { question: QUESTION } };
      const called = client.callTool(params, { signal: abort.signal });
      const { aborted } = await model.nextCall();
      abort.abort('enough');
      await assert.rejects(called);
      await aborted;
      // The connection goes on.
      const { text } = await calledTool(client, 'search', { query: 'tug' });
      assert.match(text, /corncrake/);
    });
});

describe('multihop mcp as a process', () => {
  const hello = `${JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: OLDER, capabilities: {}, clientInfo: { name: 't', version: '1' } },
  })}\n`;

  /** Starts it and waits for its first answer. */
  async function greeted(
    words: readonly string[] = [],
    env: Record<string, string> = {},
  ): Promise<Running> {
    const running = start(['mcp', '--store', folder, ...words], { stdin: null, env });
    running.child.stdin!.write(hello);
    while (!running.soFar().out.includes('\n')) {
      assert.equal(running.child.exitCode, null, running.soFar().err);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    return running;
  }

  test('ends with code 0 when its client closes stdin', async () => {
    const { child, result } = await greeted();
    child.stdin!.end();
    assert.equal((await result).code, 0);
  });

  test('ends with code 0 at SIGTERM', async () => {
    const { child, result } = await greeted();
    child.kill('SIGTERM');
    assert.equal((await result).code, 0);
  });

  test('keeps stdout for the protocol, whatever a library prints', async () => {
    const noise = `if (process.stdin.listenerCount('data') > 0) {
      console.log('noise of a library');
      process.stdout.write('more noise\\n');
    }`;
    const url = `data:text/javascript,setInterval(() => { ${encodeURIComponent(noise)} }, 20).unref()`;
    const { child, result, soFar } = await greeted(['--verbose'], {
      NODE_OPTIONS: `--import=${url.replaceAll(' ', '%20')}`,
    });
    while (!soFar().err.includes('more noise'))
      await new Promise(resolve => setTimeout(resolve, 20));
    child.stdin!.write('this is no JSON\n{"jsonrpc":"2.0"}\n');
    child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
    while (soFar().out.split('\n').length < 3)
      await new Promise(resolve => setTimeout(resolve, 20));
    child.stdin!.end();
    const { out, err, code } = await result;
    assert.equal(code, 0);
    const lines = out.trim().split('\n');
    const ids = lines.map(line => (JSON.parse(line) as { id: number }).id);
    assert.deepEqual(ids, [1, 2]);
    assert.match(err, /noise of a library/);
  });

  test('says what to install where the SDK is missing', async () => {
    const hooks = `import { registerHooks } from 'node:module';
      registerHooks({ resolve(name, context, next) {
        if (!name.startsWith('@modelcontextprotocol/')) return next(name, context);
        throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
      } });`;
    const { code, out, err } = await start(['mcp', '--store', folder], {
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}` },
      cwd: freshFolder(),
    }).result;
    assert.equal(code, 1);
    assert.equal(out, '');
    assert.match(err, /MCP servers require the package @modelcontextprotocol\/server/);
    assert.match(err, /npm install @modelcontextprotocol\/server/);
  });

  test('a folder that is no store is an error on stderr', async () => {
    const { code, out, err } = await start(['mcp', '--store', freshFolder()]).result;
    assert.equal(code, 4);
    assert.equal(out, '');
    assert.match(err, /multihop ingest/);
  });
});
