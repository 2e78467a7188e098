/** Checks the scores of kept rows against those of the features themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type SpanNetwork, spanScore } from '../../../src/models/open-reader/span-network.ts';
import { FeatureTable } from './feature-table.ts';
import { RowScores } from './row-scores.ts';

const name = fc.constantFrom('clause', 'type', 'length', 'lexical', 'unknown');
/** Quarters, which `Float32Array` holds exactly. */
const value = fc.integer({ min: -8, max: 8 }).map(quarters => quarters / 4);
const features = fc.array(fc.tuple(name, value), { maxLength: 5 }).map(all => new Map(all));

function networkOf(values: readonly number[]): SpanNetwork {
  const [a, b, c, d, e, f, g] = values as [number, number, number, number, number, number, number];
  return {
    weights: new Map([
      ['clause', { sum: a, units: [b, c] }],
      ['type', { sum: d, units: [e, f] }],
      ['length', { sum: 0, units: [g, a] }],
      ['lexical', { sum: b, units: [] }],
    ]),
    biases: [c, d],
    outputs: [e, f],
  };
}
const network = fc.array(value, { minLength: 7, maxLength: 7 }).map(networkOf);

test('each row has the score of its features, by each network in turn', () => {
  fc.assert(
    fc.property(fc.array(features), fc.array(network), (drawn, networks) => {
      const table = new FeatureTable();
      const rows = drawn.map(each => table.row(each));
      const scores = new RowScores(table);
      for (const each of [...networks, ...networks])
        assert.deepEqual(
          scores.of(rows, each),
          drawn.map(row => spanScore(each, row)),
        );
      assert.deepEqual(new Set(table.names), new Set(drawn.flatMap(row => [...row.keys()])));
      assert.equal(new Set(table.names).size, table.names.length);
    }),
  );
});

test('features that the table gets later count too', () => {
  const table = new FeatureTable();
  const scores = new RowScores(table);
  const known = networkOf([1, 1, 0, 4, 1, 1, 1]);
  assert.deepEqual(scores.of([table.row(new Map([['clause', 1]]))], known), [2 + 4]);
  const later = new Map([['type', 1]]);
  assert.deepEqual(scores.of([table.row(later)], known), [spanScore(known, later)]);
});
