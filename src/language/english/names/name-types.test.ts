/** Checks the types of a name by its words and by what the evidence calls it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NameKind } from './name-kinds.ts';
import { nameTypes } from './name-types.ts';

const kind = (given: Partial<NameKind> = {}): NameKind => ({
  called: new Set<string>(),
  types: new Set() as NameKind['types'],
  person: false,
  speaks: false,
  role: false,
  personal: 0,
  place: 0,
  ...given,
});

test('a name has the types of its ending, of sentences, of countries and of given names', () => {
  for (const [text, known, ...types] of [
    ['Corncrake', kind()],
    ['Holm Records', kind({ types: new Set(['work']) }), 'organisation', 'work'],
    ['Denmark', undefined, 'place'],
    ['Laura Otis', kind({ types: new Set(['vessel']) }), 'vessel', 'person'],
  ] as const)
    assert.deepEqual([...nameTypes(text, known)], types, text);
});

test('without such a sign it is a person by speech or pronouns, or else a place', () => {
  for (const [known, ...types] of [
    [kind({ speaks: true, place: 1 }), 'person'],
    [kind({ person: true, personal: 0.5 }), 'person'],
    [kind({ person: true, personal: 0.4 })],
    [kind({ person: true, role: true }), 'person'],
    [kind({ role: true, personal: 1 })],
    [kind({ place: 0.5 }), 'place'],
    [kind({ place: 0.4 })],
    [kind({ speaks: true, place: 1, types: new Set(['vessel']) }), 'vessel'],
  ] as const)
    assert.deepEqual([...nameTypes('Ilva Tarn', known)], types);
});
