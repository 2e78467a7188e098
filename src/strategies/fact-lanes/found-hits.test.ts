/** Checks the best scores of sentences over searches against a slow computation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FoundScores } from './found-hits.ts';

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
