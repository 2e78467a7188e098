import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defined } from '../../core/defined.ts';
import type { Answer } from '../../core/trace/trace.ts';
import { answerAt } from '../../readers/answer-at.ts';
import type { Example } from '../example.ts';
import { emptyLawTrace, lawExamples, lawRecords } from '../measure-fixtures.ts';
import { measure } from '../measures.ts';

const answerable = lawExamples.find(({ answers, type }) => answers.length > 0 && type !== 'null')!;
const asNull = lawExamples.find(({ type }) => type === 'null')!;

const answered = (text: string, probability?: number): Answer =>
  defined({ kind: 'answered', text, citations: [], probability });

const score = (name: string, example: Example, answer: Answer) =>
  measure(name).score(example, { ...emptyLawTrace(example), answer }, lawRecords);

test('an answer counts from its probability on, rightly or wrongly', () => {
  const right = answered(answerable.answers[0]!, 0.7);
  assert.equal(score('AnsweredAt(0.7)', answerable, right), 1);
  assert.equal(score('RightAt(0.7)', answerable, right), 1);
  assert.equal(score('AnsweredAt(0.71)', answerable, right), 0);
  assert.equal(score('RightAt(0.71)', answerable, right), undefined);
  assert.equal(score('RightAt(0.7)', answerable, answered('Nobody at all', 0.9)), 0);
});

test('an answer without a probability is always given; a refusal in words never', () => {
  assert.equal(score('AnsweredAt(1)', answerable, answered('Nobody at all')), 1);
  assert.equal(score('AnsweredAt(0)', answerable, answered('Insufficient information.')), 0);
});

test('a run at a higher threshold has the same values as one that shows every answer', () => {
  for (const probability of [0.2, 0.5, 0.9])
    for (const least of [0.1, 0.5, 0.7]) {
      const answer = answered(answerable.answers[0]!, probability);
      for (const name of [`AnsweredAt(${least})`, `RightAt(${least})`])
        assert.equal(
          score(name, answerable, answerAt(answer, 0.8)),
          score(name, answerable, answer),
          `${name} of an answer of probability ${probability}`,
        );
    }
});

test('an answer to a null question is wrong, and null questions are not answerable', () => {
  assert.equal(score('RightAt(0.7)', asNull, answered('Somebody', 0.9)), 0);
  assert.equal(score('AnsweredAt(0.7)', asNull, answered('Somebody', 0.9)), undefined);
});

test('readers that show evidence alone have no value', () => {
  for (const name of ['AnsweredAt(0.7)', 'RightAt(0.7)'])
    assert.equal(score(name, answerable, { kind: 'evidence' } as Answer), undefined);
});
