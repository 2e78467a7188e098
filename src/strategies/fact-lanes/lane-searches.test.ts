/** Checks the best scores of sentences over searches against a slow computation. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Hit } from '../../core/ranking/ranking.ts';
import { FoundScores, LaneSearches } from './lane-searches.ts';

test('each row holds the best scores above the floor, and the floor elsewhere', () => {
  const hit = fc.record({ number: fc.nat(6), score: fc.integer({ min: -3, max: 3 }) });
  fc.assert(
    fc.property(fc.array(hit), fc.nat(8), fc.integer({ min: -3, max: 1 }), (hits, size, floor) => {
      const found = new FoundScores();
      for (const { number, score } of hits) found.add(number, score);
      const scoresOf = (at: number): number[] =>
        hits.flatMap(({ number, score }) => (number === at ? [score] : []));
      assert.deepEqual(
        [...found.upTo(size, floor)],
        Array.from({ length: size }, (_, at) => Math.max(floor, ...scoresOf(at))),
      );
      const best = hits.map(({ number }) => Math.max(...scoresOf(number)));
      assert.equal(found.floor() + 0, Math.min(0, ...best) + 0);
    }),
  );
});

const hit = (id: string, score: number): Hit => ({
  id,
  documentId: id[0]!,
  score,
  start: 0,
  end: 1,
});

/** The searches of a first hop that found one sentence. */
function begun(): LaneSearches {
  const searches = new LaneSearches(1);
  searches.addWords(0, {
    retriever: 'scripted',
    unit: 'sentence',
    text: 'first',
    hits: [hit('a', 1)],
  });
  searches.endHop();
  return searches;
}

describe('a search for a name', () => {
  const search = (...hits: Hit[]) => ({
    retriever: 'scripted',
    unit: 'sentence' as const,
    text: 'name',
    hits,
  });
  test('gives shares of its best score, and none without a positive one', () => {
    const searches = begun();
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
});
