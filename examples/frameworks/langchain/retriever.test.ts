/** Tests the retriever in chains of the installed LangChain.js. */
import assert from 'node:assert/strict';
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

describe('example: a retriever of LangChain.js', { skip: lacks('@langchain/core') }, () => {
  let fixture: Awaited<ReturnType<typeof fixtureStore>>;
  before(async () => (fixture = await fixtureStore()));
  after(() => fixture.remove());

  test('invoke returns a document for each that holds evidence, best first', async () => {
    const { MultihopRetriever } = await import('./retriever.ts');
    await using store = await openStore(fixture.path);
    const budget = { documents: 3 };
    const found = await new MultihopRetriever(store, { budget }).invoke(QUESTION);
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
    const { MultihopRetriever } = await import('./retriever.ts');
    await using store = await openStore(fixture.path);
    const retriever = new MultihopRetriever(store, { filter: 'source = "Tarn Gazette"' });
    const sources = (await retriever.invoke(QUESTION)).map(({ metadata }) => metadata['source']);
    assert.ok(sources.length > 0);
    assert.deepEqual([...new Set(sources)], ['Tarn Gazette']);
  });

  test('reports its runs to the callbacks of LangChain, and its errors', async () => {
    const { MultihopRetriever } = await import('./retriever.ts');
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
    const retriever = new MultihopRetriever(store, { budget: { documents: 2 } }, { callbacks });
    await retriever.invoke(QUESTION);
    await store.close();
    await assert.rejects(retriever.invoke(QUESTION), { code: 'store-closed' });
    assert.deepEqual(seen, ['start', '2 documents', 'start', 'store-closed']);
  });

  test('the program prints the evidence', async () => {
    const printed = await runExample(['langchain/retrieve.ts', fixture.path, QUESTION]);
    assert.ok(printed.includes(BUYER) && printed.includes(LENS_GRINDER), printed);
  });
});
