/** Checks the validation of spans, and their cache. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryVectorCache } from '../../test/memory-vector-cache.ts';
import { freeCall } from '../core/trace/call.ts';
import { cachedQuestionAnswerer } from './cached-question-answerer.ts';
import type { AnswerSpans } from './question-answerer.ts';
import { checkSpans } from './question-answerer.ts';

const TEXT = 'Ada wrote it in 1843.';
const GOOD: AnswerSpans = {
  spans: [
    { start: 0, end: 3, score: 2.5 },
    { start: 16, end: 20, score: -1 },
  ],
  none: 0.25,
};

test('checked spans: span outside, empty, repeated, unordered or without a number', () => {
  checkSpans({ id: 'toy' }, GOOD, TEXT);
  checkSpans({ id: 'toy' }, { spans: [], none: 0 }, '');
  const [first, second] = GOOD.spans as [{ start: number; end: number; score: number }, never];
  const bad: readonly [AnswerSpans, string][] = [
    [{ spans: [{ ...first, start: -1 }], none: 0 }, 'malformed'],
    [{ spans: [{ ...first, end: 22 }], none: 0 }, 'malformed'],
    [{ spans: [{ ...first, end: 0 }], none: 0 }, 'malformed'],
    [{ spans: [{ ...first, start: 0.5 }], none: 0 }, 'malformed'],
    [{ spans: [first, first], none: 0 }, 'malformed'],
    [{ spans: [second, first], none: 0 }, 'malformed'],
    [{ spans: [{ ...first, score: Number.NaN }], none: 0 }, 'not-finite'],
    [{ spans: [first], none: Number.POSITIVE_INFINITY }, 'not-finite'],
  ];
  for (const [given, code] of bad)
    assert.throws(() => checkSpans({ id: 'toy' }, given, TEXT), {
      port: 'question-answerer',
      code,
    });
});

const hash = (text: string): string => text;

test('cached spans: the model is asked once a question and text', async () => {
  const asked: string[] = [];
  const model = {
    id: 'toy',
    async answer(question: string) {
      asked.push(question);
      return GOOD;
    },
  };
  const cached = cachedQuestionAnswerer(model, memoryVectorCache(), hash);
  const first = await cached.answer('Who?', TEXT, freeCall());
  assert.deepEqual(first, GOOD);
  assert.deepEqual(await cached.answer('Who?', TEXT, freeCall()), GOOD);
  await cached.answer('When?', TEXT, freeCall());
  await cached.answer('Who?', `${TEXT} `, freeCall());
  assert.deepEqual(asked, ['Who?', 'When?', 'Who?']);
});

test('cached spans: damaged numbers are computed again, bad spans are not stored', async () => {
  const cache = memoryVectorCache();
  let answer = GOOD;
  const cached = cachedQuestionAnswerer({ id: 'toy', answer: async () => answer }, cache, hash);
  await cached.answer('Who?', TEXT, freeCall());
  const [key] = cache.stored.keys();
  for (const numbers of [[], [1, 2], [0, 0, 99, 1]]) {
    cache.stored.set(key!, Float32Array.from(numbers));
    assert.deepEqual(await cached.answer('Who?', TEXT, freeCall()), GOOD);
  }
  answer = { spans: [{ start: 3, end: 3, score: 1 }], none: 0 };
  await assert.rejects(cached.answer('When?', TEXT, freeCall()), { code: 'malformed' });
  assert.equal(cache.stored.size, 1);
});
