/**
 * The third stage: which pairs are read, in which words, what becomes of the rest, and what a limit
 * on pairs leaves over.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Call, freeCall } from '../../core/trace/call.ts';
import type { Reranker } from '../../models/reranker.ts';
import { type OverlapReranker, overlapReranker } from '../../testing/overlap-reranker.ts';
import { answersOf, DEFAULT_WEIGHTS, reread } from './reread.ts';

/** A candidate in plain words. */
interface Sentence {
  readonly text: string;
  readonly title?: string;
  readonly score: number;
  readonly lane?: number;
}

const LANES = [
  'who sold the lamp and who bought the rope',
  'who sold the lamp',
  'who bought the rope',
];
type Readable = Parameters<typeof reread>[0];

const given = (
  sentences: readonly Sentence[],
): { view: Readable; ranked: { scores: Float64Array; lanes: Int32Array } } => ({
  view: {
    lanes: LANES,
    found: sentences.map((_, at) => ({
      hit: { id: `s${at}`, documentId: `d${at}`, start: 0, end: 1, score: 0 },
      search: { hop: 0, search: 0 },
      place: 0,
    })),
    texts: sentences.map(({ text }, at) => ({
      id: `s${at}`,
      documentId: `d${at}`,
      start: 0,
      end: text.length,
      text,
    })),
    documentsOf: sentences.map(({ title = '' }, at) => ({
      id: `d${at}`,
      title,
      text: '',
      metadata: {},
    })),
  },
  ranked: {
    scores: Float64Array.from(sentences, ({ score }) => score),
    lanes: Int32Array.from(sentences, ({ lane = 1 }) => lane),
  },
});
const within = (rerankedPairs: number): Call => ({
  ...freeCall(),
  left: () => ({ rerankedPairs }),
});
const asked = ({ calls }: OverlapReranker): [string, readonly string[]][] =>
  calls.map(({ query, texts }) => [query, texts]);

describe('pairs to score', () => {
  const sentences: Sentence[] = [
    { text: 'a', score: 1 },
    { text: 'b', score: 4, lane: 2 },
    { text: 'c', score: 3 },
    { text: 'd', score: 2 },
    { text: 'e', score: 0, lane: 2 },
  ];
  const { view, ranked } = given(sentences);

  test('are the best of each lane with the text of the lane, the title before the sentence', async () => {
    const reranker = overlapReranker();
    await reread(view, ranked, { reranker, pairs: 2 }, freeCall());
    assert.deepEqual(asked(reranker), [
      [LANES[2], ['b', 'e']],
      [LANES[1], ['c', 'd']],
    ]);
    const titled = given([
      { title: 'Harrow Point', text: 'He sold it.', score: 1 },
      { text: 'Bare.', score: 0 },
    ]);
    const other = overlapReranker();
    await reread(titled.view, titled.ranked, { reranker: other, pairs: 9 }, freeCall());
    assert.deepEqual(asked(other), [[LANES[1], ['Harrow Point. He sold it.', 'Bare.']]]);
  });

  test('are the earliest of equals', async () => {
    const reranker = overlapReranker();
    const equal = given(['a', 'b', 'c'].map(text => ({ text, score: 1 })));
    await reread(equal.view, equal.ranked, { reranker, pairs: 2 }, freeCall());
    assert.deepEqual(asked(reranker), [[LANES[1], ['a', 'b']]]);
  });

  test('are none without candidates', async () => {
    const reranker = overlapReranker();
    const none = given([]);
    const { scores } = await reread(none.view, none.ranked, { reranker, pairs: 12 }, freeCall());
    assert.deepEqual([scores.length, reranker.calls.length], [0, 0]);
  });

  test('omit pairs already scored for the same lane', async () => {
    const reranker = overlapReranker();
    const answers = new Map<string, number>();
    const first = await answersOf(view, ranked, { reranker, pairs: 1, answers }, freeCall());
    const again = await answersOf(view, ranked, { reranker, pairs: 1, answers }, within(0));
    assert.deepEqual([reranker.calls.length, again], [2, first]);
    await answersOf(view, ranked, { reranker, pairs: 2, answers }, freeCall());
    assert.deepEqual(asked(reranker).slice(2), [
      [LANES[1], ['d']],
      [LANES[2], ['e']],
    ]);
    const moved = { ...ranked, lanes: ranked.lanes.map(lane => 3 - lane) };
    await answersOf(view, moved, { reranker, pairs: 1, answers }, freeCall());
    assert.equal(reranker.calls.length, 6);
  });
});

