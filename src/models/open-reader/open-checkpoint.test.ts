/** Checks checkpoints of the open reader: round trips, invalid fields, and provenance. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LinearModel } from '../linear-model.ts';
import { OPEN_PARTS, readOpenCheckpoint, writeOpen } from './open-checkpoint.ts';
import { shippedOpen } from './shipped.ts';
import { spanScore } from './span-network.ts';

const one = (output: string): LinearModel => ({
  outputs: [output],
  bias: [0.5],
  weights: new Map([
    ['final', [1.25]],
    ['tiny', [0.0001]],
  ]),
});
const model = {
  span: {
    weights: new Map([
      ['final', { sum: 1.25, units: [0.5, -1] }],
      ['lexical', { sum: 0.75, units: [] }],
      ['tiny', { sum: 0.0001, units: [] }],
    ]),
    biases: [0.25, 0],
    outputs: [1, -0.5],
  },
  choice: one('choice'),
  verdict: one('verdict'),
  answerable: one('answerable'),
};

describe('a checkpoint', () => {
  const text = writeOpen({ model, support: 0.3, provenance: { dataset: 'fiction' } });

  test('survives a round trip, except for negligible weights', () => {
    const read = readOpenCheckpoint(JSON.parse(text));
    assert.deepEqual([...read.model.choice.weights], [['final', [1.25]]]);
    assert.deepEqual([...read.model.span.weights.keys()], ['final', 'lexical']);
    assert.equal(read.support, 0.3);
    const features = new Map([
      ['final', 2],
      ['lexical', 1],
      ['unknown', 9],
    ]);
    // 1.25 * 2 + 0.75, and the first unit: 0.25 + 0.5 * 2; the second is negative.
    assert.equal(spanScore(read.model.span, features), 3.25 + 1.25);
    assert.deepEqual(read.provenance, { dataset: 'fiction' });
    assert.equal(writeOpen(read), text);
  });

  for (const [field, breaks] of [
    ['its format', (all: Record<string, unknown>) => (all['format'] = 'other')],
    ['parts', (all: Record<string, unknown>) => (all['parts'] = 3)],
    ['support', (all: Record<string, unknown>) => (all['support'] = 'high')],
    [
      'parts.span.units',
      (all: Record<string, Record<string, Record<string, unknown>>>) =>
        (all['parts']!['span']!['units'] = { final: '1 2 3' }),
    ],
    ['provenance', (all: Record<string, unknown>) => (all['provenance'] = undefined)],
  ] as const)
    test(`with an invalid field is refused by name: ${field}`, () => {
      const all = JSON.parse(text);
      breaks(all);
      assert.throws(() => readOpenCheckpoint(all), {
        code: 'bad-checkpoint',
        message: new RegExp(field),
      });
    });
});

test('the shipped checkpoint has weights of every part, and figures of data sets held out', () => {
  const { model: shipped, provenance } = shippedOpen();
  for (const part of [...OPEN_PARTS, 'span'] as const) assert.ok(shipped[part].weights.size > 0);
  assert.match(String(provenance['trainedBy']), /learn open-reader/);
  assert.ok(Array.isArray(provenance['elsewhere']));
});
