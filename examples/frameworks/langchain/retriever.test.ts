/** Tests the retriever in chains of the installed LangChain.js, and the tools in LangGraph. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openStore } from 'multihop';
import { strategies } from 'multihop/strategies';
import {
  BUYER,
  fixtureStore,
  LENS_GRINDER,
  lacks,
  QUESTION,
  runExample,
} from '../fixture-store.ts';

describe('multihop/langchain', { skip: lacks('@langchain/core') }, () => {
  let fixture: Awaited<ReturnType<typeof fixtureStore>>;
  before(async () => (fixture = await fixtureStore()));
  after(() => fixture.remove());

  test('invoke returns a document for each that holds evidence, best first', async () => {
    const { StoreRetriever } = await import('multihop/langchain');
    await using store = await openStore(fixture.path);
    const budget = { documents: 3 };
    const found = await new StoreRetriever(store, { budget }).invoke(QUESTION);
    const expected = await store.retrieve(QUESTION, { budget });
    assert.deepEqual(
      found.map(({ id }) => id),
      expected.context.parts.map(({ documentId }) => documentId),
    );
    assert.equal(found.map(({ pageContent }) => pageContent).join('\n\n'), expected.context.text);
    const works = found.find(({ id }) => id === 'quill-works')!;
    assert.ok(works.pageContent.includes(LENS_GRINDER));
    const { title, source, score } = works.metadata;
    assert.deepEqual([title, source], ['Quill Works opens a second furnace', 'Tarn Gazette']);
    assert.ok(score > 0);
  });

  test('passes a filter on', async () => {
    const { StoreRetriever } = await import('multihop/langchain');
    await using store = await openStore(fixture.path);
    const retriever = new StoreRetriever(store, { filter: 'source = "Tarn Gazette"' });
    const sources = (await retriever.invoke(QUESTION)).map(({ metadata }) => metadata['source']);
    assert.ok(sources.length > 0);
    assert.deepEqual([...new Set(sources)], ['Tarn Gazette']);
  });

  test('refuses options that a call would refuse when it is made, not those made in code', async () => {
    const { StoreRetriever } = await import('multihop/langchain');
    await using store = await openStore(fixture.path);
    const made = (options: object) => () => new StoreRetriever(store, options);
    assert.throws(made({ strategy: 'iterativ' }), { code: 'unknown-strategy' });
    assert.throws(made({ filter: 'source =' }), { code: 'bad-filter' });
    assert.throws(made({ budget: { documents: -1 } }), { name: 'InputError' });
    assert.doesNotThrow(made({ strategy: strategies.create('fixed-top-k'), context: undefined }));
  });

  test('reports its runs to the callbacks of LangChain, and its errors', async () => {
    const { StoreRetriever } = await import('multihop/langchain');
    const store = await openStore(fixture.path);
    const seen: string[] = [];
    const callbacks = [
      {
        handleRetrieverStart: (): unknown => seen.push('start'),
        handleRetrieverEnd: (documents: readonly unknown[]): unknown =>
          seen.push(`${documents.length} documents`),
        handleRetrieverError: (error: Error & { code?: string }): unknown => seen.push(error.code!),
      },
    ];
    const retriever = new StoreRetriever(store, { budget: { documents: 2 } }, { callbacks });
    await retriever.invoke(QUESTION);
    await store.close();
    await assert.rejects(retriever.invoke(QUESTION), { code: 'store-closed' });
    assert.deepEqual(seen, ['start', '2 documents', 'start', 'store-closed']);
  });

  test('an agent of LangGraph reads the evidence in words, and the record is the artifact', async () => {
    const { AIMessage, ToolMessage } = await import('@langchain/core/messages');
    const { createReactAgent } = await import('@langchain/langgraph/prebuilt');
    const { BaseChatModel } = await import('@langchain/core/language_models/chat_models');
    const { langchainTools } = await import('multihop/langchain');
    class Scripted extends BaseChatModel {
      override _llmType() {
        return 'scripted';
      }
      override bindTools() {
        return this;
      }
      override async _generate(messages: { type: string }[]) {
        const isAsked = messages.some(({ type }) => type === 'tool');
        const call = { name: 'retrieve', args: { question: QUESTION }, id: 'a' };
        const message = isAsked
          ? new AIMessage('Osk Maren')
          : new AIMessage({ content: '', tool_calls: [call] });
        return { generations: [{ text: '', message }] };
      }
    }
    await using store = await openStore(fixture.path);
    const tools = Object.values(langchainTools(store, { budget: { documents: 3 } }));
    const agent = createReactAgent({ llm: new Scripted({}), tools });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: QUESTION }] });
    assert.equal(messages.at(-1)!.content, 'Osk Maren');
    const result = messages.find(message => message instanceof ToolMessage)!;
    const seen = String(result.content);
    assert.ok(seen.includes(BUYER) && seen.includes(LENS_GRINDER), seen);
    assert.ok((result.artifact as { evidence: object[] }).evidence.length > 1);
  });

  test('a tool refuses wrong arguments and ends with its signal', async () => {
    const { langchainTools } = await import('multihop/langchain');
    await using store = await openStore(fixture.path);
    const { search, retrieve } = langchainTools(store);
    await assert.rejects(search.invoke({ q: 'lighthouse' }), /schema/);
    const signal = AbortSignal.abort(new Error('closed'));
    await assert.rejects(retrieve.invoke({ question: QUESTION }, { signal }), /closed|[Aa]bort/);
  });

  test('the program prints the evidence', async () => {
    const printed = await runExample(['langchain/retrieve.ts', fixture.path, QUESTION]);
    assert.ok(printed.includes(BUYER) && printed.includes(LENS_GRINDER), printed);
  });
});
