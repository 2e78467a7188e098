/** The error bounds of the scans against exact arithmetic: a bound that is too narrow would rarely show in what is found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { innerProduct } from '../../../test/oracles/vector-oracle.ts';
import { type Bounds, codeBounds, floatBounds } from './bounds.ts';
import { codesLength, quantiseRows } from './quantise.ts';
import { fillRows, type Rows, readQuery } from './rows.ts';
import { Scan } from './scan.ts';
import { codeMemory, floatMemory } from './scan-memory.ts';

const number$ = fc.oneof(
  fc.float({ noNaN: true, min: -1, max: 1 }),
  fc.float({ noNaN: true, min: Math.fround(-1e18), max: Math.fround(1e18) }),
  fc.constantFrom(0, 1e-45, -3e-39, 1e-20).map(Math.fround),
);
const case$ = fc
  .integer({ min: 1, max: 70 })
  .chain(length => fc.tuple(...[0, 1, 2, 3, 4, 5].map(() => fc.array(number$, { minLength: length, maxLength: length }))))
  .map(vectors => vectors.map(list => Float32Array.from(list)));

const FOUR = 4;

/** What the kernel computes of four copies of a query or of one, by hand, and how far the truth is from it in terms of the bound. */
function worst(rows: Rows, query: Float32Array, quantise: boolean): number {
  const { size, stride, dimensions } = rows;
  const { padded, norm } = readQuery(query, rows, 'query');
  const memory = (quantise ? codeMemory : floatMemory)(size, stride)!;
  const { kernel, products } = memory;
  const buffer = kernel.buffer;
  const codes = quantise
    ? quantiseRows(rows, new Int8Array(buffer, memory.rows, codesLength(size, stride)), new Float32Array(buffer, memory.scales!, size))
    : undefined;
  if (!quantise) new Float32Array(buffer, memory.rows, size * stride).set(rows.values);
  const errors = codes?.residuals ?? rows.norms;
  const reach = Math.max(...rows.norms.map((length, i) => length + (codes?.residuals[i] ?? 0)));
  if (!new Scan(rows, memory, codes?.residuals).holds({ padded, norm })) return 0;
  let bounds: Bounds | undefined;
  for (let slot = 0; slot < FOUR; slot++) {
    const at = memory.queries + slot * memory.queryBytes;
    bounds = quantise
      ? codeBounds(padded, norm, reach, new Int16Array(buffer, at, stride))
      : floatBounds(padded, norm, reach, new Float32Array(buffer, at, stride));
  }
  const { unit, slope, constant } = bounds!;
  const found = new Float32Array(buffer, products, FOUR * size);
  const quads = Math.ceil(size / 4);
  let most = 0;
  for (const together of [1, FOUR]) {
    if (quantise)
      kernel[together === 1 ? 'codes1' : 'codes4'](memory.queries, memory.rows, quads, memory.rowBytes, memory.scales!, products);
    else kernel[together === 1 ? 'floats1' : 'floats4'](memory.queries, memory.rows, size, memory.rowBytes, products);
    for (let row = 0; row < size; row++) {
      const exact = innerProduct(rows.values.subarray(row * stride, row * stride + dimensions), query);
      for (let i = 0; i < together; i++) {
        const off = Math.abs(found[row * together + i]! * unit - exact);
        most = Math.max(most, off / (errors[row]! * slope + constant));
      }
    }
  }
  return most;
}

for (const quantise of [false, true]) {
  test(`no score is further off than its bound: ${quantise ? 'codes' : 'floats'}`, t => {
    let closest = 0;
    fc.assert(
      fc.property(case$, ([query, ...vectors]) => {
        const dimensions = query!.length;
        const rows = fillRows(vectors, dimensions, new Float32Array(vectors.length * Math.ceil(dimensions / 16) * 16));
        const ratio = worst(rows, query!, quantise);
        closest = Math.max(closest, ratio);
        assert.ok(ratio <= 1, `${ratio} of the bound`);
      }),
      { numRuns: 500 },
    );
    t.diagnostic(`the largest error was ${closest.toPrecision(3)} of its bound`);
    assert.ok(closest > 1e-3, 'the test must come somewhere near the bound');
  });
}
