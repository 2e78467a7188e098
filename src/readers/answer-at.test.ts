import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defined } from '../core/defined.ts';
import type { Answer } from '../core/trace/trace.ts';
import { answerAt, checkAnswerAt, isBelow } from './answer-at.ts';

const CITED = [{ id: 'a', documentId: 'a', start: 0, end: 4 }];
const answered = (probability?: number): Answer =>
  defined({ kind: 'answered', text: 'Heron', citations: CITED, support: 0.9, probability });

describe('answerAt', () => {
  test('gives an answer of the asked probability, and any that states none', () => {
    for (const answer of [answered(0.7), answered(0.9), answered()])
      assert.equal(answerAt(answer, 0.7), answer);
    assert.equal(answerAt(answered(0), 0).kind, 'answered');
  });

  test('withholds one below it, with its text and citations', () => {
    const answer = answerAt(answered(0.69), 0.7);
    assert.deepEqual(answer, {
      kind: 'abstained',
      reason: 'No answer above 0.7',
      below: 0.7,
      withheld: { text: 'Heron', citations: CITED },
      support: 0.9,
      probability: 0.69,
    });
    assert.ok(isBelow(answer));
  });

  test('does not take a refusal of the reader for one, whatever its reason', () => {
    const refusal: Answer = {
      kind: 'abstained',
      reason: 'No answer above 0.7',
      probability: 0.2,
      withheld: { text: 'Heron', citations: [] },
    };
    assert.equal(answerAt(refusal, 0.7), refusal);
    assert.ok(!isBelow(refusal));
  });

  test('refuses what is no probability', () => {
    assert.equal(checkAnswerAt(0), 0);
    assert.equal(checkAnswerAt(1), 1);
    for (const wrong of [-0.1, 1.1, Number.NaN, '0.7' as unknown as number])
      assert.throws(() => checkAnswerAt(wrong), { code: 'bad-answer-at' });
  });
});
