/** Tests the completion of sub-questions by hand-worked cases. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  completedByRule,
  losesEntity,
  problemOf,
  withAnswer,
  withoutEntities,
} from './lost-entity.ts';

test('a sub-question lacks an entity if it has a whole word that refers to one', () => {
  for (const text of [
    'Where was this writer born?',
    'What is its capital?',
    'Who was he?',
    'Did the former win?',
    'Is it the same town?',
    'Where was #1 born?',
  ])
    assert.ok(losesEntity(text), text);
  for (const text of ['Where was Ines Quill born?', 'Who wrote the theory of Ithaca?', 'C#1?'])
    assert.ok(!losesEntity(text), text);
});

describe('completion by rule', () => {
  const none = (): undefined => undefined;
  test('replaces the first pronoun or phrase by the last answer', () => {
    const cases: Readonly<Record<string, string>> = {
      'Where was this writer born?': 'Where was Ines born?',
      'What is her name?': "What is Ines's name?",
      'Did she sing of her town?': 'Did Ines sing of her town?',
      'When did the former die?': 'When did Ines die?',
      'Is that in Tarn?': 'Is that in Tarn (Ines)?',
      'Who is Osk Maren?': 'Who is Osk Maren?',
    };
    for (const [text, expected] of Object.entries(cases))
      assert.equal(completedByRule(text, ['Osk', 'Ines', undefined], none), expected);
  });

  test('leaves a sub-question without any answer before it', () => {
    assert.equal(completedByRule('Where was she born?', [undefined], none), 'Where was she born?');
  });
});

test('the answer in brackets stands before one question mark', () => {
  assert.equal(withAnswer('Where was she born??', 'Ines'), 'Where was she born (Ines)?');
});

test('a rewriting is refused if it is empty, too long, or names somebody new', () => {
  const original = 'Where was this writer born?';
  const said = ['Who wrote The Lamp?', 'Ines Quill'];
  assert.equal(problemOf('Where was Ines Quill born?', original, said), undefined);
  assert.equal(problemOf(' ?', original, said), 'empty');
  assert.equal(problemOf('Where was Osk Maren born?', original, said), 'new-entity');
  assert.equal(problemOf('word '.repeat(15), original, said), undefined);
  assert.equal(problemOf('word '.repeat(16), original, said), 'too-long');
});

test('writes references as somebody would who does not know the answers', () => {
  const earlier = [
    'the film director of The Lamp',
    "Osk Maren's wife",
    'Who is the maker of X',
    'X',
  ];
  for (const [number, expected] of [
    [1, 'Was this director old?'],
    [2, 'Was this wife old?'],
    [3, 'Was this maker old?'],
    [4, 'Was it old?'],
    [9, 'Was it old?'],
  ] as const)
    assert.equal(withoutEntities(`Was #${number} old?`, earlier), expected);
});
