/** Tests the numbers, versions and dates of a sentence that may answer, and how clearly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CLEAR,
  candidatesOf,
  checkCandidates as check,
  LIKELY,
  POSSIBLE,
} from '../../../test/candidates-of.ts';

check('lengths of time and sizes', [
  ['How long does a lock last?', 'A lock lasts 30 seconds, or 4 MB.', [['30 seconds', CLEAR]]],
  ['How large can an upload get?', 'At most 4 MB within 30 seconds.', [['4 MB', CLEAR]]],
  ['How long does a lock last?', 'Default: 75', [['75', LIKELY]]],
  ['How long does a lock last?', 'Default: 2 hours', [['2 hours', CLEAR]]],
  ['How long does a lock last?', 'Default: 3.1.4', []],
  ['How long does a lock last?', 'Default: about 5', []],
  ['How long does a lock last?', 'Default: 5 MB', []],
  ['How long does a lock last?', 'In seconds; default: 75', [['75 seconds', CLEAR]]],
  ['How large can an upload get?', 'The number of seconds; default: 75', [['75', LIKELY]]],
  [
    'How long does a lock last?',
    'Default: 10 minutes; never more than 2 days.',
    [
      ['10 minutes', CLEAR],
      ['2 days', CLEAR],
    ],
  ],
]);

check('counts', [
  ['How many workers does Wren start?', 'Wren starts 12 workers.', [['12', CLEAR]]],
  ['How many workers does Wren start?', 'The workers of a single host: 12.', [['12', POSSIBLE]]],
  ['How many workers does Wren start?', 'The workers are always 12.', [['12', CLEAR]]],
  ['How many workers does Wren start?', 'Wren 2.0.1 starts.', []],
  ['How many workers does Wren start?', 'It waits 30 seconds.', []],
  ['How many workers does Wren start?', 'Default: 4', [['4', CLEAR]]],
  ['How many workers does Wren start?', 'Default: unlimited', [['unlimited', CLEAR]]],
  ['How many workers does Wren start?', 'Default: "slate"', []],
  ['How many workers does Wren start?', 'Default: 4 seconds', []],
  ['Which HTTP status does Wren send?', 'Default: 1048576 (1 MiB)', []],
  ['What is the limit of Wren?', 'Default: 4 seconds', [['4 seconds', LIKELY]]],
]);

check('versions', [
  ['Which Ruby version does Wren need?', 'Wren needs Ruby 3.1 or newer.', [['3.1', CLEAR]]],
  ['Which Ruby version does Wren need?', 'Ruby is needed, so take 3.1.', [['3.1', LIKELY]]],
  ['Which Ruby version does Wren need?', 'Ruby is needed, so take 3.', [['3', 0.2]]],
  ['Which Ruby version does Wren need?', 'It runs on v3.', [['v3', LIKELY]]],
  ['Which Ruby version does Wren need?', 'It waits 30 seconds.', []],
]);

check('dates', [
  [
    'When was Wren released?',
    'It came out on 3 May 2019.',
    [
      ['3 May 2019', CLEAR],
      ['2019', POSSIBLE],
    ],
  ],
  ['In which year did Wren begin?', 'It began in 2011.', [['2011', CLEAR]]],
  ['In which year did Wren begin?', 'See issue #2011 and 1850.', []],
]);
test('prices are left to those who know them', () =>
  assert.deepEqual(candidatesOf('What does the plan cost?', 'It costs $1,200 a month.'), []));

test('numbers in code are half as clear, and versions there are never sure', () => {
  assert.deepEqual(candidatesOf('How many jobs run?', 'start(12)', { kind: 'code' }), [
    ['12', POSSIBLE / 2],
  ]);
  const version = 'Which Ruby version does Wren need?';
  assert.deepEqual(candidatesOf(version, 'ruby 3.1', { kind: 'code' }), [['3.1', LIKELY]]);
});
