/** Tests what is refused of scores, vectors and fields of weights, and vectors through a cache. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InputError, type PortError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import { finiteField, recordField } from './checked-fields.ts';
import { sharedWeight, stemsOf, totalWeight, weightOf } from './efficient-rag/term-weights.ts';
import type { Word } from './efficient-rag/words.ts';
import type { Embedder } from './embedder.ts';
import { checkVectors, embedChecked } from './embedder.ts';
import type { Reranker } from './reranker.ts';
import { checkScores } from './reranker.ts';
import { throughCache } from './through-cache.ts';
import type { VectorCache } from './vector-cache.ts';

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

test('fields of weight files are objects and finite numbers', () => {
  const bad = (field: string, expected: string, received: unknown): InputError =>
    new InputError('bad-weights', `${field}: ${expected}, got ${String(received)}`);
  assert.deepEqual(recordField({ a: 1 }, 'f', bad), { a: 1 });
  for (const value of [null, [], 'x', 3, undefined])
    assert.throws(() => recordField(value, 'f', bad), /f: an object, got/);
  assert.equal(finiteField(-0.5, 'f', bad), -0.5);
  for (const value of ['1', Number.NaN, Number.POSITIVE_INFINITY, null])
    assert.throws(() => finiteField(value, 'f', bad), /f: a finite number, got/);
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
  const stored = new Map<string, Float32Array>([
    ['kept', Float32Array.of(1, 0)],
    ['short', Float32Array.of(1)],
  ]);
  const cache = {
    get: async (_: string, keys: readonly string[]) => keys.map(key => stored.get(key)),
    put: async (space: string, entries: readonly (readonly [string, Float32Array])[]) => {
      assert.equal(space, 's');
      for (const [key, vector] of entries) stored.set(key, vector);
    },
  } as unknown as VectorCache;
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
    found.map(([x, y]) => [x, y]),
    [
      [0, 97],
      [1, 0],
      [0, 98],
      [0, 97],
      [0, 115],
      [0, 99],
    ],
  );
  assert.equal(stored.get('short')!.length, 2);
});
