/** Tests that thoughts are left out of a streamed reply, wherever its pieces are cut. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ReplyPieces } from './reply-pieces.ts';
import { withoutThinking } from './thoughts.ts';

function shown(text: string, cuts: readonly number[]): string {
  const pieces = new ReplyPieces();
  const places = [...new Set([0, ...cuts.map(cut => cut % (text.length + 1)), text.length])];
  places.sort((a, b) => a - b);
  const passed = places.map((at, index) => pieces.push(text.slice(at, places[index + 1])));
  return [...passed, pieces.end()].join('');
}

describe('a streamed reply', () => {
  test('is passed on from its first word, without the thought before it', () => {
    assert.equal(shown('  Paris [1].', [1, 3, 5]), 'Paris [1].');
    assert.equal(shown('<think>Is it Rome?</think>\n\nParis [1].', [3, 9, 24, 28]), 'Paris [1].');
    assert.equal(shown('<think>never closed', [2, 8]), '');
    assert.equal(shown('a <think> is a tag', [4]), 'a <think> is a tag');
    assert.equal(shown('Is it Rome?</think>\n\nParis [1].', [3, 12, 16, 25]), 'Paris [1].');
    assert.equal(shown('Paris.', [2]), 'Paris.');
  });

  test('is passed on from its first sentence that cites, and after a thought at once', () => {
    const pieces = new ReplyPieces();
    assert.deepEqual(
      ['Paris', ' [1]', '. Or', ' Rome'].map(piece => pieces.push(piece)),
      ['', '', 'Paris [1]. Or', ' Rome'],
    );
    for (const begun of [
      'It is Paris (1).',
      'Paris [1, 2].',
      'Paris. [1-3]',
      'The passages say Paris [1].',
      '巴黎【1】。',
      'Paris [^1].',
      'Paris <<passage 1>>.',
      'Paris \\[1\\].',
      'Paris.<sup>1</sup>',
      'Paris [1]\n',
    ])
      assert.equal(new ReplyPieces().push(begun), begun);
    const thinking = new ReplyPieces();
    assert.deepEqual(
      ['Rome?', '</think>\n', 'Paris', ' it is'].map(piece => thinking.push(piece)),
      ['', '', 'Paris', ' it is'],
    );
  });

  test('is held back while it reads as a thought whose beginning a template wrote', () => {
    for (const thought of [
      'Passage [1] says 1998, ',
      'Okay, the question is about Rome [1]. ',
      'The user wants a city. It is Paris [2].\n',
      '好的，段落【1】。',
    ]) {
      const pieces = new ReplyPieces();
      assert.deepEqual(
        [thought, 'so that is it.\n', '</think>\n\n', 'Paris', ' [1].'].map(each =>
          pieces.push(each),
        ),
        ['', '', '', 'Paris', ' [1].'],
      );
    }
  });

  test('is shown at once where no thought begins it, and held back where one does', () => {
    assert.equal(new ReplyPieces(false).push('Paris'), 'Paris');
    const pieces = new ReplyPieces(true);
    assert.deepEqual(
      ['It is Paris [1].\n', 'Yes.</think>', 'Paris'].map(piece => pieces.push(piece)),
      ['', '', 'Paris'],
    );
    const plain = new ReplyPieces(true);
    assert.deepEqual([plain.push('Paris [1].'), plain.end()], ['', 'Paris [1].']);
  });

  test('names the mark in code', () => {
    for (const cuts of [[], [5, 16, 18, 25], [12, 14, 27, 28]])
      for (const text of [
        'The tag is `</think>`, of course [1].',
        'Write:\n```\n<think>a</think>\n```\nas here [1].',
      ])
        assert.equal(shown(text, cuts), text);
  });

  test('is what `withoutThinking` leaves, for any cuts', () => {
    const part = fc.constantFrom('<think>', '</think>', '<', 'th', ' ', 'A', '>', '.\n', '`');
    const reply = fc.tuple(
      fc.boolean(),
      fc.array(part, { maxLength: 8 }).map(all => all.join('')),
    );
    fc.assert(
      fc.property(reply, fc.array(fc.nat(80)), ([thinks, rest], cuts) => {
        const body = rest.replaceAll(/<\/?think>/g, '');
        const opening = body.length % 2 ? '<think>' : '';
        const text = thinks ? `${opening}why${body}</think>A${body}` : `A${body}`;
        assert.equal(shown(text, cuts), withoutThinking(text).trimStart());
      }),
    );
  });
});
