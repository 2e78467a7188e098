/** Word pieces: what BERT's tokeniser gives for marks, accents, scripts and long words. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { SMALL_TOKENS } from '../../../test/random-ranker.ts';
import { type Vocabulary, vocabularyOf, wordPieces } from './word-piece.ts';

const vocabulary = vocabularyOf(SMALL_TOKENS);
const cut = (text: string, most = 100): string[] =>
  wordPieces(vocabulary)(text, most).map(id => SMALL_TOKENS[id]!);

const CASES: readonly (readonly [text: string, pieces: string])[] = [
  ['', ''],
  [' \n\t\u00a0\u3000', ''],
  ['The UNAFFABLE who', 'the un ##aff ##able who'],
  ['playing plays', 'play ##ing play ##s'],
  ['runner', '[UNK]'],
  ['CAFÉ Cafe\u0301 cafés', 'cafe cafe cafe ##s'],
  ['a$a, the?', 'a $ a , the ?'],
  ['京a京', '京 a 京'],
  ['東', '[UNK]'],
  ['pl\u00aday\u200bs', 'play ##s'],
  ['\ud800the\0\ufffd', 'the'],
  ['[SEP]', '[ sep ]'],
  ['[CLS]', '[ [UNK] ]'],
  ['x'.repeat(100), `x${' ##x'.repeat(99)}`],
  ['x'.repeat(101), '[UNK]'],
  ['the‐a', 'the [UNK] a'],
  ['##s', '[UNK] [UNK] [UNK]'],
];

describe('word pieces', () => {
  for (const [text, pieces] of CASES)
    test(JSON.stringify(text.slice(0, 30)), () => assert.equal(cut(text).join(' '), pieces));

  test('at most as many as are asked for, which begin the whole list', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('unaffable', 'The', '?', '京', 'playing', 'runner'), {
          maxLength: 12,
        }),
        fc.nat({ max: 12 }),
        (words, most) =>
          assert.deepEqual(cut(words.join(' '), most), cut(words.join(' ')).slice(0, most)),
      ),
    );
  });

  test('a word has the same pieces first and later', () => {
    const pieces = wordPieces(vocabulary);
    assert.deepEqual(pieces('unaffable', 9), pieces('unaffable', 9));
  });
});

describe('a vocabulary', () => {
  test('has numbers by the order of its tokens', () => {
    const { ids, unknown, start, end }: Vocabulary = vocabulary;
    assert.deepEqual([ids.get('the'), unknown, start, end], [13, 1, 2, 3]);
  });
  for (const [what, tokens, message] of [
    ['a token twice', [...SMALL_TOKENS, 'the'], /each token once, received "the" twice/],
    ['no [SEP]', SMALL_TOKENS.filter(token => token !== '[SEP]'), /no \[SEP\]: expected \[UNK\]/],
    ['nothing', [], /no \[UNK\]/],
  ] as const)
    test(`is refused with ${what}`, () =>
      assert.throws(() => vocabularyOf(tokens), { code: 'bad-vocabulary', message }));
});
