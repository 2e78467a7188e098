import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { abstentionCurve, judgedOutcomes } from './abstention-curve.ts';
import { majorityByType } from './answer-controls/majority.ts';
import { answerControls } from './answer-controls.ts';
import { controlRow, controlTrace, isControl } from './controls.ts';
import type { Example } from './example.ts';
import { foldsOf } from './fitting/folds.ts';
import { lawExamples, lawRecords } from './measure-fixtures.ts';
import { measure } from './measures.ts';

const asked = (answer: string, index: number): Example => ({
  id: `q${index}`,
  question: { id: `q${index}`, text: '?' },
  answers: [answer],
  type: 'comparison',
  gold: [],
});

test('deals folds evenly, and equally for equal seeds', () => {
  const folds = foldsOf(103);
  for (let fold = 0; fold < 5; fold++)
    assert.ok([20, 21].includes(folds.filter(part => part === fold).length));
  assert.deepEqual(folds, foldsOf(103));
  assert.notDeepEqual(folds, foldsOf(103, 5, 1));
});

test('fits the majority without the question itself', () => {
  // Each question's answer is its own: were it fitted on itself, some question would get it.
  const unique = Array.from({ length: 40 }, (_, i) => asked(`answer ${i}`, i));
  const answers = majorityByType(
    unique,
    unique.map(() => 'comparison'),
  );
  for (const [i, answer] of answers.entries()) assert.notEqual(answer, `answer ${i}`);
});

test('takes the majority of the predicted type, else of all', () => {
  const examples = Array.from({ length: 60 }, (_, i) =>
    asked(i % 2 === 0 ? 'Yes' : i % 3 === 0 ? 'X' : 'no', i),
  );
  const types = examples.map((_, i) => (i === 59 ? 'rare' : i % 2 === 0 ? 'even' : 'odd'));
  const answers = majorityByType(examples, types);
  assert.ok(answers.every((answer, i) => answer === (i === 59 || i % 2 === 0 ? 'Yes' : 'no')));
  assert.deepEqual(majorityByType([asked('Yes', 0)], ['comparison']), [
    'Insufficient information.',
  ]);
});

test('scores all cue words high by the official accuracy and low by the strict one', () => {
  const runs = lawExamples.map(example => ({
    example,
    evidence: [],
    context: { text: '', parts: [] },
    hops: [],
  }));
  const says = (control: string): string[] =>
    answerControls
      .create(control)
      .treat(runs, lawRecords)
      .map(each => (each?.kind === 'says' ? each.text : ''));
  const [text] = says('all-cue-words');
  const scores = (name: string): unknown[] =>
    lawExamples.map(example =>
      measure(name).score(example, controlTrace('all-cue-words', example, text!), lawRecords),
    );
  // A comparison with the answer Yes, an inference with a name, a temporal no, a null question.
  assert.deepEqual(scores('QaAccuracy(official)'), [1, 0, 1, 1]);
  assert.deepEqual(scores('QaAccuracy(strict)'), [0, 0, 0, 0]);
  assert.deepEqual(says('always-yes'), ['Yes', 'Yes', 'Yes', 'Yes']);
});

test('recognises control rows', () => {
  assert.ok(isControl(controlRow('always-yes')));
  assert.ok(isControl({ strategy: 'iterative', control: { name: 'swapped-evidence', of: 'a' } }));
  assert.ok(!isControl({ strategy: 'fixed-top-k(k=2)' }));
});

test('computes the abstention curve of a hand-worked case', () => {
  const curve = abstentionCurve([
    { support: 0.9, correct: true, isNull: false },
    { support: 0.2, correct: false, isNull: true },
    { support: 0.2, correct: false, isNull: false },
    { support: 0.6, correct: false, isNull: true },
  ]);
  assert.deepEqual(curve, [
    { threshold: 0.2, abstainedNull: 0, refusedAnswerable: 0, accuracy: 1 / 4 },
    { threshold: 0.6, abstainedNull: 1 / 2, refusedAnswerable: 1 / 2, accuracy: 2 / 4 },
    { threshold: 0.9, abstainedNull: 1, refusedAnswerable: 1 / 2, accuracy: 3 / 4 },
    { threshold: null, abstainedNull: 1, refusedAnswerable: 1, accuracy: 2 / 4 },
  ]);
});

test('equals counting at every point of the curve', () => {
  const judged = fc.array(
    fc.record({
      support: fc.integer({ min: 0, max: 5 }),
      correct: fc.boolean(),
      isNull: fc.boolean(),
    }),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(judged, items => {
      const clean = items.map(item => ({ ...item, correct: item.correct && !item.isNull }));
      for (const { threshold, accuracy } of abstentionCurve(clean)) {
        const right = clean.filter(item =>
          threshold === null || item.support < threshold ? item.isNull : item.correct,
        );
        assert.ok(Math.abs(accuracy - right.length / clean.length) < 1e-12);
      }
    }),
  );
});

test('judges withheld answers by their text', () => {
  const strict = measure('QaAccuracy(strict)');
  const outcomes = lawExamples.map((example, i) => ({
    failed: i === 2,
    answer:
      i === 0
        ? ({ kind: 'answered', text: 'yes', citations: [], support: 0.8 } as const)
        : ({
            kind: 'abstained',
            reason: '',
            support: 0.1,
            withheld: { text: example.answers[0]!, citations: [] },
          } as const),
  }));
  assert.deepEqual(judgedOutcomes(lawExamples, outcomes, strict, lawRecords), [
    { support: 0.8, correct: true, isNull: false },
    { support: 0.1, correct: true, isNull: false },
    { support: 0.1, correct: false, isNull: true },
  ]);
});
