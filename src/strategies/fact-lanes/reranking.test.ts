/** Tests the order of a reranker: how many candidates it reads for which texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defaultsOf } from '../../core/naming/family.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { Reranker } from '../../models/reranker.ts';
import type { Kit } from '../strategy.ts';
import { LaneSearches } from './lane-searches.ts';
import { rerankedOrder } from './reranking.ts';
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

/** Prefers the text of the greatest number; `-` as the question prefers the smallest. */
const byNumber: Reranker = {
  id: 'by number',
  score: async (question, texts) =>
    Float32Array.from(texts, text => Number(text) * (question === '-' ? -1 : 1)),
};
const falling = (size: number): number[] => Array.from({ length: size }, (_, at) => size - at);

test('candidates stand in the order of the reranker, unread ones behind in their own', async () => {
  const { run } = runWith({ reranker: byNumber, candidates: 3 });
  assert.deepEqual(await rerankedOrder(run, ['+'], [5, 9, 7, 1, 8], String), [4, 2, 1, 0, 3]);
});

test('without a reranker the scores decide', async () => {
  const { run } = runWith({});
  assert.deepEqual(await rerankedOrder(run, ['+', '-'], [5, 9, 7], String), [1, 2, 0]);
});

test('the best of each text take turns', async () => {
  const { run, read } = runWith({ reranker: byNumber });
  assert.deepEqual(await rerankedOrder(run, ['+', '-'], falling(5), String), [4, 0, 3, 1, 2]);
  assert.deepEqual(read, [
    ['+', 5],
    ['-', 5],
  ]);
});

test('three texts share 200 pairs, and a later one of the question finds none left', async () => {
  const { run, read } = runWith({ reranker: byNumber });
  await rerankedOrder(run, ['a', 'b', 'c'], falling(300), String);
  await rerankedOrder(run, ['d'], falling(300), String);
  assert.deepEqual(read, [
    ['a', 66],
    ['b', 67],
    ['c', 67],
  ]);
  assert.equal(run.searches.short, undefined);
});

test('a limit on pairs below what is wanted is noted', async () => {
  for (const [left, short] of [
    [2, 'rerankedPairs'],
    [3, undefined],
  ] as const) {
    const { run } = runWith({ reranker: byNumber, left });
    await rerankedOrder(run, ['+'], falling(3), String);
    assert.equal(run.searches.short, short);
  }
});

test('every candidate stands once, whatever limits and scores', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 250 }),
      fc.array(fc.constantFrom('+', '-'), { minLength: 1, maxLength: 5 }),
      fc.option(fc.nat(250), { nil: undefined }),
      fc.integer({ min: 1, max: 1000 }),
      async (scores, texts, left, candidates) => {
        const { run, read } = runWith({ reranker: byNumber, left, candidates });
        const order = await rerankedOrder(run, texts, scores, String);
        assert.deepEqual(
          order.toSorted((a, b) => a - b),
          [...scores.keys()],
        );
        const pairs = read.reduce((sum, [, texts]) => sum + texts, 0);
        assert.ok(pairs <= Math.min(200, left ?? 200), `${pairs} pairs`);
        assert.ok(read.every(([, texts]) => texts <= candidates));
      },
    ),
  ));
