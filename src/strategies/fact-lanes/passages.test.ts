/** Tests the hop of short passages that searches by content words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultsOf } from '../../core/naming/family.ts';
import type { Hit, Ranking } from '../../core/ranking/ranking.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { Retriever } from '../../search/retriever.ts';
import { LaneSearches } from './lane-searches.ts';
import { searchContentWords } from './passages.ts';
import { FACT_LANES_PARAMETERS } from './settings.ts';

const hit = (id: string, score: number): Hit => ({
  id,
  documentId: id[0]!,
  score,
  start: 0,
  end: 1,
});

/** Answers each query by its text, and records what is asked. */
function scripted(answers: Readonly<Record<string, Ranking>>) {
  const asked: { texts: string[]; unit: string | undefined; depth: number }[] = [];
  const retriever: Retriever = {
    name: 'scripted',
    unit: 'sentence',
    retrieve: async (queries, depth, _, within) => {
      asked.push({ texts: queries.map(({ text }) => text), unit: within?.unit, depth });
      return queries.map(({ text }) => answers[`${within?.unit} ${text}`] ?? []);
    },
  };
  return { retriever, asked };
}

/** The searches of a first hop that found one sentence. */
function begun(lanes: number): LaneSearches {
  const searches = new LaneSearches(lanes);
  searches.addWords(0, {
    retriever: 'scripted',
    unit: 'sentence',
    text: 'first',
    hits: [hit('a', 1)],
  });
  searches.endHop();
  return searches;
}

const LANES = ['Which lamp burns at Tarn?', 'lamp of Vell'];
const CONTENT = 'lamp burns tarn';

test('content words are searched for documents and sentences of each lane', async () => {
  const { retriever, asked } = scripted({
    [`document ${CONTENT}`]: [hit('x', 2)],
    [`sentence ${CONTENT}`]: [hit('a', 7), hit('y', 2)],
    'sentence lamp vell': [hit('z', 1)],
  });
  const searches = begun(2);
  const settings = { ...defaultsOf(FACT_LANES_PARAMETERS), depth: 40 };
  const signals = { words: retriever, vectors: undefined };
  const view = { lanes: LANES, found: searches.found };
  await searchContentWords({ searches, settings, signals, call: freeCall() }, view);
  assert.deepEqual(
    asked.map(({ texts, unit, depth }) => [texts, unit, depth]),
    [
      [[CONTENT, 'lamp vell'], 'document', 40],
      [[CONTENT, 'lamp vell'], 'sentence', 300],
    ],
  );
  assert.deepEqual(
    searches.content.map(({ sentences, documents }) => [
      sentences.map(({ id }) => id),
      documents.map(({ id }) => id),
    ]),
    [
      [['a', 'y'], ['x']],
      [['z'], []],
    ],
  );
  assert.deepEqual(
    searches.found.map(({ hit: { id } }) => id),
    ['a', 'y', 'z'],
  );
  // Scores by content words are no scores of the lane: only the first search gave one.
  assert.deepEqual([...searches.words[0]!.upTo(3, 0)], [1, 0, 0]);
  assert.deepEqual(searches.documentSearch.get('x'), { hop: 1, search: 0 });
});
