/** Tests the filter of reasoning sentences phrase by phrase, and the removal of question words. */
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

test('returns the last sentence that states a fact', () => {
  assert.equal(
    lastFactualSentence(['One fell.', 'Two fell.', 'So three fell.', 'Hence all fell.']),
    'Two fell.',
  );
  assert.equal(lastFactualSentence(['So three fell.']), undefined);
  assert.equal(lastFactualSentence([]), undefined);
});

test('removes the nine question words, whole and in any case, and no others', () => {
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

test('ignores case and white space in thoughts', () => {
  assert.equal(sameThought('The  works is\nin Tarn. ', 'the works is in tarn.'), true);
  assert.equal(sameThought('The works is in Tarn.', 'The works is in Vell.'), false);
});

test('reads a megabyte of digits or spaces', () => {
  for (const [text, left] of [
    ['1'.repeat(1_000_000), '1'.repeat(1_000_000)],
    ['1,'.repeat(500_000), '1,'.repeat(500_000)],
    [' '.repeat(1_000_000), ''],
    ['1 + '.repeat(250_000), '1 + '.repeat(250_000).trimEnd()],
  ] as const) {
    assert.equal(isReasoningSentence(text), false);
    assert.ok(withoutQuestionWords(text) === left, `changed: ${text.slice(0, 4)}`);
  }
  assert.equal(isReasoningSentence(`${'1 + '.repeat(250_000)}1 = 2`), true);
});
