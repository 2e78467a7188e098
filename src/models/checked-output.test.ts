/** Tests what is refused of scores, vectors and fields of weights, and vectors through a cache. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memoryVectorCache } from '../../test/memory-vector-cache.ts';
import type { PortError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import { sharedWeight, stemsOf, totalWeight, weightOf } from './efficient-rag/term-weights.ts';
import type { Word } from './efficient-rag/words.ts';
import type { Embedder } from './embedder.ts';
import { checkVectors, embedChecked } from './embedder.ts';
import type { Reranker } from './reranker.ts';
import { checkScores } from './reranker.ts';
import { throughCache } from './through-cache.ts';

const refused = (code: string, received: string) => (error: PortError) =>
  error.code === code && error.message.includes(`"m"`) && error.message.endsWith(received);

describe('scores of a reranker', () => {
  const model = { id: 'm' } as Reranker;
  const check = (...scores: number[]) => checkScores(model, Float32Array.from(scores), 2);
  test('are one finite number a pair', () => {
    assert.doesNotThrow(() => check(0, -3));
    assert.throws(() => check(1), refused('wrong-count', '1'));
    assert.throws(() => check(1, 2, 3), refused('wrong-count', '3'));
    assert.throws(() => check(0, Number.NaN), refused('not-finite', 'NaN'));
    assert.throws(() => check(Number.POSITIVE_INFINITY, 1), refused('not-finite', 'Infinity'));
  });
});

describe('vectors of an embedder', () => {
  const model: Embedder = { id: 'm', dimensions: 2, embed: async () => [Float32Array.of(0, 1)] };
  const check = (...vectors: number[][]) =>
    checkVectors(
      model,
      vectors.map(vector => Float32Array.from(vector)),
      1,
    );
  test('are one a text, of its dimensions, finite and of length 1 within a hundredth', () => {
    assert.doesNotThrow(() => check([0.6, 0.8]));
    assert.doesNotThrow(() => check([0, 1.009]));
    assert.doesNotThrow(() => check([0, 0.991]));
    assert.throws(() => check(), refused('wrong-count', '0'));
    assert.throws(() => check([0, 1], [0, 1]), refused('wrong-count', '2'));
    assert.throws(() => check([1]), refused('wrong-dimensions', '1 dimensions'));
    assert.throws(() => check([Number.NaN, 1]), refused('not-finite', 'NaN'));
    assert.throws(() => check([0, 1.02]), { code: 'not-normalised' });
    assert.throws(() => check([0, 0.98]), { code: 'not-normalised' });
  });
  test('are checked as they are embedded, unless the call is aborted', async () => {
    assert.deepEqual(await embedChecked(model, ['a'], 'query', freeCall()), [
      Float32Array.of(0, 1),
    ]);
    await assert.rejects(embedChecked(model, ['a', 'b'], 'query', freeCall()), {
      code: 'wrong-count',
    });
    const call = { ...freeCall(), signal: AbortSignal.abort(new Error('stopped')) };
    await assert.rejects(embedChecked(model, ['a'], 'query', call), /stopped/);
  });
});

describe('weights of words by rarity', () => {
  const weights = {
    most: 5,
    common: new Map([
      ['the', 1],
      ['ship', 2],
    ]),
  };
  const word = (stem: string, stop = false): Word => ({ stem, stop }) as Word;
  const words = [word('ship'), word('ship'), word('rare'), word('the', true)];
  test('count each stem once, and stop words not at all', () => {
    assert.equal(weightOf(weights, word('ship')), 2);
    assert.equal(weightOf(weights, word('rare')), 5);
    assert.equal(totalWeight(weights, words), 7);
    assert.equal(totalWeight(weights, words, new Set(['ship', 'the'])), 2);
    assert.equal(sharedWeight(weights, words, new Set(['rare'])), 5 / 7);
    assert.equal(sharedWeight(weights, [word('the', true)], new Set(['the'])), 0);
    assert.deepEqual(stemsOf(words), new Set(['ship', 'rare']));
  });
});

test('a cache gives what it has; the rest is computed once, in batches that are stored', async () => {
  const cache = memoryVectorCache();
  await cache.put('s', [
    ['kept', Float32Array.of(1, 0)],
    ['short', Float32Array.of(1)],
  ]);
  const batches: (readonly string[])[] = [];
  const keys = ['a', 'kept', 'b', 'a', 'short', 'c'];
  const found = await throughCache(cache, {
    space: 's',
    dimensions: 2,
    batch: 2,
    keys,
    texts: keys.map(key => `text ${key}`),
    compute: async texts => {
      batches.push(texts);
      return texts.map(text => Float32Array.of(0, text.charCodeAt(5)));
    },
  });
  assert.deepEqual(batches, [
    ['text a', 'text b'],
    ['text short', 'text c'],
  ]);
  assert.deepEqual(
    found.map(([, y]) => y),
    [97, 0, 98, 97, 115, 99],
  );
  assert.equal(cache.stored.get('s short')!.length, 2);
});
