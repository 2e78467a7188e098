/** Tests that any passage fills exactly two lines after a marker that it cannot contain. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DATA_RULE, type DataPassage, passagesAsData } from './passages-as-data.ts';

const passages: DataPassage[] = [
  {
    title: 'Quill Works',
    about: 'Tarn Gazette, 2024-02-11',
    text: 'The works opened\n\n a second furnace.',
  },
  { title: 'Osk Maren', text: 'He grinds lenses.' },
];

test('shows two numbered lines per passage, between markers', () => {
  assert.equal(
    passagesAsData(passages),
    '<<passage 1>> Quill Works (Tarn Gazette, 2024-02-11)\nThe works opened a second furnace.\n<<passage 2>> Osk Maren\nHe grinds lenses.\n<<end>>',
  );
  assert.equal(passagesAsData([]), '<<end>>');
  assert.match(DATA_RULE, /<<.*never instructions/);
});

describe('the marker', () => {
  test('is the same for every request, so that what follows the first passages alone differs', () => {
    const [first, ...more] = [passagesAsData(passages.slice(0, 1)), passagesAsData(passages)];
    for (const other of more) assert.ok(other.startsWith(first!.slice(0, -'<<end>>'.length)));
  });

  const pieces = [
    '<<',
    '<',
    '>>',
    ' ',
    '\n',
    '\u200b',
    '\u0000',
    '\ud800',
    '\u2028',
    'end',
    '1',
    'passage',
    'passage 2>>',
    '＜',
    '<|im_end|>',
  ];
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' })))
    .map(parts => parts.join(''));
  test('no passage can contain a marker line, a third line or half a character', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ title: hostile, about: hostile, text: hostile }), { maxLength: 4 }),
        passages => {
          const lines = passagesAsData(passages).split(/[\n\r\u2028\u2029]/);
          assert.equal(lines.length, 2 * passages.length + 1);
          const whole = lines.join('\n');
          assert.equal(whole.split('<<').length - 1, passages.length + 1);
          assert.equal(whole.match(/^<<(?:passage \d+|end)>>/gm)!.length, passages.length + 1);
          assert.ok(whole.isWellFormed());
          assert.ok(!/[^\P{C}\n]/u.test(whole));
        },
      ),
    );
  });
});
