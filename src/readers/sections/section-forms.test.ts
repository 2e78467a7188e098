/** Tests what decides a question's form, its parts, and the truth of what sentences say. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type AskedForm,
  askedForm,
  askedParts,
} from '../../language/english/question/asked-form.ts';
import { defaultValues, speaksOfDefault } from '../../language/english/values/default-values.ts';
import { deniesInMain, truthOf } from '../../language/english/values/polarity.ts';

const FORMS: readonly (readonly [question: string, form: AskedForm])[] = [
  ['What is the update of the day?', 'value'],
  ['Which dateline does the page bear?', 'value'],
  ['What commander leads Wren?', 'value'],
  ['What maximum memory does it take?', 'size'],
  ['Which one is faster?', 'choice'],
  ['Which of these two is older?', 'choice'],
  ['What one of them is older?', 'choice'],
  ['Who is older: Ada or Grace?', 'choice'],
  ['Compare Wren with Heron', 'choice'],
  ['For the first release, who wrote the parser?', 'person'],
  ['The parser was written by whom?', 'person'],
  ['Since when is Wren free?', 'date'],
  ['For new users, when was the plan closed?', 'date'],
  ['How much does the plan cost?', 'price'],
  ['How much memory does it take?', 'size'],
  ['How many kilobytes may a cookie have?', 'size'],
  ['How many days is a token valid?', 'duration'],
  ['List all backends', 'list'],
  ['What are the allowed levels?', 'list'],
  ['Define shard', 'definition'],
  ['What does WAL mean?', 'definition'],
  ['Explain the cache', 'manner'],
  ['What happens after a crash?', 'manner'],
  ['In Wren, how do I rotate a key?', 'manner'],
];

describe('the form of an answer', () => {
  for (const [question, form] of FORMS)
    test(question, () => assert.equal(askedForm(question).form, form));
});

test('questions of one sentence are split before question words alone', () => {
  for (const [question, ...parts] of [
    ['Who wrote it? And how many lines has it?', 'Who wrote it', 'how many lines has it?'],
    ['Who wrote it; when was it?', 'Who wrote it', 'when was it?'],
    ['Who wrote it and in which year?', 'Who wrote it', 'in which year?'],
    ['Who wrote it and the tests?', 'Who wrote it and the tests?'],
    ['Who wrote it?', 'Who wrote it?'],
    ['???', '???'],
    ['', ''],
  ] as const)
    assert.deepEqual(askedParts(question), parts);
});

test('a sentence that mentions defaults says so in one of these ways', () => {
  for (const text of [
    'The default is 4.',
    'It defaults to 4.',
    'Both are defaults.',
    'It works out of the box.',
    'If unset, it is 4.',
    'If not specified, it is 4.',
    'Initially 4.',
  ])
    assert.ok(speaksOfDefault(text), text);
  for (const text of ['It is 4.', 'The faulty part is 4.']) assert.ok(!speaksOfDefault(text), text);
});

test('stated defaults end where their clause ends, without articles and points', () => {
  for (const [sentence, ...values] of [
    ['The default is a file.', 'file'],
    ['Default: "a b", or c', 'a b'],
    ['Default: 5...', '5'],
    ['Default: ""'],
    ['The default is 5 when cold.', '5'],
    ['It falls by default to the ground.'],
    ['"warm" is the default.', 'warm'],
    ['Slow (the default) or quick', 'Slow'],
    [`Default: ${'x'.repeat(60)}`, 'x'.repeat(60)],
    [`Default: ${'x'.repeat(61)}`],
  ] as const)
    assert.deepEqual(
      defaultValues(sentence).map(({ text }) => text),
      values,
      sentence,
    );
});

describe('truth', () => {
  test('is read from the main clause, behind an opening condition too', () => {
    assert.equal(deniesInMain('If cached, it is not read.'), true);
    assert.equal(deniesInMain('If it is not cached, it is read.'), false);
    assert.equal(deniesInMain('It is read, although it is not new.'), false);
    assert.equal(deniesInMain('It is not necessarily read.'), false);
  });
  test('is read from the first word of a value alone', () => {
    for (const value of ['true', 'Yes', 'on', 'enabled', 'always', '1'])
      assert.equal(truthOf(value), true, value);
    for (const value of ['false', 'No', 'off', 'disabled', 'never', 'null', 'undefined'])
      assert.equal(truthOf(value), false, value);
    for (const value of ['not on', '10', 'onward', 'nothing', '']) {
      assert.equal(truthOf(value), undefined, value);
    }
  });
});
