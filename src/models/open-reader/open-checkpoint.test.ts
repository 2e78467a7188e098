/** Checks checkpoints of the open reader: round trips, invalid fields, and provenance. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LinearModel } from '../fact-reader/linear-model.ts';
import { OPEN_PARTS, readOpenCheckpoint, writeOpen } from './open-checkpoint.ts';
import { shippedOpen } from './shipped.ts';

const one = (output: string): LinearModel => ({
  outputs: [output],
  bias: [0.5],
  weights: new Map([
    ['final', [1.25]],
    ['tiny', [0.0001]],
  ]),
});
const model = {
  span: one('span'),
  choice: one('choice'),
  verdict: one('verdict'),
  answerable: one('answerable'),
};

describe('a checkpoint', () => {
  const text = writeOpen({ model, provenance: { dataset: 'fiction' } });

  test('survives a round trip, except for negligible weights', () => {
    const read = readOpenCheckpoint(JSON.parse(text));
    assert.deepEqual([...read.model.span.weights], [['final', [1.25]]]);
    assert.deepEqual(read.provenance, { dataset: 'fiction' });
    assert.equal(writeOpen(read), text);
  });

  for (const [field, breaks] of [
    ['its format', (all: Record<string, unknown>) => (all['format'] = 'other')],
    ['parts', (all: Record<string, unknown>) => (all['parts'] = 3)],
    ['provenance', (all: Record<string, unknown>) => (all['provenance'] = undefined)],
  ] as const)
    test(`with an invalid field is refused by name: ${field}`, () => {
      const all = JSON.parse(text) as Record<string, unknown>;
      breaks(all);
      assert.throws(() => readOpenCheckpoint(all), {
        code: 'bad-checkpoint',
        message: new RegExp(field),
      });
    });
});

test('the shipped checkpoint has weights of every part, and figures of data sets held out', () => {
  const { model: shipped, provenance } = shippedOpen();
  for (const part of OPEN_PARTS) assert.ok(shipped[part].weights.size > 0);
  assert.match(String(provenance['trainedBy']), /learn open-reader/);
  assert.ok(Array.isArray(provenance['elsewhere']));
});
