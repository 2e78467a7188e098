/** `describeValue` turns any value into text without running its code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readFactRanker } from '../models/fact-ranker/fact-ranker.ts';
import { FACT_FORMAT, readFactCheckpoint } from '../models/fact-reader/fact-checkpoint.ts';
import { checkedScores, checkedVectors } from '../providers/checked-answer.ts';
import { describeValue, PortError } from './errors.ts';

test('any value has a text of bounded length', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), fc.nat(100), (value, most) => {
      const text = describeValue(value, most);
      assert.equal(typeof text, 'string');
      assert.ok(text.length <= Math.max(most, 'undefined'.length));
    }),
  );
});

test('strings are unchanged, other JSON values are JSON, the rest are named by type', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const values = ['a "b"', 1.5, Number.NaN, null, true, { toString: null }, [1], undefined, cycle];
  assert.deepEqual(
    values.map(value => describeValue(value)),
    ['a "b"', '1.5', 'NaN', 'null', 'true', '{"toString":null}', '[1]', 'undefined', 'object'],
  );
  assert.equal(describeValue('abcdef', 3), 'abc');
});

const odd = { toString: null, valueOf: null };

test('refuses weights whose fields cannot be converted to text', () => {
  for (const value of [{ format: odd }, { format: FACT_FORMAT, parts: [odd] }, [odd], odd])
    assert.throws(() => readFactCheckpoint(value), { code: 'bad-checkpoint' });
  for (const value of [{ format: odd }, odd]) assert.throws(() => readFactRanker(value));
});

test('any answer of a remote model is valid or a port error', () => {
  const expected = { port: 'embedder', label: 'a server', count: 1, dimensions: 1 } as const;
  const answer = fc.oneof(fc.jsonValue(), fc.constant([[odd]]), fc.constant([{ index: odd }]));
  fc.assert(
    fc.property(answer, value => {
      for (const read of [
        () => checkedVectors(value, expected),
        () => checkedScores(value, 1, 'score', 'a server'),
      ])
        try {
          read();
        } catch (error) {
          assert.ok(PortError.is(error), String(error));
        }
    }),
  );
});
