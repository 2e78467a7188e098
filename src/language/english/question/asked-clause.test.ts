/** Checks weights of the words that ask: by distance, and less in clauses that describe. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askingStems } from './asked-clause.ts';

/** Asks where the word `asking` stands. */
const stems = (text: string, asking: string): Record<string, number> =>
  Object.fromEntries(askingStems(text, text.indexOf(asking)));
const near = (distance: number): number => Math.exp(-distance / 9);
const described = (distance: number): number => Math.exp(-distance / 3) / 2;
const before = (index: number): number => Math.exp(-index / 4);

for (const [name, text, asking, expected] of [
  [
    'the words behind the question word count less the farther they stand',
    'Which old firm lit the lamp?',
    'Which',
    { old: near(1), firm: near(2), light: near(3), lamp: near(4) },
  ],
  [
    'a relative clause counts little',
    'Which firm runs, WHOSE lamp?',
    'Which',
    { firm: near(1), run: near(2), lamp: described(3) },
  ],
  [
    'so does what follows a participle before "by"',
    'Which lamp holds pages lit by Ulf?',
    'Which',
    { lamp: near(1), hold: near(2), pag: near(3), light: described(4), ulf: described(5) },
  ],
  [
    'the first of the words counts fully',
    'Which lit by lamp?',
    'Which',
    { light: near(1), lamp: near(2) },
  ],
  ['a word counts by its nearest place', 'Which lamp, that lamp?', 'Which', { lamp: near(1) }],
  [
    'words before the question word ask too, up to a relative word',
    'The lamp that stood was lit by which man?',
    'which',
    { man: near(1), light: before(1), stand: before(3) },
  ],
  ['without a question word the first one is left out', 'Lamps burnt.', 'x', { burn: near(1) }],
  ['nothing asks nothing', '', 'x', {}],
] as const)
  test(name, () => assert.deepEqual(stems(text, asking), expected));

test('nine content words behind the question word ask, and nine words before it', () => {
  const words = 'alba bolo cori dovu emto fani gomu hipo ilka jora'.split(' ');
  const found = stems(`Which ${words.join(' the ')}?`, 'Which');
  assert.deepEqual([Object.keys(found).length, found['ilka']], [9, near(9)]);
  const earlier = stems(`${words.join(' ')} which man?`, 'which');
  assert.deepEqual([earlier['bolo'], earlier['alba']], [before(8), undefined]);
});

test('parts of words count, with the verb of an agent', () =>
  assert.deepEqual(Object.keys(stems('Which ship-wright’s Director?', 'Which')), [
    ...['ship', 'wright', 's', 'director', 'direct'],
  ]));
