/** Tests the groups of letters that stand for stems. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { letterGroups } from './letter-groups.ts';

const CASES: readonly (readonly [word: string, groups: readonly string[]])[] = [
  ['ab', ['ab']],
  ['abcd', ['abcd']],
  ['zeilen', ['zeil', 'eile', 'ilen']],
  ['größen', ['groß', 'roße', 'oßen']],
  ['الحق', ['الحق']],
  ['والحق', ['والح', 'الحق']],
  // Signs of vowels and syllables are letters.
  ['हिन्दी', ['हिन्', 'िन्द', 'न्दी']],
  ['검색', ['검색']],
];

test('groups overlap by all letters but one, without accents', () => {
  for (const [word, groups] of CASES) assert.deepEqual(letterGroups(word), groups, word);
});

test('words that share four letters in a row share a group', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 4 }), fc.string(), (a, core, b) => {
      const within = letterGroups(core).filter(group => [...group].length === 4);
      const around = new Set(letterGroups(a + core + b));
      // Marks of neighbours may join a letter of the core.
      fc.pre(!/\p{M}|[^\0-\uffff]/u.test((a + core + b).normalize('NFD')));
      assert.ok(within.every(group => around.has(group)));
    }),
  );
});
