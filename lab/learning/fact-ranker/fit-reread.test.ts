/**
 * Tests the learning of the third stage on the project's invented corpus: pairs that are read,
 * separation of folds, and the gain by a perfect reranker.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { freeCall } from '../../../src/core/trace/call.ts';
import type { DataSet, Example, Gold } from '../../../src/evaluation/example.ts';
import type { Reranker } from '../../../src/models/reranker.ts';
import { mulberry32 } from '../../../src/search/indexes/mulberry32.ts';
import { DEFAULT_WEIGHTS } from '../../../src/strategies/fact-lanes/reread.ts';
import { FIXTURE_DOCUMENTS } from '../../../src/testing/fixture-corpus.ts';
import { overlapReranker } from '../../../src/testing/overlap-reranker.ts';
import { engineOf } from '../../../src/testing/strategy-run.ts';
import { type LearnOptions, learnRanker, PACKINGS } from './cross-validation.ts';
import { candidateKey, type Stages } from './fit-ranker.ts';
import { Rereadings, rereadScores } from './fit-reread.ts';
import { scored } from './packed.ts';
import { defaultLanes, type RankedQuestion, rankedQuestions } from './ranked-question.ts';

const engine = engineOf(FIXTURE_DOCUMENTS);
const FOLDS = 3;

/** Questions that quote the first sentence of each document. */
const EXAMPLES: readonly Example[] = FIXTURE_DOCUMENTS.flatMap(
  ({ id: documentId, title, text }): Example[] => {
    const end = text.indexOf('. ') + 1;
    if (end === 0) return [];
    const gold: Gold = { documentId, title, fact: text.slice(0, end), span: [0, end] };
    const asked = `Is it true of ${title || 'the town'} that ${text.slice(0, end - 1)}?`;
    return [
      { id: documentId, question: { id: documentId, text: asked }, answers: ['Yes'], gold: [gold] },
    ];
  },
);

const goldTexts = new Set(EXAMPLES.flatMap(({ gold }) => gold.map(({ fact }) => fact!)));
const score: Reranker['score'] = async (_, texts) =>
  Float32Array.from(texts, text => ([...goldTexts].some(fact => text.endsWith(fact)) ? 4 : -4));
/** A reranker that recognises the gold sentences. */
const knowing: Reranker = { id: 'knowing', score };

const questions: RankedQuestion[] = [];
before(async () => {
  const random = mulberry32(7);
  const dataSet = {
    name: 'fiction',
    documents: FIXTURE_DOCUMENTS,
    examples: EXAMPLES,
  } as unknown as DataSet;
  const given = {
    engine,
    retriever: 'lexical',
    signal: new AbortController().signal,
    clock: () => 0,
  };
  for await (const question of rankedQuestions(dataSet, given)) {
    // A hint that is mostly wrong, so that a reranker can improve on it.
    const hint = Float64Array.from(question.right, yes => random() + (yes ? 0.1 : 0));
    questions.push({ ...question, first: { hint } });
  }
  assert.ok(questions.length >= 8);
});

const options = (reread?: Partial<NonNullable<LearnOptions['reread']>>): LearnOptions => ({
  ...{ folds: FOLDS, settings: { ...defaultLanes(), tokens: 30 }, engine },
  ...(reread
    ? { reread: { reranker: knowing, pairs: 5, reads: () => true, call: freeCall(), ...reread } }
    : {}),
});

