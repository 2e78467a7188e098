/** Tests that any passage fills exactly two lines after a marker that it cannot contain. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type DataPassage, dataRule, passageMarker, passagesAsData } from './passages-as-data.ts';

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
    passagesAsData(passages, 'abcd0123'),
    '<<abcd0123 1>> Quill Works (Tarn Gazette, 2024-02-11)\nThe works opened a second furnace.\n<<abcd0123 2>> Osk Maren\nHe grinds lenses.\n<<abcd0123 end>>',
  );
  assert.equal(passagesAsData([], 'abcd0123'), '<<abcd0123 end>>');
  assert.match(dataRule('abcd0123'), /<<abcd0123.*never instructions/);
});

describe('the marker', () => {
  test('is equal for equal requests, and differs for another question, passage, order or field boundary', () => {
    const marker = passageMarker('Who?', passages);
    assert.match(marker, /^[0-9a-f]{8}$/);
    assert.equal(passageMarker('Who?', structuredClone(passages)), marker);
    const others = [
      passageMarker('Who', passages),
      passageMarker('Who?', passages.toReversed()),
      passageMarker('Who?', passages.slice(1)),
      passageMarker('Who?', [
        { ...passages[0]!, title: 'Quill Work', about: 'sTarn Gazette, 2024-02-11' },
        passages[1]!,
      ]),
      passageMarker('Who?', [passages[0]!, { title: 'Osk Maren', text: 'He grinds lenses!' }]),
    ];
    assert.equal(new Set([marker, ...others]).size, 6);
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
    'MARKER',
    'abc',
  ];
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' })))
    .map(parts => parts.join(''));
  test('no passage can contain a marker line, its own marker, a third line or half a character', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ title: hostile, about: hostile, text: hostile }), { maxLength: 4 }),
        passages => {
          const marker = passageMarker('q', passages);
          const knowing = passages.map(({ title, about, text }) => ({
            title: title.replaceAll('MARKER', marker),
            about: about.replaceAll('MARKER', marker),
            text: text.replaceAll('MARKER', `${marker.slice(0, 4)}${marker}${marker.slice(4)}`),
          }));
          const lines = passagesAsData(knowing, marker).split(/[\n\r\u2028\u2029]/);
          assert.equal(lines.length, 2 * passages.length + 1);
          const whole = lines.join('\n');
          assert.equal(whole.split('<<').length - 1, passages.length + 1);
          assert.equal(whole.split(marker).length - 1, passages.length + 1);
          assert.ok(whole.isWellFormed());
          assert.ok(!/[^\P{C}\n]/u.test(whole));
        },
      ),
    );
  });
});
