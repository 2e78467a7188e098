/** Tests similarity and choice of claims against slow oracles and by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { contentStems } from '../../language/english/words/stems.ts';
import { claimText } from '../../models/claim-generator.ts';
import { ClaimSpace } from '../../planning/claims/claim-space.ts';
import { ClaimChoice } from './choose.ts';
import type { Candidate } from './claim-pool.ts';

const entities = { all: [], main: undefined, of: () => undefined };

function candidate(id: string, text: string, target = '', fact = true): Candidate {
  const about = { sentence: text, title: '', about: '' };
  return {
    hit: { id, documentId: id, start: 0, end: text.length, score: 1 },
    search: { hop: 0, search: 0 },
    source: { ...about, start: 0, entities },
    place: { ...about, before: '', after: '' },
    fact,
    claim: { text, target, topic: '', targets: [], verified: true },
  };
}

const word = fc.constantFrom('lamp', 'lamps', 'glass', 'violet', 'tarn', 'the', '12');
const text = fc.array(word, { maxLength: 6 }).map(words => words.join(' '));

/** The cosine as it is defined, over all stems of all texts. */
function slowCosine(texts: readonly string[], a: string, b: string): number {
  const rows = texts.map(contentStems);
  const all = [...new Set([...rows.flatMap(row => [...row]), ...contentStems(a)])];
  const idf = (stem: string): number =>
    Math.log(1 + rows.length / (1 + rows.filter(row => row.has(stem)).length));
  const vector = (text: string): number[] =>
    all.map(stem => (contentStems(text).has(stem) ? idf(stem) : 0));
  const dot = (x: number[], y: number[]): number =>
    x.reduce((sum, value, at) => sum + value * y[at]!, 0);
  const [x, y] = [vector(a), vector(b)];
  const most = Math.sqrt(dot(x, x) * dot(y, y));
  return most === 0 ? 0 : dot(x, y) / most;
}

test('similarities are those of the definition', () =>
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), text, (texts, asked) => {
      for (const [at, similar] of new ClaimSpace(texts).similarities(asked).entries())
        assert.ok(Math.abs(similar - slowCosine(texts, asked, texts[at]!)) < 1e-12);
    }),
  ));

const WORLD = [
  candidate('a', 'Tarn Works sold violet lamps.', 'Tarn Works'),
  candidate('b', 'Osk Maren praised violet lamps of Tarn Works.', 'Osk Maren'),
  candidate('c', 'Osk Maren was born in Vell.', 'Osk Maren'),
  candidate('d', 'Vell lies on the river.', 'Vell'),
  candidate('e', 'Osk Maren!', 'Osk Maren', false),
];
const QUESTION = 'Where was the man born who praised violet lamps?';
const choice = (more: Partial<ConstructorParameters<typeof ClaimChoice>[1]> = {}): ClaimChoice =>
  new ClaimChoice(WORLD, { question: QUESTION, aware: false, ranked: [], join: false, ...more });
const ids = (claims: readonly Candidate[]): string => claims.map(({ hit }) => hit.id).join('');

describe('choice by hand', () => {
  test('paper: an equal part for each target in turn, and the best of the rest', () => {
    assert.equal(ids(choice().first(['Osk Maren', 'Vell'], 2)), 'cd');
    // Two each; the shorter claim is nearer to a target, and b is what Osk Maren has left.
    assert.equal(ids(choice().first(['Osk Maren', 'Vell'], 4)), 'cdb');
    assert.equal(ids(choice().first(['Osk Maren', 'Tarn Works'], 3)), 'cab');
    assert.equal(ids(choice().first(['Nobody'], 4)), '');
  });
  test('aware: the question ranks the claims that name a target; its own part has any sentence', () => {
    const ranked = ['b', 'e', 'a'];
    assert.equal(ids(choice({ aware: true, ranked }).first(['Osk Maren'], 2)), 'bc');
    assert.equal(ids(choice({ aware: true, ranked }).first([QUESTION, 'Osk Maren'], 4)), 'bcea');
    assert.equal(ids(choice({ aware: true, ranked }).fill(2)), 'be');
    assert.equal(ids(choice({ aware: true, ranked }).nearest(WORLD)).slice(0, 3), 'bea');
  });
  test('second: one claim a target, none twice; joined, claims about the target alone', () => {
    assert.equal(ids(choice().second(['Osk Maren', 'Osk Maren', 'Osk Maren'])), 'cb');
    const joined = choice({ join: true });
    assert.equal(ids(joined.second(['Tarn Works', 'Tarn Works'])), 'a');
    assert.equal(ids(choice().second(['Tarn Works', 'Tarn Works'])), 'ab');
    const excluded = choice();
    excluded.exclude([WORLD[2]!]);
    assert.equal(ids(excluded.second(['Osk Maren'])), 'b');
  });
});

/** The first hop of the paper, as slowly as it reads. */
function slowFirst(world: readonly Candidate[], targets: readonly string[], most: number): string {
  const left = new Set(world.map(({ hit }) => hit.id));
  const texts = world.map(({ claim }) => claimText(claim));
  const near = (claim: Candidate, target: string): number =>
    claim.fact || world.every(({ fact }) => !fact)
      ? (new ClaimSpace(texts).similarities(target)[world.indexOf(claim)] ?? 0)
      : 0;
  const takeBest = (score: (claim: Candidate) => number): Candidate | undefined => {
    let best: Candidate | undefined;
    for (const claim of world)
      if (left.has(claim.hit.id) && score(claim) > (best ? score(best) : 0)) best = claim;
    if (best) left.delete(best.hit.id);
    return best;
  };
  const parts = targets.map(target => {
    const part: Candidate[] = [];
    while (part.length < Math.floor(most / targets.length)) {
      const best = takeBest(claim => near(claim, target));
      if (!best) break;
      part.push(best);
    }
    return part;
  });
  const chosen: Candidate[] = [];
  for (let at = 0; at < most; at++) for (const part of parts) if (part[at]) chosen.push(part[at]!);
  while (chosen.length < most) {
    const best = takeBest(claim => Math.max(...targets.map(target => near(claim, target))));
    if (!best) break;
    chosen.push(best);
  }
  return ids(chosen);
}

test('the first hop is that of the slow loop', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, fc.boolean()), { minLength: 1, maxLength: 7 }),
      fc.array(text, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 6 }),
      (rows, targets, most) => {
        const world = rows.map(([text, fact], at) => candidate(`${at}`, text, '', fact));
        const fast = new ClaimChoice(world, {
          question: '',
          aware: false,
          ranked: [],
          join: false,
        });
        assert.equal(ids(fast.first(targets, most)), slowFirst(world, targets, most));
      },
    ),
  ));
