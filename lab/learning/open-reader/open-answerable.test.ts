/** Tests which cases of evidence teach that an answer is missing, and the threshold. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FeatureTable } from './feature-table.ts';
import {
  type AnswerCase,
  answerCases,
  caseSupport,
  type Draft,
  fitAnswerable,
  openThreshold,
} from './open-answerable.ts';
import { readSample } from './open-read.ts';
import type { OpenSample } from './open-sample.ts';

const TEXTS = [
  'Mara Quist founded Velo in 1903.',
  'Velo builds boats in Dunmarrow.',
  'Its boats are blue.',
];
const sample = (change: Partial<OpenSample> = {}): OpenSample => ({
  set: 'x',
  question: 'Who founded Velo?',
  answers: ['mara quist'],
  titles: ['Velo', 'Mara Quist', 'Boats'],
  sentences: TEXTS.map((text, part) => ({ text, part })),
  ...change,
});
const other = (set = 'x'): OpenSample =>
  sample({ set, titles: ['Kelp'], sentences: [{ text: 'Elm counted kelp.', part: 0 }] });

/** Returns of each case: its question, true if it lacks the answer, its number of sentences. */
function cases(samples: readonly OpenSample[]) {
  const table = new FeatureTable();
  const reads = samples.map(each => readSample(each, table));
  const found = answerCases(samples, reads, table);
  for (const { index, isNull, read } of found) if (!isNull) assert.equal(read, reads[index]);
  return found.map(({ index, isNull, read }) => [index, isNull, read.evidence.alone.length]);
}

describe('answerCases', () => {
  test('one question of ten, with its own evidence and without the sentences of its answer', () => {
    const samples = Array.from({ length: 11 }, (_, at) => sample({ set: at === 10 ? 'y' : 'x' }));
    assert.deepEqual(cases(samples), [
      [0, false, 3],
      [0, true, 2],
      [10, false, 3],
      [10, true, 2],
    ]);
  });

  test('and with the evidence of the last question of its set, seven before it', () => {
    const samples = [sample(), ...Array.from({ length: 9 }, () => sample()), sample()];
    samples[3] = other();
    assert.deepEqual(cases(samples).slice(2), [
      [10, false, 3],
      [10, true, 1],
      [10, true, 2],
    ]);
    samples[3] = other('y');
    assert.deepEqual(cases(samples).slice(2), [
      [10, false, 3],
      [10, true, 3],
      [10, true, 2],
    ]);
  });

  test('any of several answers counts', () => {
    assert.equal(cases([sample({ answers: ['Bo Arn', 'Mara Quist'] })]).length, 2);
    assert.equal(cases([sample({ answers: ['maybe', 'yes'] })]).length, 1);
  });

  test('a yes or no stands in no sentence: only foreign evidence lacks it', () => {
    for (const answer of ['yes', 'No']) {
      const samples = Array.from({ length: 11 }, () => sample({ answers: [answer] }));
      samples[3] = other();
      assert.deepEqual(cases(samples), [
        [0, false, 3],
        [10, false, 3],
        [10, true, 1],
      ]);
    }
    assert.deepEqual(cases([sample({ answers: ['no boats'] })]), []);
    assert.deepEqual(cases([sample({ answers: ['a clear no'] })]), []);
  });
});

describe('openThreshold', () => {
  const answerable = (count: number, support: number) =>
    Array.from({ length: count }, () => ({ support, isNull: false }));

  test('is the greatest that refuses at most one of twenty', () => {
    const nulls = [0.1, 0.3, 0.9].map(support => ({ support, isNull: true }));
    const answered = [...answerable(1, 0.2), ...answerable(19, 0.4)];
    assert.deepEqual(openThreshold([...answered, ...nulls]), {
      threshold: 0.4,
      abstainedNull: 2 / 3,
      refusedAnswerable: 0.05,
    });
    const two = [...answerable(2, 0.2), ...answerable(18, 0.4)];
    assert.deepEqual(openThreshold([...two, ...nulls]), {
      threshold: 0.2,
      abstainedNull: 1 / 3,
      refusedAnswerable: 0,
    });
  });

  test('lies from 0 to 1', () => {
    assert.equal(openThreshold(answerable(5, 0)).threshold, 0);
    assert.equal(openThreshold(answerable(5, 1)).threshold, 1);
    assert.equal(openThreshold([]).threshold, 1);
  });
});

describe('fitAnswerable', () => {
  const table = new FeatureTable();
  const [full, none] = [sample(), other()].map(each => readSample(each, table));
  const lessons = [full!, none!].flatMap((read, at): AnswerCase[] =>
    Array.from({ length: 8 }, (_, index) => ({ index, isNull: at === 1, read })),
  );
  const draft = { form: 'span', support: 0.5, match: 0, sentences: [0] };
  const draftOf = (() => draft) as unknown as Draft;

  test('tells evidence with the answer from evidence without', () => {
    const model = fitAnswerable(lessons, draftOf);
    assert.deepEqual(model.outputs, ['answerable']);
    const [held, missing] = [lessons[0]!, lessons[8]!].map(each =>
      caseSupport(each, draftOf, model),
    );
    assert.deepEqual([held!.isNull, missing!.isNull], [false, true]);
    assert.ok(held!.support > 0.5 && missing!.support < 0.5);
  });

  test('a case without a draft teaches nothing and has no support', () => {
    const without: Draft = read => (read === full ? undefined : draftOf(read));
    const model = fitAnswerable(lessons, without);
    assert.deepEqual(model, fitAnswerable(lessons.slice(8), draftOf));
    assert.deepEqual(caseSupport(lessons[0]!, without, model), { support: 0, isNull: false });
  });
});
