/** Checks pairs of names against every pair, compared one by one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { STEP } from '../../../core/steps.ts';
import { type SynonymPair, synonymPairSteps, synonymPairs } from './synonyms.ts';

/** Trigrams of names with their ends, by TF-IDF, of length 1. */
function slowVectors(names: readonly string[]): Map<string, number>[] {
  const lists = names.map(name => {
    const characters = [...` ${name} `];
    return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''));
  });
  const idf = (gram: string): number =>
    1 + Math.log(names.length / lists.filter(list => list.includes(gram)).length);
  return lists.map(list => {
    const weights = [...new Set(list)].map(
      gram => [gram, idf(gram) * list.filter(other => other === gram).length] as const,
    );
    const length = Math.hypot(...weights.map(([, weight]) => weight));
    return new Map(weights.map(([gram, weight]) => [gram, weight / length]));
  });
}

/** Compares each name with each other; every name chooses its best. */
function slowPairs(names: readonly string[], threshold: number, most: number): string[] {
  const vectors = slowVectors(names);
  const cosine = (left: number, other: number): number =>
    [...vectors[left]!].reduce(
      (sum, [gram, weight]) => sum + weight * (vectors[other]!.get(gram) ?? 0),
      0,
    );
  const isLong = (name: string): boolean => [...name.replaceAll(' ', '')].length >= 3;
  const holds = (long: string, short: string): boolean => ` ${long} `.includes(` ${short} `);
  const kept = new Set<string>();
  for (const [left, name] of names.entries()) {
    const others = names.flatMap((other, at) => {
      if (at === left || !isLong(name) || !isLong(other)) return [];
      const score = cosine(left, at);
      const isJoined = score >= threshold - 1e-9 || holds(name, other) || holds(other, name);
      return isJoined && score > 0 ? [{ at, score }] : [];
    });
    others.sort((a, b) => (Math.abs(b.score - a.score) > 1e-9 ? b.score - a.score : a.at - b.at));
    for (const { at } of others.slice(0, most))
      kept.add(`${Math.min(left, at)} ${Math.max(left, at)}`);
  }
  return [...kept].sort();
}

const keys = (pairs: readonly SynonymPair[]): string[] =>
  pairs.map(({ from, to }) => `${from} ${to}`).sort();

const word = fc.constantFrom(
  ...['orla', 'orlas', 'tamsin', 'tamsyn', 'vell', 'velle', 'dunmarrow', 'dunmarow', 'of', 'xy'],
  ...['banana', 'ananana', '𐐀𐐁𐐂𐐃', '𐐀𐐁𐐂𐐄', 'z'],
);
const namesOf = fc.uniqueArray(
  fc.array(word, { minLength: 1, maxLength: 4 }).map(words => words.join(' ')),
  { maxLength: 30 },
);

describe('synonyms of names', () => {
  test('equal a comparison of all pairs, at any threshold', () => {
    fc.assert(
      fc.property(namesOf, fc.constantFrom(0.3, 0.5, 0.8, 0.95), (names, threshold) => {
        assert.deepEqual(
          keys(synonymPairs(names, { threshold })),
          slowPairs(names, threshold, 100),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('join spellings and parts of names, and no others', () => {
    const names = [
      'sam bankman fried',
      'bankman fried',
      'christopher dunmarrow',
      'cristopher dunmarrow',
      'vell',
      'ab',
    ];
    assert.deepEqual(keys(synonymPairs(names)), ['0 1', '2 3']);
    for (const { cosine } of synonymPairs(names)) assert.ok(cosine > 0.3 && cosine < 1);
  });

  test('are as many as a name chooses, besides those that choose it', () => {
    const names = ['reed', ...['ada', 'bo', 'cy', 'dee'].map(first => `${first} reed`)];
    const all = synonymPairs(names).filter(({ from }) => from === 0);
    assert.equal(all.length, 4);
    assert.equal(synonymPairs(names, { most: 0 }).length, 0);
    // Each long name chooses "reed", whatever "reed" chooses.
    assert.equal(synonymPairs(names, { most: 1 }).filter(({ from }) => from === 0).length, 4);
  });

  const syllables = ['ka', 'lo', 'mi', 'nu', 're', 'sa', 'to', 'vi', 'we', 'zo'];
  const spelled = Array.from({ length: 20_000 }, (_, number) =>
    [...String(number + 10_000)].map(digit => syllables[Number(digit)]).join(''),
  );

  test('of 20,000 names are found in steps of little work', () => {
    const steps = synonymPairSteps(spelled);
    const works: number[] = [];
    for (let next = steps.next(); !next.done; next = steps.next()) works.push(next.value);
    const total = works.reduce((sum, work) => sum + work, 0);
    assert.ok(works.length > 100, `${works.length} steps`);
    assert.ok(total < spelled.length ** 2 / 2 / 8, `${total}: an eighth of all pairs`);
    // A pass over all names is one step at most.
    assert.ok(Math.max(...works) <= Math.max(2 * STEP, 16 * spelled.length), `${works}`);
    assert.ok(total / works.length < 2 * STEP, `${total / works.length} a step`);
  });
});
