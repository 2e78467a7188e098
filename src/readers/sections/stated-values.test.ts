/** Tests values that sentences state: defaults, numbers with units, names, and polarity. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { defaultValues } from '../../language/english/values/default-values.ts';
import { findNumbers, statedUnit } from '../../language/english/values/numbers.ts';
import { denies, deniesInMain, truthOf } from '../../language/english/values/polarity.ts';
import {
  complementAt,
  identifierSpans,
  listSpans,
  personSpans,
} from '../../language/english/values/spans.ts';

const texts = (found: readonly { readonly text: string }[]): string[] =>
  found.map(({ text }) => text);

describe('defaults', () => {
  for (const [sentence, ...values] of [
    ['Default: 10', '10'],
    ['- Default: "warn"', 'warn'],
    ['Default: 72000 (72 seconds)', '72000 (72 seconds)'],
    ['The depth defaults to 5.', '5'],
    ['Defaults to `./public`, relative to the root.', './public'],
    ['The default theme is now "slate".', 'slate'],
    ['The default port of the server is 8080, which may change.', '8080'],
    ['retries {Number} (default: 3)', '3'],
    ['--jobs N  [default: 4]', '4'],
    ['name: depth | default: 7 | type: int', '7'],
    ['quick (default), slow', 'quick'],
    ['Files are sorted by default to ease reading.'],
    ['Defaults to the value of the other setting.'],
    ['There is no such field.'],
  ] as const)
    test(sentence, () => assert.deepEqual(texts(defaultValues(sentence)), values));

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
  for (const [sentence, ...numbers] of [
    ['Waits 30 seconds, at most 2 of 1,048,576 bytes.', '30 seconds', '2', '1,048,576 bytes'],
    ['up to 50MB or 2.5 GiB', '50MB', '2.5 GiB'],
    ['after two days', 'two days'],
    ['one of the servers'],
    ['issue #778, item-4, a1, 10.0.0.1:80/x', '10.0.0.1'],
    ['needs v3.12 or 4.x', 'v3.12', '4.x'],
  ] as const)
    test(sentence, () => assert.deepEqual(texts(findNumbers(sentence)), numbers));

  test('have the unit that the text states elsewhere', () => {
    assert.equal(statedUnit('The number of seconds to wait.', 'time'), 'seconds');
    assert.equal(statedUnit('Size in bytes of the head.', 'bytes'), 'bytes');
    assert.equal(statedUnit('The number of workers.', 'time'), undefined);
  });
});

describe('spans', () => {
  test('of identifiers, persons and lists', () => {
    assert.deepEqual(
      texts(identifierSpans('Set maxSockets or --no-color, see FOO_BAR and a.b.c.')),
      ['maxSockets', '--no-color', 'FOO_BAR', 'a.b.c'],
    );
    assert.deepEqual(texts(personSpans('It was begun by Ada B. Lovelace. The Team keeps it.')), [
      'Ada B. Lovelace',
    ]);
    assert.deepEqual(texts(listSpans('It binds libfoo, libbar and libqux.')), [
      'libfoo, libbar and libqux',
    ]);
  });

  test('of what completes a clause', () => {
    const text = 'Wren is named after a small bird, which sings.';
    assert.equal(complementAt(text, text.indexOf(' a small'))?.text, 'small bird');
    assert.equal(complementAt('ends here.', 9), undefined);
    const bracketed = 'two birds (namely Tern and Egret).';
    assert.equal(complementAt(bracketed, bracketed.indexOf(' Tern'))?.text, 'Tern and Egret');
  });
});

describe('polarity', () => {
  for (const [sentence, denied] of [
    ['Compression is turned off by default.', true],
    ['Compression is enabled by default.', false],
    ['It is no longer set.', true],
    ['It does not follow links.', true],
    ["It isn't shared.", true],
    ['Links are followed unless they are not local.', false],
    ['If not cached, the file is read.', false],
    ['Not only files but folders are read.', false],
    ['Working without pipelining is not supported.', undefined],
  ] as const)
    test(sentence, () => assert.equal(deniesInMain(sentence), denied));

  test('of a setting is that of its value', () => {
    assert.deepEqual(['true', 'off', 'None', '0', '"a"'].map(truthOf), [
      true,
      false,
      false,
      false,
      undefined,
    ]);
    assert.equal(denies('disable cache'), true);
  });
});
