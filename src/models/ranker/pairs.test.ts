/** Pairs: how question and passage stand in them, and what is cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SMALL_TOKENS } from '../../../test/random-ranker.ts';
import { pairsWith } from './pairs.ts';
import { vocabularyOf, wordPieces } from './word-piece.ts';

const vocabulary = vocabularyOf(SMALL_TOKENS);
const pieces = wordPieces(vocabulary);

const CASES: readonly (readonly [
  question: string,
  passage: string,
  limits: readonly [maxTokens: number, questionTokens: number],
  tokens: string,
  types: string,
])[] = [
  ['who', 'the run', [10, 5], '[CLS] who [SEP] the run [SEP]', '000111'],
  ['', '', [10, 5], '[CLS] [SEP] [SEP]', '001'],
  ['who', 'the run the run', [7, 3], '[CLS] who [SEP] the run the [SEP]', '0001111'],
  ['who who who', 'the run', [7, 2], '[CLS] who who [SEP] the run [SEP]', '0000111'],
  ['who who who', 'the run', [5, 1], '[CLS] who [SEP] the [SEP]', '00011'],
  ['who run', 'the run', [10, 5], '[CLS] who run [SEP] the run [SEP]', '0020131'],
  ['who run', 'the run', [6, 5], '[CLS] who run [SEP] the [SEP]', '000011'],
];

for (const [question, passage, [maxTokens, questionTokens], tokens, types] of CASES)
  test(`"${question}" and "${passage}" within ${maxTokens} tokens`, () => {
    const pair = pairsWith(question, pieces, vocabulary, { maxTokens, questionTokens })(passage);
    assert.equal(pair.ids.map(id => SMALL_TOKENS[id]!).join(' '), tokens);
    assert.equal(pair.types.join(''), types);
  });
