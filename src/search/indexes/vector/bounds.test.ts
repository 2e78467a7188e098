/**
 * Tests the error bounds of the scans against exact arithmetic: search results alone would rarely
 * reveal a bound that is too narrow.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { innerProduct } from '../../../../test/oracles/vector-oracle.ts';
import { type Bounds, codeBounds, floatBounds } from './bounds.ts';
import { centredBounds, centreRows } from './centred.ts';
import { codesLength, quantiseRows } from './quantise.ts';
import { fillRows, type Rows, readQuery } from './rows.ts';
import { Scan } from './scan.ts';
import { centredMemory, codeMemory, floatMemory, LIMIT_BYTES } from './scan-memory.ts';

const number$ = fc.oneof(
  fc.float({ noNaN: true, min: -1, max: 1 }),
  fc.float({ noNaN: true, min: Math.fround(-1e18), max: Math.fround(1e18) }),
  fc.constantFrom(0, 1e-45, -3e-39, 1e-20).map(Math.fround),
);
const case$ = fc
  .integer({ min: 1, max: 70 })
  .chain(length =>
    fc.tuple(
      ...[0, 1, 2, 3, 4, 5].map(() => fc.array(number$, { minLength: length, maxLength: length })),
    ),
  )
  .map(vectors => vectors.map(list => Float32Array.from(list)));

const FOUR = 4;

/**
 * Returns the kernel's products of a query, once among four copies and once alone, and the true
 * error as a share of the bound.
 */
function worst(rows: Rows, query: Float32Array, quantise: boolean): number {
  const { size, stride, dimensions } = rows;
  const { padded, norm } = readQuery(query, rows, 'query');
  const memory = (quantise ? codeMemory : floatMemory)(size, stride)!;
  const { kernel, products } = memory;
  const buffer = kernel.buffer;
  const codes = quantise
    ? quantiseRows(
        rows,
        new Int8Array(buffer, memory.rows, codesLength(size, stride)),
        new Float32Array(buffer, memory.scales!, size),
      )
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
      kernel[together === 1 ? 'codes1' : 'codes4'](
        memory.queries,
        memory.rows,
        quads,
        memory.rowBytes,
        memory.scales!,
        products,
      );
    else
      kernel[together === 1 ? 'floats1' : 'floats4'](
        memory.queries,
        memory.rows,
        size,
        memory.rowBytes,
        products,
      );
    for (let row = 0; row < size; row++) {
      const exact = innerProduct(
        rows.values.subarray(row * stride, row * stride + dimensions),
        query,
      );
      for (let i = 0; i < together; i++) {
        const off = Math.abs(found[row * together + i]! * unit - exact);
        most = Math.max(most, off / (errors[row]! * slope + constant));
      }
    }
  }
  return most;
}

/**
 * Returns the same for centred rows, whose kernels for one, two and four queries return equal
 * products.
 */
function worstCentred(rows: Rows, query: Float32Array, pairs: boolean): number {
  const { size, stride, dimensions } = rows;
  const memory = centredMemory(size, stride, pairs)!;
  const { kernel, shares } = memory.centred!;
  const { buffer } = kernel;
  const floats = (at: number): Float32Array => new Float32Array(buffer, at, size);
  const codes = new Int8Array(buffer, memory.rows, codesLength(size, stride));
  const centre = centreRows(rows, {
    codes,
    scales: floats(memory.scales!),
    shares: floats(shares),
  });
  const queries = [query, query.map(value => -value), query.toReversed(), query];
  const scan = new Scan(rows, memory, undefined, centre);
  const read = queries.map(query => readQuery(query, rows, 'query'));
  if (read.some(query => !scan.holds(query))) return 0;
  const terms = memory.limits + LIMIT_BYTES / 2;
  const bounds = read.map(({ padded, norm }, slot) => {
    const made = centredBounds(
      padded,
      norm,
      centre,
      new Int8Array(buffer, memory.queries + slot * stride, stride),
    );
    new Float32Array(buffer, terms, FOUR)[slot] = made.portion;
    new Int32Array(buffer, terms + 4 * FOUR, FOUR)[slot] = made.shift;
    return made;
  });
  const quads = Math.ceil(size / 4);
  const products = (kind: 'centred1' | 'centred2' | 'centred4'): Float32Array => {
    kernel[kind](
      memory.queries,
      memory.rows,
      quads,
      stride,
      memory.scales!,
      shares,
      terms,
      memory.products,
    );
    return new Float32Array(buffer, memory.products, FOUR * size).slice();
  };
  const found = products('centred4');
  for (const [kind, count] of [
    ['centred1', 1],
    ['centred2', 2],
  ] as const)
    assert.ok(
      products(kind).every((product, at) => at % FOUR >= count || product === found[at]),
      kind,
    );
  let most = 0;
  for (let row = 0; row < size; row++)
    for (const [slot, { offset, unit, slope, constant }] of bounds.entries()) {
      const exact = innerProduct(
        rows.values.subarray(row * stride, row * stride + dimensions),
        queries[slot]!,
      );
      const off = Math.abs(offset + found[row * FOUR + slot]! * unit - exact);
      most = Math.max(most, off / (centre.residuals[row]! * slope + constant));
    }
  return most;
}

const same = (vectors: readonly Float32Array[]): readonly Float32Array[] => vectors;
/** Lengths that centred rows support. */
const smaller = (vectors: readonly Float32Array[]): Float32Array[] =>
  vectors.map(vector => vector.map(value => value * 2 ** -25));
/** Rows close to the first one, which is the query too. */
const alike = ([first, ...others]: readonly Float32Array[]): Float32Array[] => {
  const centre = first!.map(value => Math.sin(value));
  return [
    centre,
    ...others.map(vector => vector.map((value, i) => centre[i]! + 0.3 * Math.cos(value))),
  ];
};

const WAYS = {
  floats: [same, (rows: Rows, query: Float32Array) => worst(rows, query, false)],
  codes: [same, (rows: Rows, query: Float32Array) => worst(rows, query, true)],
  'centred rows': [smaller, (rows: Rows, query: Float32Array) => worstCentred(rows, query, false)],
  'centred rows, the twin': [
    smaller,
    (rows: Rows, query: Float32Array) => worstCentred(rows, query, true),
  ],
  'centred rows that are alike': [
    alike,
    (rows: Rows, query: Float32Array) => worstCentred(rows, query, false),
  ],
  'centred rows that are alike, the twin': [
    alike,
    (rows: Rows, query: Float32Array) => worstCentred(rows, query, true),
  ],
} as const;

for (const [name, [made, worstOf]] of Object.entries(WAYS)) {
  test(`no score exceeds its error bound: ${name}`, t => {
    let closest = 0;
    fc.assert(
      fc.property(case$, drawn => {
        const [query, ...vectors] = made(drawn);
        const dimensions = query!.length;
        const rows = fillRows(
          vectors,
          dimensions,
          new Float32Array(vectors.length * Math.ceil(dimensions / 16) * 16),
        );
        const ratio = worstOf(rows, query!);
        closest = Math.max(closest, ratio);
        assert.ok(ratio <= 1, `${ratio} of the bound`);
      }),
      { numRuns: 500 },
    );
    t.diagnostic(`the largest error was ${closest.toPrecision(3)} of its bound`);
    assert.ok(closest > 1e-3, 'some error must come near the bound');
  });
}
