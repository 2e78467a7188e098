/**
 * Flat records: rows, paths, which paragraphs may be negatives (by an oracle that asks the rule of
 * each), and that nothing depends on luck.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import type { TrainingQuestion } from '../training-question.ts';
import { questionFolds } from './question-folds.ts';
import { batchOf, mostUpdates, shuffledBatches, streamOf } from './training-batches.ts';
import { type TrainingSet, trainingSet } from './training-set.ts';

const paragraphs = (from: number, count: number, titled = true) =>
  Array.from({ length: count }, (_, at) => ({
    title: titled ? `T${from + at}` : '',
    text: `text ${from + at}`,
  }));
const made = (id: string, about: Partial<TrainingQuestion> = {}): TrainingQuestion => ({
  dataset: 'hotpotqa',
  id,
  type: 'bridge',
  text: `question ${id}`,
  ownContext: true,
  paragraphs: paragraphs(0, 10),
  supporting: [],
  evidences: [],
  steps: [],
  order: [2, 7],
  ...about,
});
const musique = (
  id: string,
  steps: readonly (readonly [string, number])[],
  from = 100,
): TrainingQuestion =>
  made(id, {
    dataset: 'musique',
    type: 'steps',
    order: [],
    paragraphs: paragraphs(from, 12),
    steps: steps.map(([question, paragraph]) => ({ question, paragraph })),
  });

test('a chain: the first hop, then the update; all paragraphs of an own context have rows', () => {
  const set = trainingSet([made('a')], { seed: 3 });
  assert.deepEqual(
    set.examples[0]!.records.map(({ path, positive }) => ({ path, positive })),
    [
      { path: [], positive: 2 },
      { path: [2], positive: 7 },
    ],
  );
  assert.equal(set.paragraphs.length, 10);
  for (const { negatives } of set.examples[0]!.records) assert.equal(new Set(negatives).size, 5);
});

/** Treehop.md 6.2.6 word by word, with everything looked up anew for each paragraph. */
function mayBeNegative(
  { examples }: TrainingSet,
  paragraph: number,
  record: TrainingSet['examples'][number]['records'][number],
): boolean {
  const { records } = examples[0]!;
  const layer = records
    .filter(({ path }) => path.length === record.path.length)
    .map(({ positive }) => positive);
  const group = records
    .filter(({ path }) => path.join() === record.path.join())
    .map(({ positive }) => positive);
  const children = records
    .filter(
      ({ path }) =>
        path.length > 0 &&
        path.slice(0, -1).join() === record.path.join() &&
        group.includes(path.at(-1)!),
    )
    .map(({ positive }) => positive);
  return ![...layer, ...children].includes(paragraph);
}

test('negatives: each paragraph that the rule allows is drawn by some seed, no other by any', () => {
  const shapes: readonly (readonly (readonly [string, number])[])[] = [
    [
      ['a', 0],
      ['#1', 1],
    ],
    [
      ['a', 0],
      ['b', 1],
      ['#1 #2', 2],
    ],
    [
      ['a', 0],
      ['#1', 1],
      ['#1', 2],
      ['#2 #3', 3],
    ],
    [
      ['a', 0],
      ['#1', 1],
      ['b', 2],
      ['#3', 3],
    ],
  ];
  for (const steps of shapes) {
    const drawn = new Map<string, Set<number>>();
    let last: TrainingSet | undefined;
    for (let seed = 0; seed < 60; seed++) {
      last = trainingSet([musique('m', steps)], { seed });
      for (const { path, positive, negatives } of last.examples[0]!.records)
        drawn.set(
          `${path} ${positive}`,
          new Set([...(drawn.get(`${path} ${positive}`) ?? []), ...negatives]),
        );
    }
    for (const record of last!.examples[0]!.records) {
      const right = last!.paragraphs.keys().filter(row => mayBeNegative(last!, row, record));
      assert.deepEqual(
        [...drawn.get(`${record.path} ${record.positive}`)!].sort((a, b) => a - b),
        [...right],
        JSON.stringify(record),
      );
    }
  }
});

test('draws the negatives of a question independently of other questions', () => {
  const records = (questions: readonly TrainingQuestion[]) => {
    const { examples, paragraphs: all } = trainingSet(questions, { seed: 5 });
    return examples
      .find(({ id }) => id === 'a')!
      .records.map(({ negatives }) => negatives.map(row => all[row]!.title));
  };
  const other = made('b', { paragraphs: paragraphs(40, 10) });
  assert.deepEqual(records([made('a')]), records([other, made('a')]));
  assert.notDeepEqual(trainingSet([made('a')], { seed: 5 }), trainingSet([made('a')], { seed: 6 }));
});

