/** Checks what the walk of hipporag2 adds to its search, and when it adds nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askEvents } from '../ask.ts';
import { EmbeddedEngine } from '../retrieval/embedded-engine.ts';
import type { Trace } from '../trace/trace.ts';

const TEXTS: readonly (readonly [string, string])[] = [
  ['Vell', 'Vell was painted by Oda Marsh in spring.'],
  ['Oda Marsh', 'Oda Marsh was born in Port Grell.'],
  ['Port Grell', 'Port Grell lies on the Orr.'],
  ['Orr', 'Orr freezes.'],
  ['Harbours', 'The singer of songs was born in a harbour town.'],
  ['Boats', 'A painter was born every day.'],
];

async function run(question: string, strategy = 'hipporag2'): Promise<Trace> {
  const engine = new EmbeddedEngine({
    documents: TEXTS.map(([title, text]) => ({ id: title, title, text, metadata: {} })),
  });
  const events = askEvents(
    question,
    { engine, strategy, reader: 'evidence-only', retriever: 'lexical' },
    () => 0,
  );
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
  }
}

test('the walk reaches a document that shares no word with the question', async () => {
  const question = 'Where was the painter of Vell born?';
  const trace = await run(question);
  const [search, walk] = trace.hops.flatMap(({ searches }) => searches);
  assert.ok(!search!.hits.some(({ documentId }) => documentId === 'Orr'));
  assert.ok(walk!.hits.some(({ documentId }) => documentId === 'Orr'));
  assert.deepEqual(trace.ranking.slice(0, 2).toSorted(), ['Oda Marsh', 'Vell']);
});

test('a question without a name has the ranking of its search', async () => {
  const question = 'where was the painter of boats born?';
  const [ours, plain] = [await run(question), await run(question, 'fixed-top-k(k=5)')];
  assert.equal(ours.hops.flatMap(({ searches }) => searches).length, 1);
  assert.deepEqual(ours.ranking, plain.ranking);
});

test('passages=0 starts at names alone', async () => {
  const trace = await run('Where was the painter of Vell born?', 'hipporag2(passages=0)');
  const found = trace.hops[1]!.searches[0]!.hits.map(({ documentId }) => documentId);
  assert.deepEqual(found.toSorted(), ['Oda Marsh', 'Orr', 'Port Grell', 'Vell']);
});
