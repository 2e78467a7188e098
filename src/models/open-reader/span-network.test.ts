/** Tests the network of spans by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOpenCheckpoint, writeOpen } from './open-checkpoint.ts';
import { shippedOpen } from './shipped.ts';
import { spanScore } from './span-network.ts';

test('a span has the sum of its weights and what its units add, written and read', () => {
  const { model: shipped, support } = shippedOpen();
  const span = {
    weights: new Map([
      ['final', { sum: 1.25, units: [0.5, -1] }],
      ['lexical', { sum: 0.75, units: [] }],
      ['tiny', { sum: 0.0001, units: [] }],
    ]),
    biases: [0.25, 0],
    outputs: [1, -0.5],
  };
  const text = writeOpen({ model: { ...shipped, span }, support, provenance: {} });
  const { model } = readOpenCheckpoint(JSON.parse(text));
  assert.deepEqual([...model.span.weights.keys()], ['final', 'lexical']);
  const features = new Map(Object.entries({ final: 2, lexical: 1, unknown: 9 }));
  // 1.25 * 2 + 0.75, and the first unit: 0.25 + 0.5 * 2; the second is negative.
  assert.equal(spanScore(model.span, features), 3.25 + 1.25);
});
