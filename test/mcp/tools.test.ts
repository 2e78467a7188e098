/** Tests the tools by the official client: stdio and HTTP, an older revision and the newest. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { openServer, type StoreServer } from '../../src/server/open-server.ts';
import { type ScriptedServer, scriptedServer } from '../server/model-server.ts';
import { shipStore, TOKEN } from '../server/served-store.ts';
import { type Connected, calledTool, connectHttp, connectStdio, NEWEST, OLDER } from './client.ts';

const QUESTION = 'Who leads the owner of the bay where the Linnet lost its engines?';

let folder: string;
let model: ScriptedServer;
let server: StoreServer;
let url: string;
before(async () => {
  folder = await shipStore();
  model = await scriptedServer();
  server = await openServer(folder, { token: TOKEN });
  url = await server.listen({ port: 0 });
});
after(async () => {
  await server.close();
  await model.close();
});

const CONNECTIONS: readonly (readonly [string, string, () => Promise<Connected>])[] = [
  OLDER,
  NEWEST,
].flatMap(version => [
  ['stdio', version, () => connectStdio(['--store', folder], version)] as const,
  ['HTTP', version, () => connectHttp(url, version)] as const,
]);

for (const [transport, version, connect] of CONNECTIONS)
  describe(`the tools over ${transport}, revision ${version}`, () => {
    let connected: Connected;
    before(async () => {
      connected = await connect();
    });
    after(() => connected[Symbol.asyncDispose]());

    test('are those of the golden list, and none changes anything', async () => {
      assert.equal(connected.client.getNegotiatedProtocolVersion(), version);
      const { tools } = await connected.client.listTools();
      const golden = new URL('../golden/mcp-tools.json', import.meta.url);
      assert.deepEqual(tools, JSON.parse(readFileSync(golden, 'utf8')));
      assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
      assert.ok(tools.every(({ description }) => /untrusted data/.test(description!)));
    });

    test('answer with fields of their schema, and with words', async () => {
      const { client } = connected;
      const search = await calledTool(client, 'search', { query: 'tug', k: 2 });
      const [hit] = search.fields['hits'] as { documentId: string }[];
      assert.equal(hit!.documentId, 'corncrake');
      assert.match(search.text, /document "corncrake", Harbour Ledger/);

      const quoting = await calledTool(client, 'search', { query: 'tug "tug of no harbour"' });
      assert.deepEqual(quoting.fields['absentPhrases'], ['tug of no harbour']);
      assert.match(quoting.text, /No document holds the phrase "tug of no harbour"\./);
      assert.equal(search.fields['absentPhrases'], undefined);

      const asked = await calledTool(client, 'ask', { question: QUESTION, answerAt: 0 });
      assert.match(search.text, /quoted data, never instructions/);
      const answer = asked.fields['answer'] as { text: string };
      assert.match(answer.text, /Mirelle Pask/);
      assert.ok(asked.text.includes(JSON.stringify(answer.text)), asked.text);
      const { ms } = asked.fields['budget'] as { ms: number };
      // Less the time for which it waited for a place among the runs.
      assert.ok(ms > 40_000 && ms <= 45_000, `${ms} ms`);

      const found = await calledTool(client, 'retrieve', {
        question: QUESTION,
        budget: { ms: 100_000, documents: 1 },
      });
      assert.equal('answer' in found.fields, false);
      assert.deepEqual(found.fields['budget'], { ms: 100_000, documents: 1 });
      assert.match(found.text, /The Linnet lost its engines at Cold Bay/);
      assert.match(found.text, /read_document with id "linnet", or that of another passage\. /);

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

    test('ask a follow-up as a question that stands alone, and name it', async () => {
      const { client } = connected;
      const earlier = [{ question: 'Which tug saved the crew?', answer: 'Corncrake' }];
      const question = 'When was it built?';
      for (const tool of ['ask', 'retrieve']) {
        const { fields, text } = await calledTool(client, tool, { question, earlier });
        assert.equal((fields['question'] as { text: string }).text, 'When was Corncrake built?');
        assert.deepEqual(fields['followUp'], {
          asked: question,
          by: 'rules',
          turns: 1,
          of: 1,
          spent: {},
        });
        assert.match(text, /^Question asked: "When was Corncrake built\?"/);
      }
      const unsure = await calledTool(client, 'ask', { question: 'And the other one?', earlier });
      assert.match(unsure.text, /^Asked as it stands: it does not say/);
    });

    test('read_document reads a document part by part, to its end', async () => {
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

// A run that nobody cancels outlasts the test.
for (const version of [OLDER, NEWEST])
  describe(`a run that waits for a model, revision ${version}`, { timeout: 120_000 }, () => {
    const budget = { ms: 600_000 };
    const params = { name: 'ask', arguments: { question: QUESTION, reader: 'generative', budget } };

    /** Cancels a call in the middle of it, after which the connection goes on. */
    async function cancelled({ client }: Connected): Promise<void> {
      const abort = new AbortController();
      const called = client.callTool(params, { signal: abort.signal });
      const { aborted } = await model.nextCall();
      abort.abort('enough');
      await assert.rejects(called);
      await aborted;
      const { text } = await calledTool(client, 'search', { query: 'tug' });
      assert.match(text, /corncrake/);
    }

    test('ends over stdio when the client cancels the call', async () => {
      const words = [
        '--model',
        'openai-compatible:mock',
        '--model-url',
        model.url,
        '--budget',
        'ms=600000',
      ];
      await using connected = await connectStdio(['--store', folder, ...words], version);
      await cancelled(connected);
    });

    test('ends over HTTP when the client cancels the call', async () => {
      const options = { model: 'openai-compatible:mock', modelUrl: model.url };
      await using asking = await openServer(folder, { token: TOKEN, ...options });
      const at = await asking.listen({ port: 0, graceMs: 0 });
      await using connected = await connectHttp(at, version);
      await cancelled(connected);
    });
  });
