/** Tests the tools inside `generateText` of the installed AI SDK, and the program with a server. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openStore } from 'multihop';
import { aiSdkTools } from 'multihop/ai-sdk';
import {
  BUYER,
  fixtureStore,
  LENS_GRINDER,
  lacks,
  QUESTION,
  runExample,
} from '../fixture-store.ts';
import { scripted } from '../scripted-model.ts';

const answer = 'Under Osk Maren (Quill Works opens a second furnace).';

describe('multihop/ai-sdk with AI SDK 7', { skip: lacks('ai') }, () => {
  let fixture: Awaited<ReturnType<typeof fixtureStore>>;
  before(async () => (fixture = await fixtureStore()));
  after(() => fixture.remove());

  async function ask(tool: string, input: object) {
    const { generateText, isStepCount } = await import('ai');
    const { MockLanguageModelV4 } = await import('ai/test');
    const model = new MockLanguageModelV4(scripted({ tool, input, answer }));
    await using store = await openStore(fixture.path);
    const tools = aiSdkTools(store, { budget: { documents: 3, contextTokens: 200 } });
    const result = await generateText({
      ...{ model, tools, prompt: QUESTION, stopWhen: isStepCount(3) },
    });
    const seen = JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1));
    return { model, result, seen };
  }

  test('a model reads the evidence of several documents, and the caller gets the record', async () => {
    const { result, seen } = await ask('retrieve', { question: QUESTION });
    assert.equal(result.text, answer);
    assert.ok(seen.includes(BUYER) && seen.includes(LENS_GRINDER), seen);
    const { output } = result.steps[0]!.staticToolResults[0]!;
    const evidence = output['evidence'] as { documentId: string; title: string }[];
    assert.equal(new Set(evidence.map(({ documentId }) => documentId)).size, 3);
    assert.ok(!seen.includes('predictedType') && 'spent' in output, seen);
  });

  test('each tool gives the model a result in words', async () => {
    const inputs = {
      search: { query: 'lighthouse', k: 2 },
      ask: { question: QUESTION },
      read_document: { id: 'quill-works' },
    };
    for (const [tool, input] of Object.entries(inputs)) {
      const { result, seen } = await ask(tool, input);
      const { output } = result.steps[0]!.staticToolResults[0]!;
      assert.ok(output.modelText.length > 40 && seen.includes('"type":"text"'), seen);
    }
  });

  test('the model is shown what it may choose, and a call that breaks it does not search', async () => {
    const { model, result } = await ask('retrieve', { query: QUESTION });
    const offered = model.doGenerateCalls[0]!.tools!.map(each => {
      assert.ok(each.type === 'function');
      return [each.name, Object.keys(each.inputSchema.properties!), each.inputSchema.required];
    });
    assert.deepEqual(offered, [
      ['search', ['query', 'k', 'filter'], ['query']],
      ['ask', ['question', 'filter'], ['question']],
      ['retrieve', ['question', 'filter'], ['question']],
      ['read_document', ['id', 'offset', 'limit'], ['id']],
      ['explain_run', ['id', 'hop'], ['id']],
    ]);
    const { staticToolResults, content } = result.steps[0]!;
    assert.deepEqual(staticToolResults, []);
    assert.ok(content.some(({ type }) => type === 'tool-error'));
  });

  test('an aborted call ends its search, and a budget holds', async () => {
    await using store = await openStore(fixture.path);
    const { retrieve } = aiSdkTools(store, { budget: { documents: 1 } });
    const abortSignal = AbortSignal.abort(new Error('closed'));
    const aborted = await retrieve.execute({ question: QUESTION }, { abortSignal });
    assert.deepEqual([aborted['evidence'], aborted['stopped']], [[], { by: 'abort' }]);
    const { spent } = (await retrieve.execute({ question: QUESTION }, {})) as { spent?: object };
    assert.equal((spent as { documents: number }).documents, 1);
  });

  test('the words of a run are its evidence, and with hints end with ids for other tools', async () => {
    await using store = await openStore(fixture.path);
    const words = async (hints?: boolean): Promise<string> =>
      (await aiSdkTools(store, { hints }).retrieve.execute({ question: QUESTION }, {})).modelText;
    const [alone, hinted] = [await words(), await words(true)];
    assert.match(alone, /<<end>>$/);
    assert.match(hinted, /<<end>>\n\nMore of a document: read_document with id/);
    assert.equal(hinted.slice(0, alone.length), alone);
    assert.equal(alone.split('Quill Works opens a second furnace').length, 2, alone);
  });

  test('members are those of the program, and another store is refused', async () => {
    await using store = await openStore(fixture.path);
    const { retrieve } = aiSdkTools(store, { strategy: 'fixed-top-k(k=2)' });
    const { strategy } = await retrieve.execute({ question: QUESTION, k: 3 } as never, {}).then(
      () => assert.fail(),
      () => retrieve.execute({ question: QUESTION }, {}),
    );
    assert.equal(strategy, 'fixed-top-k(k=2)');
    const { search, read_document } = aiSdkTools(store, { filter: 'source = "nowhere"' });
    await assert.rejects(search.execute({ query: QUESTION }, {}), /nowhere/);
    // A document outside the filter is as unknown as one that is not there.
    await assert.rejects(read_document.execute({ id: 'quill-works' }, {}), { code: 'unknown-id' });
    const free = aiSdkTools(store, { filter: false }).search;
    const offered = free.inputSchema['~standard'].jsonSchema.input();
    assert.deepEqual(Object.keys(offered['properties'] as object), ['query', 'k']);
    assert.ok((await free.execute({ query: QUESTION }, {}))['hits']);
    assert.throws(() => aiSdkTools({ ...store } as never), { code: 'bad-store' });
    for (const [options, code] of [
      [{ strategy: 'fact-lane' }, 'unknown-strategy'],
      [{ reader: 'extractiv' }, 'unknown-reader'],
      [{ answerAt: 70 }, 'bad-answer-at'],
      [{ budget: { ms: -1 } }, 'bad-limit'],
      [{ filter: 'source =' }, 'bad-filter'],
    ] as const)
      assert.throws(() => aiSdkTools(store, options), { code });
  });

  test('the program asks a model behind a server and prints its answer and the titles', async () => {
    const bodies: { messages: { role: string; content: string }[] }[] = [];
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      bodies.push(JSON.parse(text));
      const call = { name: 'retrieve', arguments: JSON.stringify({ question: QUESTION }) };
      const calls = [{ id: 'a', type: 'function', function: call }];
      const message =
        bodies.length === 1
          ? { role: 'assistant', content: null, tool_calls: calls }
          : { role: 'assistant', content: answer };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const words = ['ai-sdk/ask.ts', fixture.path, QUESTION];
    const lines = (await runExample(words, { MODEL_URL: url })).trim().split('\n');
    assert.equal(lines[0], answer);
    assert.ok(lines.includes('- Quill Works opens a second furnace'), lines.join('\n'));
    const last = bodies[1]!.messages.at(-1)!;
    assert.equal(last.role, 'tool');
    assert.ok(last.content.includes(BUYER) && last.content.includes(LENS_GRINDER), last.content);
  });
});
