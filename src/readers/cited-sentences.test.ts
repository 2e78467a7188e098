/** Tests that marks are assigned to the sentences before them, and that code keeps its brackets. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { citedText } from './cited-sentences.ts';

const read = (written: string): readonly (readonly [string, readonly number[]])[] => {
  const { text, sentences } = citedText(written);
  return sentences.map(({ start, end, numbers }) => [text.slice(start, end), numbers]);
};

describe('a mark', () => {
  test('belongs to the sentence that it ends, before the stop or after it', () => {
    assert.deepEqual(read('The limit is 1 MiB [2]. It can be raised.[1][3] Ask first.'), [
      ['The limit is 1 MiB.', [2]],
      ['It can be raised.', [1, 3]],
      ['Ask first.', []],
    ]);
    assert.deepEqual(read('Ada wrote it. [1] Charles built it. [2, 3]'), [
      ['Ada wrote it.', [1]],
      ['Charles built it.', [2, 3]],
    ]);
  });

  test('may be written in the ways that models have', () => {
    for (const mark of [
      '[1, 2]',
      '[1; 2]',
      '[1][2]',
      '[passages 1, 2]',
      '【1】【2】',
      '[^1] [^2]',
      '[1][1][2]',
    ])
      assert.deepEqual(read(`Ada wrote it ${mark}.`), [['Ada wrote it.', [1, 2]]], mark);
  });

  test('at the beginning belongs to the first sentence', () => {
    assert.deepEqual(
      read('[2] Ada wrote it.'),
      [['Ada wrote it.', [2]]].map(([a, b]) => [a, b]),
    );
  });

  test('is no index in code, no link and no list of other things', () => {
    const code = 'Read `argv[2]` first [1].\n```js\nconst a = list[0];\n```';
    assert.deepEqual(citedText(code).text, 'Read `argv[2]` first.\n```js\nconst a = list[0];\n```');
    assert.deepEqual(
      citedText('See [1](https://example.org).').text,
      'See [1](https://example.org).',
    );
    assert.deepEqual(citedText('Options are [a, b].').text, 'Options are [a, b].');
  });
});

describe('sentences', () => {
  test('take the line that announces them, and the code after them', () => {
    assert.deepEqual(
      read(
        'Do this:\n- Stop the server [1].\n- Run it again:\n```\nnpm start\n```\nThat is all [2].',
      ),
      [
        ['Do this:\n- Stop the server.', [1]],
        ['- Run it again:\n```\nnpm start\n```', []],
        ['That is all.', [2]],
      ],
    );
  });

  test('for any text: ascend, cover its words, and hold every number once', () => {
    const part = fc.constantFrom(
      'Ada wrote it',
      '. ',
      ' [1]',
      '[2, 3]',
      '\n',
      '```',
      '`',
      ': ',
      '[x]',
      '[9](u)',
      '- ',
      '?',
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 30 }).map(all => all.join('')),
        written => {
          const { text, sentences } = citedText(written);
          let at = 0;
          for (const { start, end, numbers } of sentences) {
            assert.ok(at <= start && start < end && end <= text.length);
            assert.equal(text.slice(at, start).trim(), '');
            assert.equal(new Set(numbers).size, numbers.length);
            at = end;
          }
          assert.equal(text.slice(at).trim(), '');
        },
      ),
    );
  });

  test('are read in linear time from hostile text', () => {
    for (const unit of ['[', '[1,', '[passages ', '`', '```', ' \t', '[1] '])
      assert.ok(citedText(unit.repeat(20_000)).text.length >= 0);
  });
});
