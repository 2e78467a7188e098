/** Tests the names, commands, options and words of a sentence that may answer, and how clearly. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { candidatesOf } from '../../../test/candidates-of.ts';

const [CLEAR, LIKELY, POSSIBLE] = [1, 0.7, 0.4];
type Case = readonly [
  question: string,
  sentence: string,
  candidates: readonly (readonly [text: string, form: number])[],
];
function check(name: string, cases: readonly Case[]): void {
  void describe(name, () => {
    for (const [question, sentence, expected] of cases)
      test(`${question} ${sentence}`, () =>
        assert.deepEqual(candidatesOf(question, sentence), expected));
  });
}

check('persons', [
  ['Who wrote Wren?', 'It was begun by Ada Lindgren.', [['Ada Lindgren', CLEAR]]],
  ['Who wrote Wren?', 'Copyright (c) 2011 Ada Lindgren', [['Ada Lindgren', CLEAR]]],
  ['Who wrote Wren?', 'Then came Ada Lindgren.', [['Ada Lindgren', POSSIBLE]]],
  ['Who wrote Wren?', 'Nobody knows.', []],
]);

check('places', [
  ['Where was Wren shown first?', 'A talk in Lisbon began it.', [['Lisbon', LIKELY]]],
  ['Where was Wren shown first?', 'A talk in the  Hague began it.', [['Hague', LIKELY]]],
  ['Where was Wren shown first?', 'Then Lisbon saw it.', [['Lisbon', 0.2]]],
  ['Where was Wren shown first?', 'A talk in Wren began it.', []],
]);

check('commands', [
  ['Which command empties it?', 'Run `wren drain --all` once.', [['wren drain --all', CLEAR]]],
  ['Which command empties it?', 'Set "The Pool" or "pool" or "a=b c".', []],
]);
test('commands stand in lines of code, surely behind a prompt', () => {
  const lines = '$ wren drain --all\nwren start\n# wren stop now\nlet x = f(y);\nWren is up\nwren';
  assert.deepEqual(candidatesOf('Which command empties it?', lines, { kind: 'code' }), [
    ['wren drain --all', CLEAR],
    ['wren start', LIKELY],
    ['wren stop now', LIKELY],
  ]);
});

describe('options', () => {
  const question = 'Which option turns off colours?';
  test('are what heads the section, and identifiers in it', () => {
    assert.deepEqual(candidatesOf(question, 'See maxTint too.', { heading: ['Output', 'plain'] }), [
      ['plain', CLEAR],
      ['maxTint', LIKELY],
    ]);
    assert.deepEqual(candidatesOf(question, 'Ends it.', { heading: ['The --plain flag'] }), [
      ['--plain', CLEAR],
    ]);
    assert.deepEqual(candidatesOf(question, 'Ends it.', { heading: ['Plain output'] }), []);
  });
  test('head the block that defines them', () => {
    const heading = ['Plain output'];
    const text = '--plain: as --no-tint';
    assert.deepEqual(candidatesOf(question, text, { heading, kind: 'option' }), [
      ['--plain', CLEAR],
      ['--plain', LIKELY],
      ['--no-tint', LIKELY],
    ]);
    assert.deepEqual(candidatesOf(question, text, { heading, kind: 'code' }), [
      ['--plain', POSSIBLE],
      ['--no-tint', POSSIBLE],
    ]);
  });
});

check('definitions', [
  ['What is a shard?', 'A shard is a part of an index.', [['a part of an index', CLEAR]]],
  ['What is a shard?', 'A shard (or slice) means a part.', [['a part', CLEAR]]],
  ['What is a shard?', 'A cold shard is a part on disk.', [['a part on disk', POSSIBLE]]],
  ['What is a shard?', 'A shard is named after a piece of glass.', []],
  ['What is a shard?', 'A shard is usually built by a worker.', []],
  ['What is a shard?', 'A shard is not an index.', []],
  ['What is a shard?', 'A pool is a set of workers.', []],
  ['What is a shard?', 'shard: a part of an index', []],
]);
test('definitions stand behind the term that their block defines', () => {
  assert.deepEqual(
    candidatesOf('What is a shard?', 'shard: a part\nof an index.', { kind: 'definition' }),
    [['a part of an index', CLEAR]],
  );
});

check('lists', [
  [
    'Which three backends are there?',
    'Wren binds redis, etcd and consul.',
    [['redis, etcd and consul', LIKELY]],
  ],
]);

check('words', [
  ['What log level is used?', 'Default: "notice"', [['notice', CLEAR]]],
  ['What is Wren named after?', 'Wren is named after a small bird.', [['small bird', LIKELY]]],
  [
    'What do hooks of Wren receive?',
    'The port is called north_side, unlike south_side.',
    [
      ['north_side', LIKELY],
      ['south_side', POSSIBLE],
    ],
  ],
]);
test('words of code say little', () => {
  assert.deepEqual(candidatesOf('What do hooks receive?', 'x is max_tint', { kind: 'code' }), [
    ['max_tint', 0.2],
  ]);
});
