/** Checks that JSON is parsed as by `JSON.parse`, unless it is nested too deeply. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { MAX_NESTING, parseJson } from './bounded-json.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0;

describe('JSON of others', () => {
  test('is the value that JSON.parse gives, up to the deepest nesting', () => {
    const brackets = fc.string({ unit: fc.constantFrom('[', '{', '"', '\\', ']', 'a') });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), brackets, (value, text) => {
        const written = JSON.stringify([value, { [text]: text }]);
        assert.deepEqual(parseJson(written), JSON.parse(written));
      }),
    );
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = (levels: number): string => `${open.repeat(levels)}0${close.repeat(levels)}`;
      assert.equal(depthOf(parseJson(nested(MAX_NESTING))), MAX_NESTING);
      assert.throws(() => parseJson(nested(MAX_NESTING + 1)), /nested deeper than 200 levels/);
      assert.throws(() => parseJson(nested(1_000_000)), SyntaxError);
    }
  });

  test('that is none is refused as by JSON.parse', () => {
    for (const text of ['', '[', '"', '"\\', ']]]', '{"a"}'])
      assert.throws(() => parseJson(text), SyntaxError);
  });
});
