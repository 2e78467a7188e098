/** Tests which lane, search and score the hits of each search are noted with. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Hit, Ranking } from '../../core/ranking/ranking.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { Retriever } from '../../search/retriever.ts';
import { LaneSearches, searchContentWords, searchPassages, searchProjects } from './search.ts';

const hit = (id: string, score: number): Hit => ({
  ...{ id, documentId: id[0]!, score, start: 0, end: 1 },
});

/** Answers each query by its text, and records what is asked. */
function scripted(answers: Readonly<Record<string, Ranking>>) {
  const asked: { texts: string[]; unit: string | undefined; depth: number }[] = [];
  const retriever: Retriever = {
    ...{ name: 'scripted', unit: 'sentence' },
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
    ...{ retriever: 'scripted', unit: 'sentence', text: 'first' },
    hits: [hit('a', 1)],
  });
  searches.endHop();
  return searches;
}

const LANES = ['Which lamp burns at Tarn?', 'lamp of Vell'];
const CONTENT = 'lamp burns tarn';

describe('passages', () => {
  test('are searched by each lane, and by the content words of the question for more of them', async () => {
    const { retriever, asked } = scripted({
      [`passage ${LANES[0]}`]: [hit('a', 4), hit('b', 1)],
      [`passage ${LANES[1]}`]: [hit('b', 8), hit('c', 2)],
      [`passage ${CONTENT}`]: [hit('d', 10), hit('b', 5)],
    });
    const searches = begun(2);
    const view = { lanes: LANES, found: searches.found };
    await searchPassages(searches, view, retriever, freeCall());
    assert.deepEqual(asked, [{ texts: [...LANES, CONTENT], unit: 'passage', depth: 300 }]);
    assert.deepEqual(
      searches.passages.all.map(({ hit: { id }, search, lane, words }) => [
        ...[id, search.hop, search.search, lane, words],
      ]),
      [
        // By hand: shares of the best hit of a lane; content words alone have none.
        ['a', 1, 0, 0, 1],
        ['b', 1, 0, 1, 1],
        ['c', 1, 1, 1, 0.25],
        ['d', 1, 2, 0, 0],
      ],
    );
    const made = searches.endHop();
    assert.deepEqual(
      made.map(({ from }) => from),
      new Array(3).fill({ hop: 0, search: 0, id: 'a' }),
    );
  });

  test('of projects are noted in the lane of the question, and given back by project', async () => {
    const { retriever } = scripted({
      'passage tern size': [hit('a', 2)],
      'passage egret size': [hit('b', 3), hit('a', 1)],
    });
    const searches = begun(2);
    const queries = [{ text: 'tern size' }, { text: 'egret size' }];
    const { hit: naming, search } = searches.found[0]!;
    const from = { ...search, id: naming.id };
    const hits = await searchProjects(searches, from, queries, retriever, freeCall());
    assert.deepEqual(
      hits.map(own => own.map(({ id }) => id)),
      [['a'], ['b', 'a']],
    );
    assert.deepEqual(
      searches.passages.all.map(({ hit: { id }, lane, words }) => [id, lane, words]),
      [
        ['a', 0, 1],
        ['b', 0, 1],
      ],
    );
  });
});

test('content words are searched for documents and sentences of each lane', async () => {
  const { retriever, asked } = scripted({
    [`document ${CONTENT}`]: [hit('x', 2)],
    [`sentence ${CONTENT}`]: [hit('a', 7), hit('y', 2)],
    'sentence lamp vell': [hit('z', 1)],
  });
  const searches = begun(2);
  const view = { lanes: LANES, found: searches.found };
  await searchContentWords(searches, view, retriever, 40, freeCall());
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

describe('a search for a name', () => {
  const search = (...hits: Hit[]) => ({
    ...{ retriever: 'scripted', unit: 'sentence' as const, text: 'name', hits },
  });
  test('gives shares of its best score, and none without a positive one', () => {
    const searches = begun(1);
    searches.addNamed(search(hit('b', 8), hit('a', 2)));
    searches.addNamed(search(hit('c', -1), hit('b', -4)));
    searches.addNamed(search());
    assert.deepEqual([...searches.named.upTo(3, 0)], [0.25, 1, 0]);
    assert.deepEqual(
      searches.found.map(({ hit: { id }, search: at, place }) => [id, at.hop, at.search, place]),
      [
        ['a', 0, 0, 0],
        ['b', 1, 0, 0],
        ['c', 1, 1, 0],
      ],
    );
  });

  test('a sentence is noted with the search that ranks it highest, the first of equal ones', () => {
    const searches = begun(1);
    searches.addNamed(search(hit('b', 8), hit('c', 2), hit('a', 1)));
    searches.addNamed(search(hit('c', 8), hit('b', 2)));
    const [a, b, c] = searches.found;
    assert.deepEqual(
      [a!.search, b!.search, c!.search],
      [
        { hop: 0, search: 0 },
        { hop: 1, search: 0 },
        { hop: 1, search: 1 },
      ],
    );
  });
});
