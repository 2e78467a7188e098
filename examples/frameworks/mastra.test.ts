/** Tests the tools inside an agent of the installed Mastra. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openStore } from 'multihop';
import { BUYER, fixtureStore, LENS_GRINDER, lacks, QUESTION } from './fixture-store.ts';
import { scripted } from './scripted-model.ts';

describe('multihop/mastra', { skip: lacks('@mastra/core') }, () => {
  let fixture: Awaited<ReturnType<typeof fixtureStore>>;
  before(async () => (fixture = await fixtureStore()));
  after(() => fixture.remove());

  test('an agent reads the evidence of several documents, and its steps have the record', async () => {
    const { Agent } = await import('@mastra/core/agent');
    const { MockLanguageModelV4 } = await import('ai/test');
    const { mastraTools } = await import('multihop/mastra');
    await using store = await openStore(fixture.path);
    const input = { question: QUESTION };
    const model = new MockLanguageModelV4(
      scripted({ tool: 'retrieve', input, answer: 'Osk Maren' }),
    );
    const tools = mastraTools(store, { budget: { documents: 3, contextTokens: 200 } });
    const about = { id: 'a', name: 'a', instructions: 'Answer.' };
    const agent = new Agent({ ...about, model: model as never, tools });
    const { text, toolResults } = await agent.generate(QUESTION);
    assert.equal(text, 'Osk Maren');
    const calls = [...model.doStreamCalls, ...model.doGenerateCalls];
    const seen = JSON.stringify(calls[1]!.prompt.at(-1));
    assert.ok(seen.includes(BUYER) && seen.includes(LENS_GRINDER), seen);
    assert.ok(!seen.includes('predictedType'), seen);
    const { result } = toolResults[0]!.payload as { result: { evidence: object[] } };
    assert.equal(result.evidence.length > 1, true);
  });

  test('arguments that break the schema do not search', async () => {
    const { mastraTools } = await import('multihop/mastra');
    await using store = await openStore(fixture.path);
    const { search } = mastraTools(store);
    const refused = (await search.execute!({ q: 'lighthouse' }, {} as never)) as {
      error?: boolean;
    };
    assert.equal(refused.error, true, JSON.stringify(refused));
  });

  test('an aborted call ends its search', async () => {
    const { mastraTools } = await import('multihop/mastra');
    await using store = await openStore(fixture.path);
    const { retrieve } = mastraTools(store);
    const abortSignal = AbortSignal.abort(new Error('closed'));
    const found = await retrieve.execute!({ question: QUESTION }, { abortSignal } as never);
    assert.deepEqual((found as { stopped?: object }).stopped, { by: 'abort' });
  });
});
