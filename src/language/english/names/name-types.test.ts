/** Checks the types of a name by its words and by what the evidence calls it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NameKind } from './name-kinds.ts';
import { nameTypes } from './name-types.ts';

const kind = (given: Partial<NameKind> = {}): NameKind => ({
  ...{ called: new Set<string>(), types: new Set() as NameKind['types'] },
  ...{ person: false, speaks: false, role: false, personal: 0, place: 0 },
  ...given,
});

describe('the types of a name', () => {
  for (const [name, text, known, types] of [
    ['none without any sign', 'Corncrake', undefined, []],
    ['none of an unknown kind', 'Corncrake', kind(), []],
    ['that of its ending', 'Holm Records', undefined, ['organisation']],
    ['those that sentences tell', 'Corncrake', kind({ types: new Set(['vessel']) }), ['vessel']],
    ['both', 'Holm Records', kind({ types: new Set(['work']) }), ['organisation', 'work']],
    ['place for a country', 'Denmark', undefined, ['place']],
    ['person for a given name', 'Laura Otis', undefined, ['person']],
    [
      'person for a given name, whatever sentences tell',
      'Laura Otis',
      kind({ types: new Set(['vessel']) }),
      ['vessel', 'person'],
    ],
    ['person if it speaks', 'Ilva Tarn', kind({ speaks: true }), ['person']],
    ['person with pronouns', 'Ilva Tarn', kind({ person: true, personal: 0.5 }), ['person']],
    ['none with few pronouns', 'Ilva Tarn', kind({ person: true, personal: 0.4 }), []],
    ['person with a role', 'Ilva Tarn', kind({ person: true, role: true }), ['person']],
    ['none with a role alone', 'Ilva Tarn', kind({ role: true }), []],
    ['none with pronouns alone', 'Ilva Tarn', kind({ personal: 1 }), []],
    [
      'no person if sentences tell another type',
      'Ilva Tarn',
      kind({ speaks: true, types: new Set(['vessel']) }),
      ['vessel'],
    ],
    ['place after prepositions of place', 'Dunmar', kind({ place: 0.5 }), ['place']],
    ['none after few of them', 'Dunmar', kind({ place: 0.4 }), []],
    ['no place for a person', 'Ilva Tarn', kind({ place: 1, speaks: true }), ['person']],
    [
      'no place if sentences tell another type',
      'Corncrake',
      kind({ place: 1, types: new Set(['vessel']) }),
      ['vessel'],
    ],
  ] as const)
    test(name, () => assert.deepEqual([...nameTypes(text, known)], [...types]));
});
