/** A ranker as a reranker: the laws, equal scores in both modes, tokens charged, aborts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rankerFile, rankerParts } from '../../../test/random-ranker.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { Usage } from '../../core/trace/usage.ts';
import { rerankerLaws } from '../../testing/reranker-laws.ts';
import { openRanker } from './open-ranker.ts';

const TOKENS = ['[UNK]', '[CLS]', '[SEP]', ...'abcdefghijklmnopqrstuvwxyz?'].flatMap(token =>
  /^[a-z]$/.test(token) ? [token, `##${token}`] : [token],
);
const bytes = rankerFile(
  rankerParts({ tokens: TOKENS, positions: 160, metadata: { name: 'random' } }),
);
const TEXTS = ['red cats run', 'a dog', '', 'x'.repeat(300)];

describe('a ranker of random weights', () => {
  // Random weights know nothing of words that repeat.
  for (const { name, run } of rerankerLaws(openRanker(bytes), { tolerance: 0 }))
    if (!name.includes('a query repeats')) test(name, run);
});

test('the name in the file is the id, unless another is given', () => {
  assert.equal(openRanker(bytes).id, 'random');
  assert.equal(openRanker(bytes, { id: 'mine' }).id, 'mine');
});

test('plain JavaScript gives the scores of WebAssembly', async () => {
  const [fast, plain] = await Promise.all(
    (['fast', 'plain'] as const).map(mode =>
      openRanker(bytes, { mode }).score('Do cats run?', TEXTS, freeCall()),
    ),
  );
  for (const [at, score] of fast!.entries())
    assert.ok(Math.abs(score - plain![at]!) < 0.1, `${score} ${plain![at]}`);
});

test('a call is charged the tokens of its pairs, and no call for no texts', async () => {
  const used: Usage[] = [];
  const call = { ...freeCall(), begin: () => (usage: Usage) => void used.push(usage) };
  await openRanker(bytes).score('red?', ['dogs', 'a b'], call);
  await openRanker(bytes).score('red?', [], call);
  // [CLS] r ##e ##d ? [SEP], then d ##o ##g ##s [SEP] and a b [SEP].
  assert.deepEqual(used, [{ modelCalls: 1, modelTokens: 11 + 9 }]);
});

test('an abort ends the work at the next pair, and the pairs read are charged', async () => {
  const used: Usage[] = [];
  const abort = new AbortController();
  let pauses = 0;
  const call = {
    ...freeCall(abort.signal),
    begin: () => (usage: Usage) => void used.push(usage),
    // Four pauses while the texts are cut into pieces, then one a pair.
    pause: async () => void (++pauses === 6 && abort.abort(new Error('enough'))),
  };
  await assert.rejects(openRanker(bytes).score('a', ['b', 'c', 'd', 'e'], call), /enough/);
  assert.deepEqual(used, [{ modelCalls: 1, modelTokens: 2 * 5 }]);
});
