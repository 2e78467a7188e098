/** Tests that marks are assigned to the sentences before them, and that code keeps its brackets. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { citedText } from './cited-sentences.ts';

/** Numbers of the passages that were shown. */
const SHOWN = new Set([1, 2, 3, 4, 5]);

const read = (written: string): readonly (readonly [string, readonly number[]])[] => {
  const { text, sentences } = citedText(written, SHOWN);
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
      '\\[1\\]\\[2\\]',
      '<sup>[1]</sup><sup>[2]</sup>',
      '<sup>1, 2</sup>',
    ])
      assert.deepEqual(read(`Ada wrote it ${mark}.`), [['Ada wrote it.', [1, 2]]], mark);
  });

  test('may be in round brackets, a range, a phrase or the notation of the prompt', () => {
    for (const [written, text, numbers] of [
      ['Ada wrote it (5).', 'Ada wrote it.', [5]],
      ['Ada wrote it in 1843 (2).', 'Ada wrote it in 1843.', [2]],
      ['Ada wrote it (1, 3).', 'Ada wrote it.', [1, 3]],
      ['Ada wrote it (passages 1 and 3).', 'Ada wrote it.', [1, 3]],
      ['Ada wrote it [source 5].', 'Ada wrote it.', [5]],
      ['Ada wrote it [2-4].', 'Ada wrote it.', [2, 3, 4]],
      ['Ada wrote it ([1], [2]).', 'Ada wrote it.', [1, 2]],
      ['Ada wrote it (see [1] and [2]).', 'Ada wrote it.', [1, 2]],
      ['Ada wrote it [1], [2].', 'Ada wrote it.', [1, 2]],
      ['Ada wrote it【3†source】.', 'Ada wrote it.', [3]],
      ['She wrote the program.<sup>3</sup>', 'She wrote the program.', [3]],
      ['It covers 5 km<sup>2</sup> \\[1\\].', 'It covers 5 km<sup>2</sup>.', [1]],
      ['<<passage 4>> Ada wrote it.', 'Ada wrote it.', [4]],
      ['Ada wrote it <<passage 2>> <<end>>', 'Ada wrote it', [2]],
      ['According to passage 5, the author is Ada.', 'The author is Ada.', [5]],
      ['The author is Ada, as stated in passage 5.', 'The author is Ada.', [5]],
      ['Passage 5 says that Ada wrote it.', 'Passage 5 says that Ada wrote it.', [5]],
      ['Das steht in Quelle 2.', 'Das steht in Quelle 2.', [2]],
      ['Ada wrote it.\n\nSources: [1], [2]', 'Ada wrote it.', [1, 2]],
      ['她写了它（2）。', '她写了它。', [2]],
    ] as const)
      assert.deepEqual(citedText(written, SHOWN), {
        text,
        sentences: [{ start: 0, end: text.length, numbers }],
      });
  });

  test('is no year, no count and no number of something that was not shown', () => {
    for (const written of [
      'Ada wrote it (1843).',
      'Ada wrote it (9).',
      'Five (5) of them are lit.',
      'It is lamp number 3 of 5.',
      'First (1) stop it; then (2) start it.',
      'Article 3 (2) applies.',
      'It is called f(1) here.',
      'The year [1998] is a guess.',
    ])
      assert.equal(citedText(written, SHOWN).text, written);
  });

  test('at the beginning belongs to the first sentence', () => {
    assert.deepEqual(
      read('[2] Ada wrote it.'),
      [['Ada wrote it.', [2]]].map(([a, b]) => [a, b]),
    );
  });

  test('is no index in code, no link and no list of other things', () => {
    const code = 'Read `argv[2]` first [1].\n```js\nconst a = list[0];\n```';
    assert.deepEqual(
      citedText(code, SHOWN).text,
      'Read `argv[2]` first.\n```js\nconst a = list[0];\n```',
    );
    assert.deepEqual(
      citedText('See [1](https://example.org).', SHOWN).text,
      'See [1](https://example.org).',
    );
    assert.deepEqual(citedText('Options are [a, b].', SHOWN).text, 'Options are [a, b].');
    for (const [written, text] of [
      ['The value lies in [0, 1].', 'The value lies in [0, 1].'],
      ['It is kept in cell[40].', 'It is kept in cell[40].'],
      ['Refunds follow subsection (2) [1].', 'Refunds follow subsection (2).'],
      ['The cream has vitamin B (3) in it [1].', 'The cream has vitamin B (3) in it.'],
    ] as const)
      assert.equal(citedText(written, SHOWN).text, text);
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
      ' (2)',
      '(see [1])',
      'According to passage 1, ',
      '<<passage 3>>',
      'Sources: ',
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
          const { text, sentences } = citedText(written, SHOWN);
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
    for (const unit of [
      '[',
      '[1,',
      '[passages ',
      '`',
      '```',
      ' \t',
      '[1] ',
      '(1) ',
      '(',
      'passage 1 ',
      '<<',
      'see ',
      '1, ',
      '\nSources: ',
    ])
      assert.ok(citedText(unit.repeat(20_000), SHOWN).text.length >= 0);
  });
});
