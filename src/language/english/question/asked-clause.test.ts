/** Checks weights of the words that ask: by distance, and less in clauses that describe. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askingStems } from './asked-clause.ts';

/** Asks where the word `asking` stands. */
const stems = (text: string, asking: string): Record<string, number> =>
  Object.fromEntries(askingStems(text, text.indexOf(asking)));
const near = (distance: number): number => Math.exp(-distance / 9);
const described = (distance: number): number => Math.exp(-distance / 3) / 2;
const before = (index: number): number => Math.exp(-index / 4);

describe('the words that ask', () => {
  test('count less the farther they stand, without stop words', () =>
    assert.deepEqual(stems('Which old firm lit the lamp?', 'Which'), {
      ...{ old: near(1), firm: near(2), light: near(3), lamp: near(4) },
    }));

  for (const word of ['that', 'which', 'who', 'whom', 'whose', 'where', 'when', 'while', 'whilst'])
    test(`count little after "${word}"`, () => {
      const expected = { firm: near(1), run: near(2), lamp: described(3) };
      assert.deepEqual(stems(`Which firm runs, ${word} lamp?`, 'Which'), {
        ...expected,
        ...(word === 'whilst' ? { whilst: described(3), lamp: described(4) } : {}),
      });
      const upper = stems(`Which firm runs, ${word.toUpperCase()} lamp?`, 'Which');
      assert.equal(upper['lamp'], word === 'whilst' ? described(4) : described(3));
      const longer = stems(`Which firm runs, ${word}x lamp?`, 'Which');
      assert.equal(longer['lamp'], near(4));
      assert.equal(stems(`Which firm runs, x${word} lamp?`, 'Which')['lamp'], near(4));
    });

  test('count little from a participle before "by" on', () =>
    assert.deepEqual(stems('Which lamp holds pages lit by Ulf?', 'Which'), {
      ...{ lamp: near(1), hold: near(2), pag: near(3), light: described(4), ulf: described(5) },
    }));

  test('count fully if the relative word or the participle is the first of them', () => {
    assert.deepEqual(stems('What that lamp?', 'What'), { lamp: near(1) });
    assert.deepEqual(stems('Which lit by lamp?', 'Which'), { light: near(1), lamp: near(2) });
  });

  test('reach nine content words', () => {
    const words = 'alba bolo cori dovu emto fani gomu hipo ilka jora'.split(' ');
    const found = stems(`Which ${words.join(' the ')}?`, 'Which');
    assert.equal(Object.keys(found).length, 9);
    assert.equal(found['ilka'], near(9));
  });

  test('count by their nearest place', () => {
    assert.equal(stems('Which lamp, that holm lamp?', 'Which')['lamp'], near(1));
    assert.equal(stems('The lamp holds which lamp?', 'which')['lamp'], near(1));
  });

  test('count by parts, in lower case, with the verb of an agent', () => {
    const found = stems('Which ship-wright’s Director?', 'Which');
    assert.deepEqual(Object.keys(found), ['ship', 'wright', 's', 'director', 'direct']);
  });
});

describe('the words before the question word', () => {
  test('ask as well, the nearest most', () =>
    assert.deepEqual(stems('The old lamp was lit by which man?', 'which'), {
      ...{ man: near(1), light: before(1), lamp: before(3), old: before(4) },
    }));

  test('ask up to a relative word', () =>
    assert.deepEqual(stems('The lamp that stood was lit by which man?', 'which'), {
      ...{ man: near(1), light: before(1), stand: before(3) },
    }));

  test('ask up to nine words before', () => {
    const found = stems('alba bolo cori dovu emto fani gomu hipo ilka jora which man?', 'which');
    assert.equal(found['bolo'], before(8));
    assert.equal(found['alba'], undefined);
  });

  test('do not ask if they are stop words', () =>
    assert.deepEqual(stems('Under the which man?', 'which'), { man: near(1) }));
});

test('a question without a question word asks by the words after its first', () => {
  assert.deepEqual(Object.fromEntries(askingStems('Lamps burnt.', -1)), { burn: near(1) });
  assert.deepEqual(Object.fromEntries(askingStems('Lamps burnt.', 99)), { burn: near(1) });
  assert.deepEqual([...askingStems('', -1)], []);
  assert.deepEqual([...askingStems('Which', 0)], []);
});
