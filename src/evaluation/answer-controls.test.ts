import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerControls } from './answer-controls.ts';

test('an unknown control is named as one, with those that there are', () => {
  assert.throws(() => answerControls.create('question-onyl'), {
    code: 'unknown-control',
    message: /^Unknown control "question-onyl": .*Did you mean question-only\?$/,
    expected:
      'one of always-yes, majority-by-predicted-type, all-cue-words, question-only, swapped-evidence, flipped-evidence',
  });
});

test('the question-only control holds facts apart by default', () => {
  assert.equal(answerControls.canonical('question-only(folds=fact)'), 'question-only');
  assert.match(answerControls.canonical('question-only(folds=question)'), /folds=question/);
});