describe('scores', () => {
  const sentences: Sentence[] = [
    { text: 'nothing', score: 2 },
    { text: 'who sold the lamp', score: 1.9 },
    { text: 'behind', score: 1.8 },
    { text: 'far behind', score: 1 },
  ];
  const { view, ranked } = given(sentences);
  /** 0 or so where nothing is shared, 1 or so where all is. */
  const sure: Reranker = {
    id: 'sure',
    score: async (query, texts) => Float32Array.from(texts, text => (text === query ? 50 : -50)),
  };

  test('features: the score, the answer from 0 to 1, and whether it was read', async () => {
    const { features, short } = await answersOf(
      view,
      ranked,
      { reranker: sure, pairs: 2 },
      freeCall(),
    );
    const { score, answer, read } = features;
    assert.deepEqual([[...score!], [...read!], short], [[2, 1.9, 1.8, 1], [1, 1, 0, 0], false]);
    assert.deepEqual(
      [...answer!].map(value => Number(value.toFixed(6))),
      [0, 1, 0, 0],
    );
    const zero: Reranker = {
      id: 'zero',
      score: async (_, texts) => new Float32Array(texts.length),
    };
    const half = await answersOf(view, ranked, { reranker: zero, pairs: 1 }, freeCall());
    assert.deepEqual([...half.features['answer']!], [0.5, 0, 0, 0]);
  });

  test('use the weights of the ranker, or plain ones', async () => {
    const rounded = (scores: Float64Array): number[] =>
      Array.from(scores, score => Number(score.toFixed(6)));
    const plain = await reread(
      view,
      ranked,
      { reranker: sure, pairs: 2, weights: undefined },
      freeCall(),
    );
    assert.deepEqual(rounded(plain.scores), [2, 2.9, 1.8, 1]);
    assert.deepEqual(DEFAULT_WEIGHTS, { score: 1, answer: 1, read: 0 });
    const weights = { score: 2, answer: 4, read: -1 };
    const learnt = await reread(view, ranked, { reranker: sure, pairs: 2, weights }, freeCall());
    assert.deepEqual(rounded(learnt.scores), [3, 6.8, 3.6, 2]);
  });

  test('keep other features and do not change the input', async () => {
    const bridges = new Map([['lamp', 1]]);
    const result = await reread(
      view,
      { ...ranked, bridges },
      { reranker: sure, pairs: 2 },
      freeCall(),
    );
    assert.deepEqual(
      [result.bridges, result.lanes, 'unread' in result],
      [bridges, ranked.lanes, false],
    );
    assert.deepEqual([...ranked.scores], [2, 1.9, 1.8, 1]);
  });

  test('keep the order of unread candidates', async () => {
    const candidates = fc.array(
      fc.record({ score: fc.integer({ min: -5, max: 5 }), lane: fc.integer({ min: 1, max: 2 }) }),
      {
        maxLength: 12,
      },
    );
    await fc.assert(
      fc.asyncProperty(
        candidates,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 8 }),
        async (some, pairs, left) => {
          const { view: own, ranked: before } = given(
            some.map((one, at) => ({ ...one, text: `rope lamp ${at}` })),
          );
          const options = { reranker: overlapReranker(), pairs };
          const { features } = await answersOf(own, before, options, within(left));
          const { scores } = await reread(own, before, options, within(left));
          const unread = [...scores.keys()].filter(at => features['read']![at] === 0);
          for (const a of unread)
            for (const b of unread)
              assert.equal(
                Math.sign(scores[a]! - scores[b]!),
                Math.sign(before.scores[a]! - before.scores[b]!),
              );
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a limit on pairs', () => {
  const { view, ranked } = given([
    { text: 'a', score: 5 },
    { text: 'b', score: 4, lane: 2 },
    { text: 'c', score: 3 },
    { text: 'd', score: 2 },
    { text: 'e', score: 1, lane: 2 },
  ]);

  test('scores the best pairs of all lanes and reports that some are left over', async () => {
    const reranker = overlapReranker();
    const { short } = await reread(view, ranked, { reranker, pairs: 3 }, within(3.5));
    assert.deepEqual(asked(reranker), [
      [LANES[1], ['a', 'c']],
      [LANES[2], ['b']],
    ]);
    assert.ok(short);
  });

  test('does not apply if large enough; makes no call if none are left', async () => {
    const reranker = overlapReranker();
    assert.equal((await reread(view, ranked, { reranker, pairs: 3 }, within(5))).short, false);
    for (const left of [0, -1]) {
      const none = overlapReranker();
      const { scores, short } = await reread(
        view,
        ranked,
        { reranker: none, pairs: 3 },
        within(left),
      );
      assert.deepEqual([[...scores], none.calls.length], [[5, 4, 3, 2, 1], 0]);
      assert.ok(short);
    }
  });
});
