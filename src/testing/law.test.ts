/** `same` compares JSON and names the first part that differs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LawBroken, same } from './law.ts';

const messageOf = (received: unknown, expected: unknown): string => {
  try {
    same(received, expected, 'the trace');
  } catch (error) {
    assert.ok(error instanceof LawBroken);
    return error.message;
  }
  return 'same';
};

test('same ignores the order of keys and undefined values', () => {
  assert.equal(messageOf({ a: 1, b: [2] }, { b: [2], a: 1 }), 'same');
  assert.equal(messageOf({ a: 1, b: undefined }, { a: 1 }), 'same');
});

test('same names the first difference by its path', () => {
  const hop = (text: string) => ({ searches: [{ text: 'a' }, { text }], kept: [] });
  const cases: readonly [unknown, unknown, string][] = [
    [1, 2, 'the trace: expected 2, received 1'],
    [
      { hops: [hop('b')] },
      { hops: [hop('c')] },
      'the trace, at hops[0].searches[1].text: expected "c", received "b"',
    ],
    [[1, 2], [1], 'the trace, at [1]: expected undefined, received 2'],
    [{ a: null }, { a: { b: 1 } }, 'the trace, at a: expected {"b":1}, received null'],
    [[], {}, 'the trace: expected {}, received []'],
    [
      { a: new Date(0) },
      { a: new Date(1) },
      'the trace, at a: expected "1970-01-01T00:00:00.001Z", received "1970-01-01T00:00:00.000Z"',
    ],
  ];
  for (const [received, expected, message] of cases)
    assert.equal(messageOf(received, expected), message);
});
