/** Tests which answers the cited passages support, by words alone. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { lexicalSupport } from './lexical-support.ts';

const passage =
  'Harrow Point lighthouse is sold | Coast Courier | 2024-03-02\nThe lighthouse at Harrow Point was sold on Friday for nine hundred crowns. Its buyer is the glass maker Ines Quill.';
const QUESTION = 'Who bought the lighthouse at Harrow Point?';
const unsupported = (
  answer: string,
  passages: readonly string[] = [passage],
  question = QUESTION,
): readonly string[] => lexicalSupport(answer, question, passages).unsupported;

describe('supported answers', () => {
  const held = [
    'Ines Quill',
    'ines quill',
    "Ines Quill's",
    'Quill, the glass maker',
    'The buyer was Ines Quill.',
    'nine hundred crowns',
    'March 2, 2024',
    'On 2 March 2024',
    'Coast Courier',
    'Inés Quill',
    // One word of four is missing: "purchased".
    'Glass maker Ines Quill purchased the lighthouse.',
    'Yes',
    'No.',
  ];
  for (const answer of held) test(answer, () => assert.deepEqual(unsupported(answer), []));
});

test('a number and its unit are two words, written together or apart', () => {
  const text = 'The limit is 1 MiB, or 10,000 rows; the cable is 40km long.';
  for (const answer of ['1MiB', '1 MiB', '10000 rows', '10,000 rows', '40 km', '40km'])
    assert.deepEqual(unsupported(answer, [text], 'What is the limit?'), [], answer);
  for (const answer of ['2 MiB', '1 GiB', '100 rows', '4 km'])
    assert.deepEqual(unsupported(answer, [text], 'What is the limit?'), [answer]);
});

describe('unsupported answers', () => {
  const free = [
    'Osk Maren',
    'Ines Maren',
    '2023',
    'March 3, 2024',
    'a thousand ducats',
    'Google',
    '42',
    'PWNED',
  ];
  for (const answer of free) test(answer, () => assert.deepEqual(unsupported(answer), [answer]));
  test('marks one sentence of two', () => {
    const { unsupported: marks, support } = lexicalSupport(
      'Ines Quill bought it. Osk Maren paid.',
      QUESTION,
      [passage],
    );
    assert.deepEqual(marks, ['Osk Maren paid.']);
    // The passage contains two of ines, quill, bought, osk, maren, paid.
    assert.equal(support, 2 / 6);
  });
  test('marks everything without a passage, verdicts too', () => {
    for (const answer of ['Ines Quill', 'Yes', '!'])
      assert.deepEqual(lexicalSupport(answer, QUESTION, []).unsupported, [answer]);
  });
  test('marks a verdict if the passages are not about the question', () => {
    assert.deepEqual(unsupported('Yes', ['The ferry does not run on Sunday.']), ['Yes']);
    // The passage contains half of harrow and point. If the question names nothing, one of ferry,
    // run, sunday, winter suffices.
    assert.deepEqual(unsupported('No', ['A point was made.']), []);
    assert.deepEqual(
      unsupported('Yes', ['iPhone sales fell.'], 'Did sales of the iPhone fall?'),
      [],
    );
    const plain = 'will the ferry run every sunday in winter?';
    assert.deepEqual(unsupported('No', ['The ferry is old.'], plain), []);
    assert.deepEqual(unsupported('No', ['The boat is old.'], plain), ['No']);
  });
});

test('words may be distributed over the cited passages', () => {
  assert.deepEqual(unsupported('Ines Quill of Tarn', [passage, 'The works of Tarn']), []);
});

test('for any texts: does not throw, support is from 0 to 1, marks are parts of the answer', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(passage, 'Yes', 'No. no 2024-01-01 a'),
  );
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 3 }), (answer, question, passages) => {
      const { support, unsupported: marks } = lexicalSupport(answer, question, passages);
      assert.ok(support >= 0 && support <= 1);
      for (const mark of marks) assert.ok(answer.includes(mark));
      // An answer that is quoted verbatim is supported; marks alone are no words.
      if (/[\p{L}\p{N}]/u.test(answer.normalize('NFKD')))
        assert.deepEqual(lexicalSupport(answer, question, [answer, question]).unsupported, []);
    }),
  );
});
