/**
 * Checks "Did you mean": edit distances against their recursive definition, and the suggested
 * names.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { didYouMean, editDistance, nearest } from './nearest.ts';

/** Computes optimal string alignment by its recurrence (Boytsov 2011, section 2.1.1). */
function byRecurrence(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const same = a.at(-1) === b.at(-1) ? 0 : 1;
  const [shortA, shortB] = [a.slice(0, -1), b.slice(0, -1)];
  let best = Math.min(
    byRecurrence(shortA, b) + 1,
    byRecurrence(a, shortB) + 1,
    byRecurrence(shortA, shortB) + same,
  );
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1))
    best = Math.min(best, byRecurrence(a.slice(0, -2), b.slice(0, -2)) + 1);
  return best;
}

test('the distance equals the recurrence and is symmetric', () => {
  const short = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  fc.assert(
    fc.property(short, short, (a, b) => {
      assert.equal(editDistance(a, b), byRecurrence(a, b));
      assert.equal(editDistance(b, a), editDistance(a, b));
    }),
    { numRuns: 400 },
  );
  // Hand-worked: one swap of neighbours; "ca" to "abc" costs 3 without editing a substring twice.
  assert.deepEqual(
    [editDistance('srtategy', 'strategy'), editDistance('ca', 'abc'), editDistance('', 'abc')],
    [1, 3, 3],
  );
});

test('nearest first, at most three, ties by name', () => {
  const names = ['iterative', 'decomposition', 'budgeted-agent', 'slot-agent', 'fixed-top-k'];
  assert.deepEqual(nearest('decompositon', names), ['decomposition']);
  assert.deepEqual(nearest('fixed', names), ['fixed-top-k']);
  assert.deepEqual(nearest('Slot-Agnet', names), ['slot-agent']);
  assert.deepEqual(nearest('quantum', names), []);
  assert.deepEqual(nearest('a', ['d', 'c', 'b', 'e']), ['b', 'c', 'd']);
  assert.deepEqual(nearest('x'.repeat(100_000), names), []);
});

test('suggestions print as a sentence', () => {
  assert.equal(didYouMean('ms', []), '');
  assert.equal(didYouMean('sourc', ['source']), 'Did you mean source?');
  assert.equal(didYouMean('ab', ['abc', 'abd']), 'Did you mean abc or abd?');
  assert.equal(didYouMean('ab', ['abc', 'abd', 'abe']), 'Did you mean abc, abd or abe?');
});
