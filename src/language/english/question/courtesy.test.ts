/** Tests what is removed around a question, and what is left alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withoutCourtesy } from './courtesy.ts';
import { asksYesOrNo, predictQuestionType } from './question-type.ts';

const OPENINGS = [
  ...['Hi, could you please tell me: ', 'Hello! ', 'Hey there, ', 'Please tell me ', 'So, '],
  ...['Do you know ', 'I was wondering if you could tell me ', 'Quick question: ', 'Any idea '],
  ...["I'm trying to find out ", "I can't remember ", 'Could you find out ', 'Good morning, '],
  ...['Sorry, do you happen to know ', 'I would like to know ', 'Excuse me, can anyone tell us '],
];
const QUESTIONS = [
  'who founded Acme in 1901?',
  'which company, reported by The Verge, is based in Oslo?',
  'what did the report of October 7 say?',
];

test('openings are removed from questions, alone and one after another', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...OPENINGS.slice(0, 7)),
      fc.constantFrom(...OPENINGS),
      fc.constantFrom(...QUESTIONS),
      fc.constantFrom('', ' Thanks!', ' Thank you very much.'),
      (first, second, question, closing) => {
        const plain = `${question[0]!.toUpperCase()}${question.slice(1)}`;
        assert.equal(withoutCourtesy(`${second}${question}${closing}`), plain);
        // A request ends what precedes it: "Do you know hello" is nobody's question.
        if (/[,!:] $/.test(first))
          assert.equal(
            withoutCourtesy(`${first}${second[0]!.toLowerCase()}${second.slice(1)}${question}`),
            plain,
          );
      },
    ),
  );
});

test('a request for a yes or no stays one', () => {
  for (const [asked, plain] of [
    ['Do you know if The Verge agrees with Wired?', 'Whether The Verge agrees with Wired?'],
    ['Could you tell me whether it rains?', 'Whether it rains?'],
    ['Hi, did it rain?', 'Did it rain?'],
    ['So did it rain, please?', 'Did it rain?'],
  ] as const) {
    assert.equal(withoutCourtesy(asked), plain);
    assert.equal(asksYesOrNo(asked), true, asked);
  }
});

test('names and verbs that look like courtesy stay', () => {
  for (const question of [
    'Hey Jude was written by whom?',
    'Hello Kitty is owned by which company?',
    'Do you need a visa for Norway?',
    'Can you swim in the lake that The Guardian describes?',
    'Thank You for Smoking was directed by whom?',
    'So Solid Crew had which hit?',
    'Please Please Me is by which band?',
    'Say Anything was released when?',
    '',
    'hi',
  ])
    assert.equal(withoutCourtesy(question), question);
});

test('any text: nothing throws, nothing is added but a capital, and twice is once', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.constantFrom(...OPENINGS, ...QUESTIONS, ' thanks', 'if ', 'please'),
          fc.string(),
        ),
        { maxLength: 5 },
      ),
      pieces => {
        const text = pieces.join('');
        const plain = withoutCourtesy(text);
        assert.ok(plain.length <= text.length + 'whether'.length - 'if'.length);
        if (text.trim() !== '') assert.notEqual(plain.trim(), '');
        predictQuestionType(text);
      },
    ),
  );
});

test('the form of a question follows the clause that asks, whatever opens it', () => {
  for (const [question, verdict] of [
    ['Considering the report by A, which company grew?', false],
    ['Considering the report by A, did the company grow?', true],
    ['Based on an article by A and another by B, what is the first letter of the city?', false],
    ['After the report by A, which discussed B, did C agree?', true],
    ['Between the report by A, who was there, and that by B, was there a change', true],
    ['I read a report by A. Has it changed since?', true],
    ['I read a report by A. Which company is it?', false],
    ['The Nimavar school in the bazaar, or bazar, is located in which country?', false],
    ['hi, could you please tell me: does a agree with b', true],
  ] as const)
    assert.equal(asksYesOrNo(question), verdict, question);
});
