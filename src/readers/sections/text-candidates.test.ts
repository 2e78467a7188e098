/** Tests the names, commands, options and words of a sentence that may answer, and how clearly. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  CLEAR,
  candidatesOf,
  checkCandidates as check,
  LIKELY,
  POSSIBLE,
} from '../../../test/candidates-of.ts';

check('persons', [
  ['Who wrote Wren?', 'It was begun by Ada Lindgren.', [['Ada Lindgren', CLEAR]]],
  ['Who wrote Wren?', 'Copyright (c) 2011 Ada Lindgren', [['Ada Lindgren', CLEAR]]],
  ['Who wrote Wren?', 'Then came Ada Lindgren.', [['Ada Lindgren', POSSIBLE]]],
  ['Who wrote Wren?', 'Then it ran on Mac OS.', []],
  ['Who wrote Wren?', 'Nobody knows.', []],
  ['Who wrote Wren?', 'It came by Lisbon University Press.', []],
]);

check('commands', [
  ['Which command empties it?', 'Run `wren drain --all` once.', [['wren drain --all', CLEAR]]],
  ['Which command empties it?', 'Set "The Pool" or "pool" or "a=b c".', []],
  ['Which command empties it?', 'It will "empty the whole pool" at once.', []],
  ['Which command empties it?', 'Call "wren drain pool" once.', [['wren drain pool', CLEAR]]],
]);
test('a command has the name of its manual page', () => {
  const asked = 'Which command empties it?';
  const pages = ['wren-drain(1) - empties the pool', 'wren.conf(5)', 'Wren', 'wren (1)'];
  const named = pages.map(title => candidatesOf(asked, 'Empties the pool.', { title }));
  assert.deepEqual(named, [[['wren-drain', LIKELY]], [], [], []]);
});
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
  test('have the form that the question names', () => {
    const text = 'Of 5 MB or DF (e.g. this), see -z, maxTint and NO_TINT.';
    const named = (question: string) => candidatesOf(question, text).map(([name]) => name);
    assert.deepEqual(named('Which setting turns off colours?'), ['-z', 'maxTint', 'NO_TINT']);
    assert.deepEqual(named('Which flag turns off colours?'), ['-z']);
    assert.deepEqual(named('Which environment variable turns off colours?'), ['NO_TINT']);
    assert.deepEqual(named('Which keyword turns off colours?'), [
      'MB',
      'DF',
      '-z',
      'maxTint',
      'NO_TINT',
    ]);
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

test('places, definitions and lists have no candidates', () => {
  for (const [question, sentence] of [
    ['Where was Wren shown first?', 'A talk in Lisbon began it.'],
    ['What is a shard?', 'A shard is a part of an index.'],
    ['Which three backends are there?', 'Wren binds redis, etcd and consul.'],
  ] as const)
    assert.deepEqual(candidatesOf(question, sentence), []);
});

check('words', [
  ['What log level is used?', 'Default: "notice"', [['notice', CLEAR]]],
  ['Where does Wren keep its pages?', 'They stand in /var/lib/wren there.', []],
  ['In what folder are pages kept?', 'In /var/lib/wren there.', [['/var/lib/wren', POSSIBLE]]],
  [
    'What do hooks of Wren receive?',
    'The port is called north_side, unlike south_side.',
    [
      ['north_side', POSSIBLE],
      ['south_side', POSSIBLE],
    ],
  ],
]);
test('no text crosses a bracket or the cells of a table', () => {
  const question = 'What do hooks of Wren receive?';
  assert.deepEqual(candidatesOf(question, 'It is "a (small" and "b) one" and "c | d".'), []);
  assert.deepEqual(candidatesOf(question, 'It is "a (small) one".'), [['a (small) one', POSSIBLE]]);
});
test('words of code say little', () => {
  assert.deepEqual(candidatesOf('What do hooks receive?', 'x is max_tint', { kind: 'code' }), [
    ['max_tint', 0.2],
  ]);
});
