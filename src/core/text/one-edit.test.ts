/** Tests words within one edit against the full dynamic programme and a scan of all words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isMisspelling, isTransposition, MisspellingIndex, withinOneEdit } from './one-edit.ts';

/** Optimal string alignment, by its recurrence. */
function distance(a: string, b: string): number {
  const d: number[][] = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      d[i]![j] = Math.min(d[i - 1]![j]! + 1, d[i]![j - 1]! + 1, d[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        d[i]![j] = Math.min(d[i]![j]!, d[i - 2]![j - 2]! + 1);
    }
  return d[a.length]![b.length]!;
}

const word = fc.stringMatching(/^[abc]{0,7}$/);

test('one edit is a distance of at most 1', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      assert.equal(withinOneEdit(a, b), distance(a, b) <= 1, `${a} ${b}`);
      if (isTransposition(a, b)) {
        assert.equal(distance(a, b), 1);
        assert.deepEqual([...a].sort(), [...b].sort());
      }
    }),
    { numRuns: 3000 },
  );
});

test('the index finds what a scan of all words finds', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), word, (words, typed) => {
      assert.deepEqual(
        new MisspellingIndex(words).near(typed),
        [...new Set(words)].filter(each => isMisspelling(typed, each)).sort(),
      );
    }),
    { numRuns: 1000 },
  );
});

test('short words are misspelt by a transposition alone', () => {
  assert.ok(isMisspelling('teh', 'the'));
  assert.ok(!isMisspelling('tie', 'the'));
  assert.ok(!isMisspelling('fi', 'if'));
  assert.ok(isMisspelling('vergee', 'verge'));
  assert.ok(isMisspelling('virge', 'verge'));
  assert.ok(!isMisspelling('verge', 'verge'));
});
