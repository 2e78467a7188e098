/** Tests the header of each candidate of `fact-lanes`: its document's, and headings above it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerOf } from '../../context/by-document.ts';
import type { Document } from '../../core/corpus/document.ts';
import { defaultsOf } from '../../core/naming/family.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../testing/fixture-corpus.ts';
import { engineOf, runOf } from '../../testing/strategy-run.ts';
import { factLanesWith } from './fact-lanes.ts';
import { FACT_LANES_PARAMETERS } from './settings.ts';
import type { LanesView } from './view.ts';

async function seen(text: string, documents: readonly Document[]): Promise<LanesView> {
  let view: LanesView | undefined;
  const settings = defaultsOf(FACT_LANES_PARAMETERS);
  const strategy = factLanesWith(settings, 'fact-lanes', { onRanked: told => (view = told) });
  await runOf(strategy, {
    question: { id: 'q', text },
    engine: engineOf(documents),
    retriever: 'lexical',
    context: 'whole',
  });
  return view!;
}

test('the header of a candidate is its document’s, and the headings above it if there are any', async () => {
  const plain = await seen(FIXTURE_QUESTIONS[0]!.text, FIXTURE_DOCUMENTS);
  for (const [index, { header }] of plain.candidates.entries())
    assert.equal(header.lower, headerOf(plain.documentsOf[index]!).toLowerCase());
  const text = 'Larger requests are refused.\n\nLimits\n\nThe default of requests is 30.';
  const outline = [
    { start: 0, heading: [], kind: 'prose' as const },
    { start: 30, heading: ['Limits'], kind: 'heading' as const },
    { start: 38, heading: ['Limits'], kind: 'prose' as const },
  ];
  const manual = { id: 'm', title: 'Manual', text, metadata: { source: 'Herald' }, outline };
  const view = await seen('What is the default of requests?', [manual]);
  const headers = view.candidates.map(({ text, header }) => [text.lower, header.lower]);
  assert.deepEqual(headers.find(([text]) => text!.startsWith('larger'))?.[1], 'manual | herald');
  assert.deepEqual(
    headers.find(([text]) => text!.startsWith('the default'))?.[1],
    'manual | herald | limits',
  );
});
