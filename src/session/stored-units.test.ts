/** Checks the unit that a retriever's name means in a store. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Unit } from '../core/ranking/ranking.ts';
import { retrieverInStore } from './stored-units.ts';

const space = (name: string, ...units: Unit[]) => ({ name, id: name, dimensions: 4, units });
const passages = {
  spaces: [
    space('toy', 'passage'),
    space('both', 'document', 'passage'),
    space('wide', 'document'),
  ],
};

describe('in a store with passages of "toy"', () => {
  for (const [name, means] of [
    ['dense(toy)', 'dense(toy, unit=passage)'],
    ['dense(space=toy)', 'dense(toy, unit=passage)'],
    ['dense(toy, unit=document)', 'dense(toy)'],
    ['dense(toy, unit=sentence)', 'dense(toy, unit=sentence)'],
    ['fused(lexical, dense(toy))', 'fused(lexical(unit=passage), dense(toy, unit=passage))'],
    [
      'fused(lexical(s1), dense(toy), method=weighted)',
      'fused(lexical(s1, unit=passage), dense(toy, unit=passage), method=weighted)',
    ],
    [
      'fused(lexical(unit=passage), dense(toy))',
      'fused(lexical(unit=passage), dense(toy, unit=passage))',
    ],
    ['fused(lexical(unit=document), dense(toy))', 'fused(lexical, dense(toy))'],
    ['reranked(dense(toy), tei:x)', 'reranked(dense(toy, unit=passage), tei:x)'],
    ['filtered(dense(toy), "a = 1")', 'filtered(dense(toy, unit=passage), "a = 1")'],
    ['max-p(dense(toy))', 'max-p(dense(toy))'],
    ['hybrid(toy)', 'hybrid(toy)'],
    ['fused(hybrid(toy), dense(toy))', 'fused(hybrid(toy), dense(toy, unit=passage))'],
    ['lexical', 'lexical'],
    ['dense(both)', 'dense(both)'],
    ['dense(wide)', 'dense(wide)'],
    ['fused(dense(toy), dense(wide))', 'fused(dense(toy), dense(wide))'],
    ['fused', 'fused(lexical, clauses(lexical))'],
    ['dense(nobody)', 'dense(nobody)'],
  ] as const)
    test(`${name} means ${means}`, () => assert.equal(retrieverInStore(name, passages), means));
});

test('an unknown name is an error', () => {
  assert.throws(() => retrieverInStore('desne(toy)', passages), { code: 'unknown-retriever' });
});
