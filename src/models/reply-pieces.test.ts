/** Tests that thoughts are left out of a streamed reply, wherever its pieces are cut. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { withoutThinking } from './json-in-text.ts';
import { ReplyPieces } from './reply-pieces.ts';

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

  test('is passed on from its first citation, and after a thought from its first word', () => {
    const pieces = new ReplyPieces();
    assert.deepEqual(
      ['Paris', ' [1]', ', or', ' Rome'].map(piece => pieces.push(piece)),
      ['', 'Paris [1]', ', or', ' Rome'],
    );
    const thinking = new ReplyPieces();
    assert.deepEqual(
      ['Rome?', '</think>\n', 'Paris', ' it is'].map(piece => thinking.push(piece)),
      ['', '', 'Paris', ' it is'],
    );
  });

  test('is what `withoutThinking` leaves, for any cuts', () => {
    const part = fc.constantFrom('<think>', '</think>', '<', 'th', ' ', 'A', '>', '.\n');
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
