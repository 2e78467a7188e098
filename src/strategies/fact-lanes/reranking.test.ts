/** Tests the order of a reranker: how many candidates it reads for which texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defaultsOf } from '../../core/naming/family.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { Reranker } from '../../models/reranker.ts';
import type { Kit } from '../strategy.ts';
import { LaneSearches } from './lane-searches.ts';
import { rerankedScores, scoresWithReranker, withRanks } from './reranking.ts';
import { FACT_LANES_PARAMETERS } from './settings.ts';

interface Given {
  readonly reranker?: Reranker | undefined;
  readonly candidates?: number;
  /** The pairs that the run has left. */
  readonly left?: number | undefined;
}

/** A run whose reranker records the number of texts that it reads for each question. */
function runWith({ reranker, candidates = 100, left }: Given) {
  const read: [question: string, texts: number][] = [];
  const resource = (): Reranker | undefined =>
    reranker && {
      id: reranker.id,
      score(question, texts, call) {
        read.push([question, texts.length]);
        if (left !== undefined) left -= texts.length;
        return reranker.score(question, texts, call);
      },
    };
  const call = { ...freeCall(), left: () => (left === undefined ? {} : { rerankedPairs: left }) };
  const run = {
    kit: { resource } as unknown as Kit,
    settings: { ...defaultsOf(FACT_LANES_PARAMETERS), candidates },
    call,
    pairs: 0,
    searches: new LaneSearches(1),
  };
  return { run, read };
}

/** Scores a text by the number that it is; the higher the worse if the question is `-`. */
const byNumber: Reranker = {
  id: 'by number',
  score: async (question, texts) =>
    Float32Array.from(texts, text => Number(text) * (question === '-' ? -1 : 1)),
};
const falling = (size: number): number[] => Array.from({ length: size }, (_, at) => size - at);

/** Returns the places, best first. */
const order = (scores: readonly number[]): number[] =>
  [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!);

test('sections stand in the order of the reranker, unread ones behind in their own', async () => {
  const { run } = runWith({ reranker: byNumber, candidates: 3 });
  const scores = await rerankedScores(run, '+', [5, 9, 7, 1, 8], String);
  assert.deepEqual(order(scores), [4, 2, 1, 0, 3]);
});

test('ranks by words decide between sections that the reranker scores alike', () => {
  assert.deepEqual(order([...withRanks([7, 6.9, 3, 7.4, 1])]), [0, 1, 3, 2, 4]);
  assert.deepEqual(order([...withRanks([7, 6.9, 3, 9, 1])]), [3, 0, 1, 2, 4]);
});

test('the order of a reranker with ranks does not depend on its scale', () =>
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -900, max: 900 }), { minLength: 1, maxLength: 50 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: -99, max: 99 }),
      (scores, factor, shift) => {
        const scaled = withRanks(scores.map(score => score * factor + shift));
        for (const [at, score] of withRanks(scores).entries())
          assert.ok(Math.abs(score - scaled[at]!) < 1e-9);
      },
    ),
  ));

test('equal scores of the reranker leave the order by words', () => {
  assert.deepEqual(order([...withRanks([2, 2, 2, 2])]), [0, 1, 2, 3]);
});

test('a sum has the scores of the reranker from 0 to 1 as one more member', async () => {
  const { run } = runWith({ reranker: byNumber, candidates: 3 });
  // Read are the places 1, 4 and 2, in this order.
  const sums = await scoresWithReranker(run, '+', [5, 9, 7, 1, 8], String);
  assert.deepEqual(sums, [5, 9, 7 + Math.fround(1) / 3, 1, 9]);
});

test('equal scores of the reranker change no sum', async () => {
  const { run } = runWith({ reranker: { ...byNumber, score: async () => new Float32Array(2) } });
  assert.deepEqual(await scoresWithReranker(run, '+', [2, 1], String), [2, 1]);
});

test('without a reranker the scores stay', async () => {
  const { run } = runWith({});
  for (const scoresOf of [rerankedScores, scoresWithReranker])
    assert.deepEqual(await scoresOf(run, '+', [5, 9, 7], String), [5, 9, 7]);
});

test('a question has 200 pairs in all its hops, and what is read after them stays unread', async () => {
  const { run, read } = runWith({ reranker: byNumber, candidates: 150 });
  for (const question of ['a', 'b', 'c']) await rerankedScores(run, question, falling(300), String);
  assert.deepEqual(read, [
    ['a', 150],
    ['b', 50],
  ]);
  assert.equal(run.searches.short, undefined);
});

test('three texts share 200 pairs', async () => {
  const { run, read } = runWith({ reranker: byNumber });
  for (const [at, question] of ['a', 'b', 'c'].entries())
    await rerankedScores(run, question, falling(300), String, 3 - at);
  assert.deepEqual(
    read.map(([, texts]) => texts),
    [66, 67, 67],
  );
});

test('a limit on pairs below what is wanted is noted', async () => {
  for (const [left, short] of [
    [2, 'rerankedPairs'],
    [3, undefined],
  ] as const) {
    const { run } = runWith({ reranker: byNumber, left });
    await rerankedScores(run, '+', falling(3), String);
    assert.equal(run.searches.short, short);
  }
});

test('every candidate keeps a finite score within the limits, whatever the scores', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 250 }),
      fc.array(fc.constantFrom('+', '-'), { minLength: 1, maxLength: 5 }),
      fc.option(fc.nat(250), { nil: undefined }),
      fc.integer({ min: 1, max: 1000 }),
      fc.constantFrom(rerankedScores, scoresWithReranker),
      async (scores, questions, left, candidates, scoresOf) => {
        const { run, read } = runWith({ reranker: byNumber, left, candidates });
        for (const question of questions) {
          const given = await scoresOf(run, question, scores, String);
          assert.equal(given.length, scores.length);
          assert.ok(given.every(Number.isFinite));
        }
        const pairs = read.reduce((sum, [, texts]) => sum + texts, 0);
        assert.ok(pairs <= Math.min(200, left ?? 200), `${pairs} pairs`);
        assert.ok(read.every(([, texts]) => texts <= candidates));
      },
    ),
  ));

test('the shipped ranker reads English questions alone, a named reranker all', async () => {
  const foreign = ['Où est le pont ?', 'Где находится мост?', 'Gdzie leży Łódź?', '桥在哪里？'];
  for (const question of ['Where is the bridge?', 'nginx reload', ...foreign]) {
    const { run, read } = runWith({ reranker: byNumber });
    await rerankedScores(run, question, falling(3), String);
    assert.equal(read.length, foreign.includes(question) ? 0 : 1, question);
    const settings = { ...run.settings, reranker: { name: 'named', args: [] } };
    await rerankedScores({ ...run, settings }, question, falling(3), String);
    assert.deepEqual(read.at(-1), [question, 3]);
  }
});
