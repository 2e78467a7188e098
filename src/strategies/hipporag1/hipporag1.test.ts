/** Checks what the walk of hipporag1 adds to its search, and when it adds nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trace } from '../../core/trace/trace.ts';
import type { AskOptions } from '../../run/ask.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { traceOf } from '../../testing/strategy-run.ts';

const TEXTS: readonly (readonly [string, string])[] = [
  ['Vell', 'Vell was painted by Oda Marsh in spring.'],
  ['Oda Marsh', 'Oda Marsh was born in Port Grell.'],
  ['Port Grell', 'Port Grell lies on the Orr.'],
  ['Orr', 'Orr freezes.'],
  ['Harbours', 'The singer of songs was born in a harbour town.'],
  ['Boats', 'A painter was born every day.'],
];

async function run(
  question: string,
  strategy: string,
  more: Partial<AskOptions> = {},
): Promise<Trace> {
  const engine = new EmbeddedEngine({
    documents: TEXTS.map(([title, text]) => ({ id: title, title, text, metadata: {} })),
  });
  return traceOf(question, {
    engine,
    strategy,
    reader: 'evidence-only',
    retriever: 'lexical',
    ...more,
  });
}

const QUESTION = 'Where was the painter of Vell born?';

test('a run that is cut before the walk has what the search found', async () => {
  const ids = ({ evidence }: Trace): string[] => evidence.map(({ id }) => id);
  const plain = ids(await run(QUESTION, 'fixed-top-k(k=2)'));
  for (const budget of [{ hops: 1 }, { retrievals: 1 }])
    assert.deepEqual(ids(await run(QUESTION, 'hipporag1(k=2)', { budget })), plain);
  const whole = await run(QUESTION, 'hipporag1(k=2, blend=walk)');
  const cut = await run(QUESTION, 'hipporag1(k=2, blend=walk)', { budget: { hops: 2 } });
  assert.deepEqual(ids(cut), ids(whole));
  assert.notDeepEqual(ids(cut), plain);
});

test('a name that opens the question starts a walk', async () => {
  const trace = await run('Vell was painted by whom?', 'hipporag1');
  assert.ok(trace.hops[1]!.searches[0]!.hits.some(({ documentId }) => documentId === 'Orr'));
});
