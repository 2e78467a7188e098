/** Tests the tool inside `generateText` of the installed AI SDK, and the program with a server. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openStore } from 'multihop';
import {
  BUYER,
  fixtureStore,
  LENS_GRINDER,
  lacks,
  QUESTION,
  runExample,
} from '../fixture-store.ts';

const ANSWER = 'Under Osk Maren (Quill Works opens a second furnace).';
const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

describe('example: a tool of the AI SDK', { skip: lacks('ai') }, () => {
  let fixture: Awaited<ReturnType<typeof fixtureStore>>;
  before(async () => (fixture = await fixtureStore()));
  after(() => fixture.remove());

  /** A model that calls the tool with `input`, and answers once it has the result. */
  async function ask(input: object) {
    const { generateText, isStepCount } = await import('ai');
    const { MockLanguageModelV4 } = await import('ai/test');
    const { evidenceTool } = await import('./evidence-tool.ts');
    const call = { toolCallId: 'a', toolName: 'findEvidence', input: JSON.stringify(input) };
    const [tools, stop] = [{ unified: 'tool-calls' } as const, { unified: 'stop' } as const];
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        const asked = prompt.some(({ role }) => role === 'tool');
        return {
          content: [asked ? { type: 'text', text: ANSWER } : { type: 'tool-call', ...call }],
          finishReason: { ...(asked ? stop : tools), raw: undefined },
          ...{ usage: USAGE, warnings: [] },
        };
      },
    });
    await using store = await openStore(fixture.path);
    const result = await generateText({
      ...{ model, prompt: QUESTION, stopWhen: isStepCount(3) },
      tools: { findEvidence: evidenceTool(store, { documents: 3, contextTokens: 200 }) },
    });
    return { model, result };
  }

  test('a model gets the evidence of several documents, and the caller their titles', async () => {
    const { model, result } = await ask({ question: QUESTION });
    assert.equal(result.text, ANSWER);
    const seen = JSON.stringify(model.doGenerateCalls[1]!.prompt.at(-1));
    assert.ok(seen.includes(BUYER) && seen.includes(LENS_GRINDER), seen);
    const { output } = result.steps[0]!.staticToolResults[0]!;
    const { sources } = output;
    assert.equal(sources.length, 3);
    assert.equal(new Set(sources.map(({ id }) => id)).size, 3);
    const works = sources.find(({ id }) => id === 'quill-works');
    assert.equal(works?.title, 'Quill Works opens a second furnace');
  });

  test('the model is shown the schema, and a call that breaks it does not search', async () => {
    const { model, result } = await ask({ query: QUESTION });
    const [offered] = model.doGenerateCalls[0]!.tools!;
    assert.ok(offered?.type === 'function');
    assert.deepEqual(offered.inputSchema.required, ['question']);
    assert.deepEqual(result.steps[0]!.staticToolResults, []);
    assert.ok(result.steps[0]!.content.some(({ type }) => type === 'tool-error'));
  });

  test('an aborted call ends its search', async () => {
    const { evidenceTool } = await import('./evidence-tool.ts');
    await using store = await openStore(fixture.path);
    const options = { toolCallId: 'a', messages: [], context: {} };
    const { execute } = evidenceTool(store);
    const signal = AbortSignal.abort(new Error('closed'));
    const run = execute!({ question: QUESTION }, { ...options, abortSignal: signal });
    const found = (await run) as { evidence: string; stopped?: object };
    assert.deepEqual([found.evidence, found.stopped], ['', { by: 'abort' }]);
  });

  test('the program asks a model behind a server and prints its answer and the titles', async () => {
    const bodies: { messages: { role: string; content: string }[] }[] = [];
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      bodies.push(JSON.parse(text));
      const call = { name: 'findEvidence', arguments: JSON.stringify({ question: QUESTION }) };
      const calls = [{ id: 'a', type: 'function', function: call }];
      const message =
        bodies.length === 1
          ? { role: 'assistant', content: null, tool_calls: calls }
          : { role: 'assistant', content: ANSWER };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const words = ['ai-sdk/ask.ts', fixture.path, QUESTION];
    const lines = (await runExample(words, { MODEL_URL: url })).trim().split('\n');
    assert.equal(lines[0], ANSWER);
    assert.ok(lines.includes('- Quill Works opens a second furnace'), lines.join('\n'));
    const last = bodies[1]!.messages.at(-1)!;
    assert.equal(last.role, 'tool');
    assert.ok(last.content.includes(BUYER) && last.content.includes(LENS_GRINDER), last.content);
  });
});
