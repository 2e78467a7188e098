/** Tests the index of spans. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type Span, SpanIndex } from './span-index.ts';

const spans = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 200 }))
    .map(([start, length]): Span => ({ start, end: start + length })),
  { maxLength: 20 },
);

test('finds the spans that a scan of all spans finds, each once', () => {
  fc.assert(
    fc.property(spans, fc.integer({ min: -80, max: 500 }), fc.nat(200), (all, start, length) => {
      const end = start + length;
      const expected = all.filter(span => start < span.end && span.start < end);
      const index = new SpanIndex(all);
      const found = index.overlapping(start, end);
      assert.equal(found.length, expected.length);
      assert.deepEqual(new Set(found), new Set(expected));
      assert.equal(index.overlaps(start, end), expected.length > 0);
    }),
  );
});

test('finds a span that was added after the index was built', () => {
  const index = new SpanIndex<Span>();
  assert.equal(index.overlaps(0, 1000), false);
  index.add({ start: 100, end: 300 });
  assert.deepEqual(index.overlapping(299, 300), [{ start: 100, end: 300 }]);
  assert.deepEqual(index.overlapping(300, 400), []);
});
