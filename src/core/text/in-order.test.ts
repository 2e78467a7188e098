import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inOrder } from './in-order.ts';

test('finds what one pattern with any text between would find', () => {
  const word = fc.constantFrom('who', 'made', 'it', 'whoever', 'made-up', 'remade');
  fc.assert(
    fc.property(fc.array(word), words => {
      const text = words.join(' ');
      const whole = /\bwho\b.*\bmade\b/.test(text);
      assert.equal(inOrder(text, /\bwho\b/, /\bmade\b/), whole, text);
    }),
  );
});
