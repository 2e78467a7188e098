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
])[] = [
  ['who', 'the run', [10, 5], '[CLS] who [SEP] | the run [SEP]'],
  ['', '', [10, 5], '[CLS] [SEP] | [SEP]'],
  ['who', 'the run the run', [7, 3], '[CLS] who [SEP] | the run the [SEP]'],
  ['who who who', 'the run', [7, 2], '[CLS] who who [SEP] | the run [SEP]'],
  ['who who who', 'the run', [5, 1], '[CLS] who [SEP] | the [SEP]'],
];

for (const [question, passage, [maxTokens, questionTokens], tokens] of CASES)
  test(`"${question}" and "${passage}" within ${maxTokens} tokens`, () => {
    const pair = pairsWith(question, pieces, vocabulary, { maxTokens, questionTokens })(passage);
    const words = pair.ids.map(id => SMALL_TOKENS[id]!);
    const [first, second] = [words.slice(0, pair.first), words.slice(pair.first)];
    assert.equal(`${first.join(' ')} | ${second.join(' ')}`, tokens);
  });