describe('fitting', () => {
  const stages: Stages = { first: { hint: 1 }, second: { hint: 1 } };
  const rereadings = (own: readonly RankedQuestion[], more = {}): Rereadings =>
    new Rereadings(own, { ...options({}).reread!, ...more });
  const everything = { from: () => true, unseen: new Set<string>() };
  const nothing = async (): Promise<void> => {};

  test('gives a perfect reranker a large weight; a question that is not read has no scores', async () => {
    const own = rereadings(questions, { reads: (at: number) => at !== 1 });
    const third = await own.fit(stages, everything, nothing);
    assert.deepEqual(
      [Object.keys(third.weights), own.questions],
      [['score', 'answer', 'read'], questions.length - 1],
    );
    assert.ok(third.weights['answer']! > 1 && third.weights['score']! > 0);
    assert.equal(rereadScores(third, 1), undefined);
    assert.equal(rereadScores(third, 0)!.length, questions[0]!.right.length);
    assert.deepEqual([...third.features.get(0)!['score']!], [...scored(questions[0]!, stages)]);
  });

  test('ignores unseen candidates and excluded questions', async () => {
    const [some, other] = questions;
    const unseen = new Set(
      some!.right.flatMap((yes, at) => (yes ? [candidateKey(some!.view, at)] : [])),
    );
    const turned = questions.map(question => ({
      ...question,
      right: question.right.map(
        (yes, at) => question === other || unseen.has(candidateKey(question.view, at)) !== yes,
      ),
    }));
    const from = (at: number): boolean => at !== 1;
    const { weights } = await rereadings(questions).fit(stages, { from, unseen }, nothing);
    assert.deepEqual(
      (await rereadings(turned).fit(stages, { from, unseen }, nothing)).weights,
      weights,
    );
    assert.notDeepEqual(
      (await rereadings(questions).fit(stages, everything, nothing)).weights,
      weights,
    );
  });

  test('scores a pair once, even if several stages select it; reports one step per question', async () => {
    const reranker = overlapReranker();
    const own = rereadings(questions, { reranker });
    let steps = 0;
    const first = await own.fit(stages, everything, async () => void steps++);
    const calls = reranker.calls.length;
    assert.deepEqual(await own.fit(stages, everything, nothing), first);
    assert.deepEqual([reranker.calls.length, steps], [calls, questions.length]);
    const pairs = reranker.calls.reduce((sum, { texts }) => sum + texts.length, 0);
    assert.ok(Math.abs(first.pairs - pairs / questions.length) < 1e-12 && first.pairs > 0);
  });

  test('returns plain weights, not zeros, without questions to learn from', async () => {
    const third = await rereadings(questions).fit(
      stages,
      { ...everything, from: () => false },
      nothing,
    );
    assert.deepEqual(third.weights, DEFAULT_WEIGHTS);
  });
});

describe('cross-validation', () => {
  test('leaves the other figures unchanged; a perfect reranker improves recall', async () => {
    const steps: string[] = [];
    const onStep = async (done: number, total: number): Promise<void> =>
      void steps.push(`${done}/${total}`);
    const without = await learnRanker(questions, options());
    const { reread, weights, ...rest } = await learnRanker(questions, { ...options({}), onStep });
    const { reread: learnt, ...stages } = weights;
    assert.deepEqual({ weights: stages, ...rest }, without);
    assert.deepEqual(
      [Object.keys(learnt!), reread!.questions],
      [['score', 'answer', 'read'], questions.length],
    );
    assert.deepEqual(reread!.without, rest.heldOut);
    assert.ok(reread!.heldOut.FactRecall > reread!.without.FactRecall, JSON.stringify(reread));
    assert.ok(reread!.pairs > 0);
    const total = FOLDS + PACKINGS.length + 1 + (FOLDS + 1) * questions.length;
    assert.deepEqual([steps.length, steps.at(-1)], [total, `${total}/${total}`]);
  });

  test('reads and measures a sample only', async () => {
    const asked = new Set<string>();
    const reranker: Reranker = {
      id: 'noted',
      score: (query, texts, call) => {
        asked.add(query);
        return knowing.score(query, texts, call);
      },
    };
    const { reread, heldOut } = await learnRanker(
      questions,
      options({ reranker, reads: at => at % 2 === 0 }),
    );
    assert.equal(reread!.questions, Math.ceil(questions.length / 2));
    assert.notDeepEqual(reread!.without, heldOut);
    for (const [at, { view }] of questions.entries())
      assert.equal(
        view.lanes.some(lane => asked.has(lane)),
        at % 2 === 0,
      );
  });

  test('ignores a held-out fact in its fold, which then has plain weights', async () => {
    const [one] = questions;
    const unseen = new Set(
      one!.right.flatMap((yes, at) => (yes ? [candidateKey(one!.view, at)] : [])),
    );
    const own = new Rereadings([one!, one!], options({}).reread!);
    const third = await own.fit(
      { first: { hint: 1 }, second: { hint: 1 } },
      { from: at => at > 0, unseen },
      async () => {},
    );
    assert.deepEqual(third.weights, DEFAULT_WEIGHTS);
    assert.equal((await learnRanker([one!, one!, one!], options({}))).reread!.questions, 3);
  });
});
