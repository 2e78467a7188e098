/** Checks key entities and co-occurrence by hand and against obvious code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CoOccurrence } from './co-occurrence.ts';
import { importances, keyEntities } from './key-entities.ts';
import { distinctMentions, inverted, type Mentions } from './mentions.ts';

/** Sentences as lists of entities, each of which is mentioned somewhere. */
function mentionsOf(sentences: readonly (readonly number[])[]): Mentions {
  let end = 0;
  return {
    entities: Math.max(-1, ...sentences.flat()) + 1,
    sequence: Uint32Array.from(sentences.flat()),
    ends: Uint32Array.from(sentences, ({ length }) => (end += length)),
  };
}

const importanceOf = (mentions: Mentions): Float64Array => {
  const distinct = distinctMentions(mentions);
  return importances(distinct, inverted(distinct, mentions.entities));
};

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

test('importance by hand: four sentences, two entities', () => {
  // Lengths 2, 1, 0, 1 of mean 1; entity 0 in one of 4 sentences, twice; entity 1 in two.
  const [first, second] = importanceOf(mentionsOf([[0, 0], [1], [], [1]]));
  near(first!, (Math.log(3.5 / 1.5) * ((2 * 2.5) / (2 + 1.5 * 1.75))) / 4);
  near(second!, 0);
});

/** Numbers entities by their first mention, as the derived index does. */
const sentences = fc.array(fc.array(fc.nat(7), { maxLength: 5 }), { maxLength: 12 }).map(lists => {
  const order = [...new Set(lists.flat())];
  return lists.map(list => list.map(entity => order.indexOf(entity)));
});

test('importance is the mean of BM25 over all sentences', () => {
  fc.assert(
    fc.property(sentences, lists => {
      const mentions = mentionsOf(lists);
      const mean = lists.flat().length / lists.length;
      const frequency = (entity: number): number =>
        lists.filter(list => list.includes(entity)).length;
      const entities = [...Array(mentions.entities).keys()];
      const raw = entities.map(
        entity =>
          Math.log(lists.length - frequency(entity) + 0.5) - Math.log(frequency(entity) + 0.5),
      );
      const floor = (0.25 * raw.reduce((sum, value) => sum + value, 0)) / raw.length;
      const found = importanceOf(mentions);
      for (const entity of entities) {
        const scores = lists.map(list => {
          const often = list.filter(value => value === entity).length;
          const idf = raw[entity]! < 0 ? floor : raw[entity]!;
          return (idf * often * 2.5) / (often + 1.5 * (0.25 + (0.75 * list.length) / mean));
        });
        near(found[entity]!, scores.reduce((sum, value) => sum + value, 0) / lists.length);
      }
    }),
  );
});

test('key entities are a share of all, with every tie', () => {
  const keys = (importance: number[], share: number): number[] => [
    ...keyEntities(Float64Array.from(importance), share),
  ];
  assert.deepEqual(keys([5, 1, 4, 2, 3], 0.6), [1, 0, 1, 0, 1]);
  assert.deepEqual(keys([5, 3, 4, 3, 3], 0.6), [1, 1, 1, 1, 1]);
  assert.deepEqual(keys([5, 1, 4, 2, 3], 0), [0, 0, 0, 0, 0]);
  assert.deepEqual(keys([5, 1], 1), [1, 1]);
  assert.deepEqual(keys([], 0.6), []);
});

test('equals all pairs of sentences that share a key entity', () => {
  fc.assert(
    fc.property(sentences, fc.constantFrom(2, 3, 50), (lists, most) => {
      const mentions = mentionsOf(lists);
      const graph = new CoOccurrence(mentions, { most });
      const keys = keyEntities(importanceOf(mentions), 0.6);
      for (const [node, list] of lists.entries()) {
        const expected = new Map<number, number>();
        for (const [other, others] of lists.entries()) {
          if (node === other) continue;
          for (const entity of [...new Set(list)].sort((a, b) => a - b)) {
            const holding = lists.filter(each => each.includes(entity)).length;
            if (keys[entity] === 0 || holding > most || !others.includes(entity)) continue;
            const rarity = Math.log(1 + (lists.length - holding + 0.5) / (holding + 0.5));
            expected.set(other, (expected.get(other) ?? 0) + rarity);
          }
        }
        const byNumber = (a: [number, number], b: [number, number]): number => a[0] - b[0];
        assert.deepEqual([...graph.neighbours(node)].sort(byNumber), [...expected].sort(byNumber));
      }
    }),
  );
});