test('without a context: ten of the pool, none of a gold title; without titles among their like', () => {
  const pooled = (id: string, titled: boolean, from: number): TrainingQuestion =>
    made(id, { ownContext: false, paragraphs: paragraphs(from, 2, titled), order: [0, 1] });
  const questions = [
    made('own'),
    pooled('titled', true, 50),
    // The same title with another text is no negative.
    made('same', { paragraphs: [{ title: 'T50', text: 'other' }, ...paragraphs(60, 9)] }),
    ...Array.from({ length: 12 }, (_, at) => pooled(`bare${at}`, false, 80 + 2 * at)),
  ];
  for (let seed = 0; seed < 20; seed++) {
    const { examples, paragraphs: all, rejected } = trainingSet(questions, { seed });
    assert.equal(rejected.length, 0);
    for (const { id, records, ownContext } of examples) {
      const negatives = records.flatMap(record => record.negatives.map(row => all[row]!));
      assert.equal(ownContext, id === 'own' || id === 'same');
      if (id === 'titled')
        assert.ok(negatives.every(({ title, text }) => title !== '' && text !== 'other'));
      if (id.startsWith('bare')) assert.ok(negatives.every(({ title }) => title === ''));
    }
  }
});

test('folds: every question in one, sizes alike, a shared hop never in two', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 8, maxLength: 40 }),
      fc.integer({ min: 2, max: 5 }),
      fc.nat(99),
      (hops, folds, seed) => {
        const examples = hops.map(([from, to], at) => ({
          dataset: 'hotpotqa' as const,
          id: String(at),
          type: 'bridge',
          text: '',
          ownContext: true,
          from: 'order' as const,
          records: [{ path: [from], positive: to, negatives: [] }],
        }));
        const fold = questionFolds(examples, folds, seed);
        for (const [a, [fromA, toA]] of hops.entries())
          for (const [b, [fromB, toB]] of hops.entries())
            if (fromA === fromB && toA === toB) assert.equal(fold[a], fold[b]);
        assert.ok(fold.every(each => each >= 0 && each < folds));
      },
    ),
  );
  const apart = trainingSet(
    Array.from({ length: 23 }, (_, at) =>
      made(String(at), { paragraphs: paragraphs(at * 10, 10) }),
    ),
  );
  const fold = [...questionFolds(apart.examples, 5, 1)];
  assert.deepEqual(
    [0, 1, 2, 3, 4].map(each => fold.filter(part => part === each).length).sort(),
    [4, 4, 5, 5, 5],
  );
});

test('batches: every question once, in an order of the epoch; streams differ by every place', () => {
  const all = Array.from({ length: 10 }, (_, at) => at);
  const of = (epoch: number) => shuffledBatches(all, 4, streamOf(7, 1, epoch));
  assert.deepEqual(
    of(1).map(({ length }) => length),
    [4, 4, 2],
  );
  assert.deepEqual(of(1).flat().sort(), all);
  assert.deepEqual(of(1), of(1));
  const firsts = [
    streamOf(7, 1, 1),
    streamOf(7, 1, 2),
    streamOf(7, 2, 1),
    streamOf(8, 1, 1),
    streamOf(7, 1, 1, 0),
  ].map(next => next());
  assert.equal(new Set(firsts).size, 5);
});

test('a batch: longer paths after shorter ones, each with the row that its query comes from', () => {
  const steps: readonly (readonly [string, number])[] = [
    ['a', 0],
    ['#1', 1],
    ['#2', 2],
  ];
  const set = trainingSet(
    [musique('m', steps), made('a'), musique('n', [...steps, ['#2', 3]], 200)],
    { negatives: 2 },
  );
  const random = mulberry32(1);
  const d = 3;
  const fill = (rows: number) => Float32Array.from({ length: rows * d }, random);
  const vectors = {
    d,
    questions: fill(set.examples.length),
    paragraphs: fill(set.paragraphs.length),
  };
  const batch = batchOf(set.examples, vectors, [0, 1, 2])!;
  const row = (values: Float32Array, at: number) => [...values.subarray(at * d, (at + 1) * d)];
  const expected = [0, 1, 2].flatMap(question =>
    set.examples[question]!.records.map(record => ({ question, ...record })),
  );
  const updates = [1, 2].flatMap(length => expected.filter(({ path }) => path.length === length));
  assert.deepEqual([...batch.parents!], [-1, -1, -1, 0, 2, 2]);
  assert.equal(mostUpdates(set.examples, 2), 5);
  for (const [at, { question, path, positive, negatives }] of updates.entries()) {
    assert.deepEqual(row(batch.queries, at), row(vectors.questions, question));
    assert.deepEqual(row(batch.passages, at), row(vectors.paragraphs, path.at(-1)!));
    assert.deepEqual(row(batch.positives, at), row(vectors.paragraphs, positive));
    for (const [j, negative] of negatives.entries())
      assert.deepEqual(row(batch.negatives, 2 * at + j), row(vectors.paragraphs, negative));
  }
  assert.equal(batchOf(set.examples, vectors, [1])!.parents, undefined);
});
