/** Tests values that sentences state: defaults, numbers with units, names, and polarity. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { defaultValues, speaksOfDefault } from './default-values.ts';
import { findNumbers, statedUnit } from './numbers.ts';
import { denies, deniesInMain, truthOf } from './polarity.ts';
import { identifierSpans, personSpans } from './spans.ts';

const texts = (found: readonly { readonly text: string }[]): string[] =>
  found.map(({ text }) => text);

describe('defaults', () => {
  test('end where their clause ends, without articles, quotes and points', () => {
    for (const [sentence, ...values] of [
      ['Default: 72000 (72 seconds)', '72000 (72 seconds)'],
      ['The depth defaults to 5.', '5'],
      ['Defaults to `./public`, relative to the root.', './public'],
      ['The default theme is now "slate".', 'slate'],
      ['The default port of the server is 8080, which may change.', '8080'],
      ['retries {Number} (default: 3)', '3'],
      ['--jobs N  [default: 4]', '4'],
      ['name: depth | default: 7 | type: int', '7'],
      ['quick (default), slow', 'quick'],
      ['"warm" is the default.', 'warm'],
      ['Slow (the default) or quick', 'Slow'],
      ['The default is a file.', 'file'],
      ['The default is 5 when cold.', '5'],
      ['Default: "a b", or c', 'a b'],
      ['Default: 5...', '5'],
      ['Default: ""'],
      ['It falls by default to the ground.'],
      ['Files are sorted by default to ease reading.'],
      ['Defaults to the value of the other setting.'],
      [`Default: ${'x'.repeat(60)}`, 'x'.repeat(60)],
      [`Default: ${'x'.repeat(61)}`],
    ] as const)
      assert.deepEqual(texts(defaultValues(sentence)), values, sentence);
  });

  test('are spoken of in one of these ways', () => {
    for (const text of [
      'Both are defaults.',
      'It works out of the box.',
      'If unset, it is 4.',
      'If not specified, it is 4.',
      'Initially 4.',
    ])
      assert.ok(speaksOfDefault(text), text);
    for (const text of ['It is 4.', 'The faulty part is 4.'])
      assert.ok(!speaksOfDefault(text), text);
  });

  test('are parts of their sentence, whatever it is', () => {
    const part = fc.constantFrom('default', ': ', 'defaults to ', ' is ', '"', '(', ')', '5', 'x.');
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string({ maxLength: 4 }))), parts => {
        const sentence = parts.join('');
        for (const { text, start } of defaultValues(sentence)) {
          assert.ok(start >= 0 && start <= sentence.length);
          assert.ok(sentence.includes(text), text);
        }
      }),
    );
  });
});

describe('numbers', () => {
  test('have the unit behind them; parts of names and addresses are none', () => {
    for (const [sentence, ...numbers] of [
      ['Waits 30 seconds, at most 2 of 1,048,576 bytes.', '30 seconds', '2', '1,048,576 bytes'],
      ['up to 50MB or 2.5 GiB after two days', '50MB', '2.5 GiB', 'two days'],
      ['one of the servers'],
      ['issue #778, item-4, a1, 10.0.0.1:80/x', '10.0.0.1'],
      ['needs v3.12 or 4.x', 'v3.12', '4.x'],
    ] as const)
      assert.deepEqual(texts(findNumbers(sentence)), numbers, sentence);
  });

  test('have the unit that the text states elsewhere', () => {
    assert.equal(statedUnit('The number of seconds to wait.', 'time'), 'seconds');
    assert.equal(statedUnit('Size in bytes of the head.', 'bytes'), 'bytes');
    assert.equal(statedUnit('The number of workers.', 'time'), undefined);
  });
});

describe('spans', () => {
  test('of identifiers, paths and persons', () => {
    assert.deepEqual(
      texts(identifierSpans('Set maxSockets or --no-color, see FOO_BAR and pool.max.size.')),
      ['maxSockets', '--no-color', 'FOO_BAR', 'pool.max.size'],
    );
    assert.deepEqual(
      texts(identifierSpans('In /etc/wren/pool.conf or ~/wren/pool, not at https://a.org/b/c.')),
      ['/etc/wren/pool.conf', '~/wren/pool'],
    );
    assert.deepEqual(texts(personSpans('It was begun by Ada B. Lovelace. The Team keeps it.')), [
      'Ada B. Lovelace',
    ]);
  });
});

describe('polarity', () => {
  test('is that of the main clause, behind an opening condition too', () => {
    for (const [sentence, denied] of [
      ['Compression is turned off by default.', true],
      ['It is no longer set.', true],
      ["It isn't shared.", true],
      ['If cached, it is not read.', true],
      ['Links are followed unless they are not local.', false],
      ['If it is not cached, it is read.', false],
      ['It is read, although it is not new.', false],
      ['It is not necessarily read.', false],
      ['Not only files but folders are read.', false],
      ['Working without pipelining is not supported.', undefined],
    ] as const)
      assert.equal(deniesInMain(sentence), denied, sentence);
  });

  test('of a setting is that of the first word of its value', () => {
    for (const [truth, ...values] of [
      [true, 'true', 'Yes', 'on', 'enabled', 'always', '1'],
      [false, 'false', 'No', 'off', 'disabled', 'never', 'None', 'null', 'undefined', '0'],
      [undefined, 'not on', '10', 'onward', 'nothing', '"a"', ''],
    ] as const)
      for (const value of values) assert.equal(truthOf(value), truth, value);
    assert.equal(denies('disable cache'), true);
  });
});
