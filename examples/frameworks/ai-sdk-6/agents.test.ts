/** Tests the tools with AI SDK 6, and the retriever and the tools in an agent of VoltAgent. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore } from 'multihop';
import { aiSdkTools } from 'multihop/ai-sdk';
import { BUYER, fixtureStore, LENS_GRINDER, QUESTION } from '../fixture-store.ts';
import { scripted } from '../scripted-model.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const skip =
  !existsSync(`${HERE}/node_modules/@voltagent/core`) &&
  'needs npm --prefix examples/frameworks/ai-sdk-6 ci';
const script = { tool: 'retrieve', input: { question: QUESTION }, answer: 'Osk Maren' };
const budget = { documents: 3, contextTokens: 200 };

describe('AI SDK 6', { skip }, () => {
  let fixture: Awaited<ReturnType<typeof fixtureStore>>;
  before(async () => (fixture = await fixtureStore()));
  after(() => fixture.remove());

  test('a model reads the evidence of several documents, and the caller gets the record', async () => {
    const { generateText, stepCountIs } = await import('ai');
    const { MockLanguageModelV3 } = await import('ai/test');
    await using store = await openStore(fixture.path);
    const model = new MockLanguageModelV3(scripted(script));
    const tools = aiSdkTools(store, { budget });
    const asked = { model, tools, prompt: QUESTION, stopWhen: stepCountIs(3) };
    const { text, steps } = await generateText(asked);
    assert.equal(text, 'Osk Maren');
    const seen = JSON.stringify(model.doGenerateCalls[1]!.prompt.at(-1));
    assert.ok(seen.includes(BUYER) && seen.includes(LENS_GRINDER), seen);
    assert.ok(!seen.includes('predictedType'), seen);
    assert.ok('spent' in steps[0]!.staticToolResults[0]!.output);
  });

  test('an agent of VoltAgent gets the evidence by its retriever', async () => {
    const { Agent } = await import('@voltagent/core');
    const { MockLanguageModelV3 } = await import('ai/test');
    const { VoltAgentRetriever } = await import('multihop/voltagent');
    await using store = await openStore(fixture.path);
    const model = new MockLanguageModelV3(scripted({ ...script, input: { query: QUESTION } }));
    const retriever = new VoltAgentRetriever(store, { budget });
    const about = { name: 'a', instructions: 'Answer.', model };
    await new Agent({ ...about, retriever }).generateText(QUESTION);
    const first = JSON.stringify(model.doGenerateCalls[0]!.prompt);
    assert.ok(first.includes(BUYER) && first.includes(LENS_GRINDER), first);
    const content = [{ type: 'text' as const, text: QUESTION }];
    const found = await retriever.retrieve([{ role: 'user', content }]);
    assert.ok(found.includes(LENS_GRINDER), found);
  });

  test('an agent of VoltAgent calls the retriever as a tool', async () => {
    const { Agent } = await import('@voltagent/core');
    const { MockLanguageModelV3 } = await import('ai/test');
    const { VoltAgentRetriever } = await import('multihop/voltagent');
    await using store = await openStore(fixture.path);
    const model = new MockLanguageModelV3(scripted({ ...script, input: { query: QUESTION } }));
    const { tool } = new VoltAgentRetriever(store, { budget });
    const about = { name: 'a', instructions: 'Answer.', model };
    const { text } = await new Agent({ ...about, tools: [tool] }).generateText(QUESTION);
    assert.equal(text, 'Osk Maren');
    const seen = JSON.stringify(model.doGenerateCalls[1]!.prompt.at(-1));
    assert.ok(seen.includes(BUYER) && seen.includes(LENS_GRINDER), seen);
  });

  test('types', () => {
    const compiler = fileURLToPath(
      new URL('../../../node_modules/typescript/bin/tsc', import.meta.url),
    );
    const done = spawnSync(process.execPath, [compiler, '-p', HERE], { encoding: 'utf8' });
    assert.equal(done.status, 0, done.stdout);
  });
});
