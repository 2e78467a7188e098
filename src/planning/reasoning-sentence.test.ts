/**
 * The filter of reasoning sentences, phrase by phrase of the ir-cot sheet's section 4, and the
 * words that queries go without.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  isReasoningSentence,
  lastFactualSentence,
  sameThought,
  withoutQuestionWords,
} from './reasoning-sentence.ts';

describe('a sentence that reasons', () => {
  const reasons = [
    'Thus the works is in Tarn.',
    'Thus, the works is in Tarn.',
    'So the answer is: Tarn.',
    'SO, Tarn it is.',
    'That is, Tarn.',
    'Therefore Tarn.',
    'Therefore, Tarn.',
    'Hence Tarn.',
    '  hence, Tarn.',
    'He was 12 + 3 = 15 years old.',
    'It ran for 2004 - 1998 = 6 years.',
    '1,000+200=1,200 crowns.',
  ];
  const states = [
    'Thusly named, the works is in Tarn.',
    'Sofia lives in Tarn.',
    'Some say so.',
    'That is Tarn.',
    'The works, thus, is in Tarn.',
    'The years 1998-2004 were dry.',
    'x + y = z',
    '12 + 3 people came.',
    '',
  ];
  for (const sentence of reasons)
    test(`reasons: ${sentence}`, () => assert.equal(isReasoningSentence(sentence), true));
  for (const sentence of states)
    test(`states: ${sentence || '(nothing)'}`, () =>
      assert.equal(isReasoningSentence(sentence), false));
});

test('the last sentence that states a fact', () => {
  assert.equal(
    lastFactualSentence(['One fell.', 'Two fell.', 'So three fell.', 'Hence all fell.']),
    'Two fell.',
  );
  assert.equal(lastFactualSentence(['So three fell.']), undefined);
  assert.equal(lastFactualSentence([]), undefined);
});

test('the nine question words go, whole and in any case, and no other', () => {
  assert.equal(
    withoutQuestionWords(
      'Who, what or WHEN - where? why (which) how does it is  island whose doer this',
    ),
    'or - it island whose doer this',
  );
  assert.equal(withoutQuestionWords('Is it? Who? Why'), 'it?');
  assert.equal(withoutQuestionWords('what is'), '');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const left = withoutQuestionWords(text);
      assert.equal(withoutQuestionWords(left), left);
      assert.ok(left.length <= text.length);
      isReasoningSentence(text);
    }),
  );
});

test('case and white space make no other thought', () => {
  assert.equal(sameThought('The  works is\nin Tarn. ', 'the works is in tarn.'), true);
  assert.equal(sameThought('The works is in Tarn.', 'The works is in Vell.'), false);
});

test('a megabyte of digits or spaces is read in time', () => {
  for (const text of [
    '1'.repeat(1_000_000),
    '1,'.repeat(500_000),
    ' '.repeat(1_000_000),
    '1 + '.repeat(250_000),
  ]) {
    isReasoningSentence(text);
    withoutQuestionWords(text);
  }
});
