/** A search in which another thread joins finds what one thread finds, to the bit, whatever the other does. */
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { mulberry32 } from '../mulberry32.ts';
import { type ScanPartner, type SharedRows, scanAlong, scanWith } from './shared-scan.ts';
import { VectorIndex, type VectorQuery } from './vector-index.ts';

/** Enough to be shared. */
const [ROWS, DIMENSIONS] = [70_000, 61];
const next = mulberry32(7);
const vectors = Float32Array.from({ length: ROWS * DIMENSIONS }, () => next() - 0.4);
const vector = (): Float32Array => Float32Array.from({ length: DIMENSIONS }, () => next() - 0.3);
const mask = (share: number): Uint8Array => Uint8Array.from({ length: ROWS }, () => Number(next() < share));

afterEach(() => scanWith(undefined));

/** Questions with filters of their own, filters beside a search of everything, and none; many and few hits. */
function searches(): { readonly queries: readonly VectorQuery[]; readonly k: number }[] {
  const [rare, half, none] = [mask(0.0005), mask(0.5), new Uint8Array(ROWS)];
  return [1, 2, 3, 5, 9].flatMap((count, at) => {
    const asked = Array.from({ length: count }, vector);
    const open = asked.map(one => ({ vector: one }));
    const filtered = asked.map((one, i) => ({ vector: one, allowed: [rare, half, none][(at + i) % 3]! }));
    return [1, 60, 513].flatMap(k => [open, filtered, [...open, ...filtered]].map(queries => ({ queries, k })));
  });
}

const asked = searches();
const expected = asked.map(({ queries, k }) => VectorIndex.build(vectors, DIMENSIONS).search(queries, k));

function checkWith(partnerOf: (rows: SharedRows) => ScanPartner): void {
  scanWith({ share: partnerOf });
  const index = VectorIndex.build(vectors, DIMENSIONS);
  for (const [at, { queries, k }] of asked.entries()) assert.deepEqual(index.search(queries, k), expected[at], `search ${at}`);
}

const never = (): boolean => assert.fail('nobody is to be waited for');
describe('a search that another thread joins', () => {
  test('which takes all rows before this one takes any', () => {
    checkWith(rows => ({ wake: scanAlong(rows), wait: never }));
  });

  test('which comes too late', () => {
    let shared = 0;
    checkWith(() => ({ wake: () => shared++, wait: never }));
    assert.ok(shared > 30, String(shared));
  });

  test('which fails, or is not heard of: everything is found here, and it is not asked again', () => {
    for (const state of [4, 2]) {
      let woken = 0;
      checkWith(({ memory, places }) => ({
        wake: () => {
          woken++;
          new Int32Array(memory.buffer, places.beside.job)[0] = state;
        },
        wait: () => state === 4,
      }));
      assert.equal(woken, 1);
    }
  });

  test('which cannot be had', () => {
    scanWith({ share: () => undefined });
    const index = VectorIndex.build(vectors, DIMENSIONS);
    assert.deepEqual(index.search(asked[0]!.queries, asked[0]!.k), expected[0]);
  });

  test('vectors, scores and what is packed are those of an index of one thread', () => {
    const alone = VectorIndex.build(vectors, DIMENSIONS);
    scanWith({ share: rows => ({ wake: scanAlong(rows), wait: never }) });
    const index = VectorIndex.build(vectors, DIMENSIONS);
    const query = vector();
    assert.deepEqual(index.vector(69_999), alone.vector(69_999));
    assert.deepEqual(index.scores([query], [3, 69_999]), alone.scores([query], [3, 69_999]));
    assert.deepEqual(index.pack(), alone.pack());
    assert.deepEqual(VectorIndex.unpack(index.pack()).search([{ vector: query }], 5), alone.search([{ vector: query }], 5));
  });
});
