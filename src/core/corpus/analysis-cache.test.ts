/** Tests that the cache of analysed texts returns what was computed, within its bound. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AnalysisCache, type AnalysisKind, analysisOf } from './analysis-cache.ts';

const NUMBERS: AnalysisKind<number[]> = { name: 'numbers', bytes: list => 8 * list.length };
const TEXTS: AnalysisKind<string> = { name: 'texts', bytes: text => 2 * text.length };

test('computes a value once, by kind and key', () => {
  const cache = new AnalysisCache();
  let computed = 0;
  const first = cache.of(NUMBERS, 'a', () => [++computed]);
  assert.equal(
    cache.of(NUMBERS, 'a', () => [++computed]),
    first,
  );
  assert.equal(
    cache.of(TEXTS, 'a', () => 'another kind'),
    'another kind',
  );
  assert.deepEqual(first, [1]);
  assert.equal(cache.get(TEXTS, 'b'), undefined);
});

test('an engine without a cache gets a new one each time', () => {
  const analysis = new AnalysisCache();
  assert.equal(analysisOf({ analysis }), analysis);
  assert.notEqual(analysisOf({}), analysisOf({}));
});

test('for any use: returns the value that was set last, within the bound', () => {
  const use = fc.record({ key: fc.integer({ min: 0, max: 60 }), length: fc.nat({ max: 40 }) });
  fc.assert(
    fc.property(fc.array(use, { maxLength: 300 }), uses => {
      const bound = 4000;
      const cache = new AnalysisCache(bound);
      const last = new Map<string, number[]>();
      for (const { key, length } of uses) {
        const name = String(key);
        const known = cache.get(NUMBERS, name);
        if (known) assert.equal(known, last.get(name));
        else {
          const value = new Array<number>(length).fill(key);
          cache.set(NUMBERS, name, value);
          last.set(name, value);
          assert.equal(cache.get(NUMBERS, name), value);
        }
        const halves = Object.values(cache as unknown as Record<string, unknown>).filter(
          (half): half is Map<unknown, Map<string, number[]>> => half instanceof Map,
        );
        const cached = halves.flatMap(half => [...(half.get(NUMBERS)?.values() ?? [])]);
        assert.ok(cached.reduce((sum, list) => sum + 64 + NUMBERS.bytes(list), 0) <= bound);
      }
    }),
  );
});

test('keeps values that are used and drops others', () => {
  const cache = new AnalysisCache(2000);
  const hot = cache.of(TEXTS, 'hot', () => 'hot');
  cache.set(TEXTS, 'cold', 'cold');
  for (let other = 0; other < 1000; other++) {
    cache.set(TEXTS, `other ${other}`, 'other');
    assert.equal(cache.get(TEXTS, 'hot'), hot);
  }
  assert.equal(cache.get(TEXTS, 'cold'), undefined);
});

test('does not keep a value that exceeds half of the bound', () => {
  const cache = new AnalysisCache(1000);
  cache.set(TEXTS, 'small', 'small');
  const long = 'x'.repeat(400);
  assert.equal(
    cache.of(TEXTS, 'long', () => long),
    long,
  );
  assert.equal(cache.get(TEXTS, 'long'), undefined);
  assert.equal(cache.get(TEXTS, 'small'), 'small');
});
