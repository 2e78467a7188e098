/** Tests the retriever with the installed LlamaIndex.TS. */
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

describe('example: a retriever of LlamaIndex.TS', { skip: lacks('@llamaindex/core') }, () => {
  let fixture: Awaited<ReturnType<typeof fixtureStore>>;
  before(async () => (fixture = await fixtureStore()));
  after(() => fixture.remove());

  test('retrieve returns a node for each document that holds evidence, best first', async () => {
    const { MultihopRetriever } = await import('./retriever.ts');
    const { MetadataMode } = await import('@llamaindex/core/schema');
    await using store = await openStore(fixture.path);
    const budget = { documents: 3 };
    const found = await new MultihopRetriever(store, { budget }).retrieve(QUESTION);
    const { context } = await store.retrieve(QUESTION, { budget });
    const texts = found.map(({ node }) => node.getContent(MetadataMode.NONE));
    assert.equal(texts.join('\n\n'), context.text);
    const works = found.find(({ node }) => node.id_ === 'quill-works')!;
    assert.ok(works.node.getContent(MetadataMode.NONE).includes(LENS_GRINDER));
    const { title, source } = works.node.metadata;
    assert.deepEqual([title, source], ['Quill Works opens a second furnace', 'Tarn Gazette']);
    assert.ok(works.score! > 0);
  });

  test('takes a question of parts, as messages of a chat have them', async () => {
    const { MultihopRetriever } = await import('./retriever.ts');
    await using store = await openStore(fixture.path);
    const retriever = new MultihopRetriever(store, { filter: 'source = "Tarn Gazette"' });
    const ids = async (query: Parameters<typeof retriever.retrieve>[0]): Promise<string[]> =>
      (await retriever.retrieve(query)).map(({ node }) => node.id_);
    const asked = await ids({ query: [{ type: 'text', text: QUESTION }] });
    assert.ok(asked.includes('quill-works') && !asked.includes('lighthouse-sold'), String(asked));
    assert.deepEqual(asked, await ids(QUESTION));
  });

  test('reports its runs to the events of LlamaIndex', async () => {
    const { MultihopRetriever } = await import('./retriever.ts');
    const { Settings } = await import('@llamaindex/core/global');
    const ended = new Promise<number>(resolve => {
      Settings.callbackManager.on('retrieve-end', ({ detail }) => resolve(detail.nodes.length));
    });
    await using store = await openStore(fixture.path);
    await new MultihopRetriever(store, { budget: { documents: 2 } }).retrieve(QUESTION);
    assert.equal(await ended, 2);
  });

  test('the program prints the evidence', async () => {
    const printed = await runExample(['llamaindex/retrieve.ts', fixture.path, QUESTION]);
    assert.ok(printed.includes(BUYER) && printed.includes(LENS_GRINDER), printed);
  });
});
