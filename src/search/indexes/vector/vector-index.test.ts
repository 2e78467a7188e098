/** Tests the vector index against its oracle, its laws, and hostile input. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import createWabt from 'wabt';
import { TWINS } from '../../../../bench/kernel-twins.ts';
import { innerProduct, ranked, sumOfSizes } from '../../../../test/oracles/vector-oracle.ts';
import { CENTRED_BASE64 } from './centred.wasm.ts';
import { CENTRED_PAIRS_BASE64 } from './centred-pairs.wasm.ts';
import { KERNEL_BASE64 } from './kernel.wasm.ts';
import {
  type ScoredItem,
  VectorIndex,
  type VectorOptions,
  type VectorQuery,
} from './vector-index.ts';

const WAYS: readonly VectorOptions[] = [
  { mode: 'plain' },
  { mode: 'fast' },
  { mode: 'fast', quantise: false },
  { mode: 'plain', quantise: true },
  { mode: 'fast', quantise: true },
];
const nameOf = ({ mode, quantise }: VectorOptions): string =>
  `${mode}, quantise ${quantise ?? 'missing'}`;

/** Generates numbers in [-1, 1) from a seed (xorshift32, Marsaglia 2003). */
function numbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
}

const vectorOf = (dimensions: number, next: () => number): Float32Array =>
  Float32Array.from({ length: dimensions }, next);
const vectorsOf = (count: number, dimensions: number, next: () => number): Float32Array[] =>
  Array.from({ length: count }, () => vectorOf(dimensions, next));

interface Case {
  readonly dimensions: number;
  readonly rows: readonly Float32Array[];
  readonly queries: readonly VectorQuery[];
  readonly k: number;
}

/**
 * Generates up to 40 rows of up to 40 dimensions and up to 9 queries, some with a filter, two of
 * them with the same one.
 */
function case$(number$: fc.Arbitrary<number>): fc.Arbitrary<Case> {
  return fc
    .tuple(fc.integer({ min: 1, max: 40 }), fc.nat({ max: 40 }))
    .chain(([dimensions, size]) => {
      const vector$ = fc
        .array(number$, { minLength: dimensions, maxLength: dimensions })
        .map(list => Float32Array.from(list));
      const flags$ = fc
        .array(fc.constantFrom(0, 1), { minLength: size, maxLength: size })
        .map(list => Uint8Array.from(list));
      return fc.record({
        dimensions: fc.constant(dimensions),
        rows: fc.array(vector$, { minLength: size, maxLength: size }),
        queries: fc
          .tuple(fc.array(vector$, { maxLength: 9 }), flags$, flags$)
          .map(([vectors, some, others]) =>
            vectors.map((vector, i) =>
              i % 4 === 0 ? { vector } : { vector, allowed: i % 4 === 3 ? others : some },
            ),
          ),
        k: fc.nat({ max: 42 }),
      });
    });
}

describe('against the oracle', () => {
  test('whole numbers (products exact in float64): equal items and scores, including ties and filters', () => {
    fc.assert(
      fc.property(case$(fc.integer({ min: -3, max: 3 })), ({ dimensions, rows, queries, k }) => {
        const expected = queries.map(({ vector, allowed }) => ranked(rows, vector, k, allowed));
        for (const way of WAYS)
          assert.deepEqual(
            VectorIndex.build(rows, dimensions, way).search(queries, k),
            expected,
            nameOf(way),
          );
      }),
      { numRuns: 300 },
    );
  });

  test('any finite numbers: scores within float64 rounding, in total order, no better item omitted, equal bits in every mode', () => {
    const float$ = fc.oneof(
      fc.float({ noNaN: true, noDefaultInfinity: true }),
      fc.float({ noNaN: true, min: -1, max: 1 }),
      fc.constantFrom(0, -0, 1e-45, -1e-38, 3.4e38, -3.4e38).map(Math.fround),
    );
    fc.assert(
      fc.property(case$(float$), ({ dimensions, rows, queries, k }) => {
        const [first, ...others] = WAYS.map(way =>
          VectorIndex.build(rows, dimensions, way).search(queries, k),
        );
        queries.forEach((query, i) => {
          assertNearly(rows, query, k, first![i]!);
        });
        for (const [i, found] of others.entries())
          assert.deepEqual(found, first, nameOf(WAYS[i + 1]!));
        for (const way of WAYS) {
          const index = VectorIndex.build(rows, dimensions, way);
          for (const [i, found] of first!.entries()) {
            const [scores] = index.scores(
              [queries[i]!.vector],
              found.map(({ item }) => item),
            );
            assert.deepEqual(
              [...scores!],
              found.map(({ score }) => score),
              `scores, ${nameOf(way)}`,
            );
          }
        }
      }),
      { numRuns: 400 },
    );
  });
});

/**
 * Bounds the error: `stride` additions round at most, each by 2^-53 of a sum; the i-th of several
 * scores moves at most as far as the one that moves furthest.
 */
function assertNearly(
  rows: readonly Float32Array[],
  { vector, allowed }: VectorQuery,
  k: number,
  found: readonly ScoredItem[],
): void {
  const expected = ranked(rows, vector, k, allowed);
  assert.equal(found.length, expected.length);
  const within = rows.map(row => sumOfSizes(row, vector) * (row.length + 16) * 2 ** -53);
  const furthest = Math.max(...within);
  for (const [i, { item, score }] of found.entries()) {
    assert.ok(allowed === undefined || allowed[item] === 1);
    assert.ok(
      Math.abs(score - innerProduct(rows[item]!, vector)) <= within[item]!,
      `score of ${item}`,
    );
    assert.ok(Math.abs(score - expected[i]!.score) <= furthest, `${i}-th score`);
    const next = found[i + 1];
    assert.ok(
      next === undefined || score > next.score || (score === next.score && item < next.item),
      'order',
    );
  }
}

describe('all search modes return equal results, to the bit', () => {
  const scaled = (rows: readonly Float32Array[], by: number): Float32Array[] =>
    rows.map(row => row.map(value => value * by));
  const cases: readonly (readonly [
    what: string,
    make: (next: () => number) => Float32Array[],
    queryScale?: number,
  ])[] = [
    ['random rows', next => vectorsOf(3001, 96, next)],
    [
      'rows that differ in their last bits',
      next => {
        const centre = vectorOf(96, next);
        return vectorsOf(1500, 96, next).map(noise =>
          centre.map((value, i) => value + noise[i]! * 1e-6),
        );
      },
    ],
    [
      'rows with many duplicates',
      next =>
        Array.from({ length: 1100 }, (_, i) =>
          vectorOf(96, numbers(i % 7)).map(v => v + (next() > 2 ? 1 : 0)),
        ),
    ],
    [
      'rows in ascending order of score',
      next => {
        const centre = vectorOf(96, next);
        return Array.from({ length: 2000 }, (_, i) => centre.map(value => value * (1 + i * 1e-5)));
      },
    ],
    [
      'rows of very different lengths',
      next =>
        vectorsOf(1000, 96, next).map((row, i) => row.map(value => value * 10 ** ((i % 60) - 30))),
    ],
    [
      'rows with one large number each',
      next => vectorsOf(1000, 96, next).map((row, i) => row.with(i % 96, 1000)),
    ],
    // Codes are zero except in the first dimension, which the query lacks; yet these rows are the
    // best.
    [
      'rows whose codes retain nothing of the query',
      next =>
        vectorsOf(999, 96, next).map((row, i) =>
          i % 2 === 0 ? row.with(0, 1e4) : scaled([row], 0.9)[0]!,
        ),
    ],
    ['zeros', () => vectorsOf(700, 96, () => 0)],
    [
      'rows whose codes overflow f32 when they are scaled',
      next => scaled(vectorsOf(500, 96, next), 1e35),
    ],
    ['products that overflow f32', next => scaled(vectorsOf(500, 96, next), 1e25), 1e20],
    ['products that underflow f32', next => scaled(vectorsOf(500, 96, next), 1e-25), 1e-20],
    ['subnormal rows', next => scaled(vectorsOf(500, 96, next), 1e-43), 1e38],
    ['subnormal queries', next => scaled(vectorsOf(500, 96, next), 1e35), 1e-43],
  ];
  for (const [what, make, queryScale = 1] of cases) {
    test(what, () => {
      const next = numbers(what.length);
      const rows = make(next);
      const some = (share: number): Uint8Array =>
        Uint8Array.from(rows, () => (next() < 2 * share - 1 ? 1 : 0));
      const filters = [
        undefined,
        some(0.5),
        some(0.01),
        Uint8Array.from(rows, (_, i) => (i > rows.length - 9 ? 1 : 0)),
        some(-1),
      ];
      const queries = Array.from({ length: 23 }, (_, i): VectorQuery => {
        const drawn =
          i % 5 === 4
            ? rows[(i * 37) % rows.length]!
            : scaled([vectorOf(96, next)], queryScale)[0]!;
        const vector = i % 5 === 3 ? drawn.with(0, 0) : drawn;
        const allowed = filters[i % 2 === 0 ? 0 : i % filters.length];
        return allowed ? { vector, allowed } : { vector };
      });
      const [plain, ...others] = WAYS.map(way => ({
        way,
        index: VectorIndex.build(rows, 96, way),
      }));
      for (const k of [1, 10, 200]) {
        const expected = plain!.index.search(queries, k);
        for (const { way, index } of others)
          assert.deepEqual(index.search(queries, k), expected, `${nameOf(way)}, k = ${k}`);
        for (const [i, query] of queries.slice(0, 2).entries())
          assertNearly(rows, query, k, expected[i]!);
      }
    });
  }
});

describe('laws', () => {
  test('k results are a prefix of k + 1; repeated and batched queries return equal results', () => {
    fc.assert(
      fc.property(
        case$(fc.float({ noNaN: true, min: -1, max: 1 })),
        ({ dimensions, rows, queries, k }) => {
          for (const way of WAYS) {
            const index = VectorIndex.build(rows, dimensions, way);
            const together = index.search(queries, k);
            assert.deepEqual(index.search(queries, k), together);
            assert.deepEqual(
              index.search(queries, k + 1).map(found => found.slice(0, k)),
              together,
            );
            assert.deepEqual(
              queries.map(query => index.search([query], k)[0]),
              together,
            );
          }
        },
      ),
    );
  });

  test('a packed index searches like the built one, also with a header from JSON, before and after a search', () => {
    fc.assert(
      fc.property(
        case$(fc.float({ noNaN: true, min: -1, max: 1 })),
        ({ dimensions, rows, queries, k }) => {
          for (const way of WAYS) {
            const index = VectorIndex.build(rows, dimensions, way);
            const found = index.search(queries, k);
            const { header, arrays } = index.pack();
            assert.deepEqual(
              Object.entries(header.types).map(([name, type]) => [name, type]),
              Object.entries(arrays).map(([name, array]) => [
                name,
                array instanceof Uint8Array ? 'u8' : 'f32',
              ]),
            );
            const loaded = VectorIndex.unpack(
              { header: JSON.parse(JSON.stringify(header)), arrays },
              way.mode,
            );
            assert.deepEqual(loaded.pack(), index.pack());
            assert.deepEqual(
              [loaded.size, loaded.dimensions, loaded.quantised],
              [rows.length, dimensions, way.quantise ?? false],
            );
            assert.deepEqual(loaded.search(queries, k), found);
            assert.deepEqual(loaded.pack(), index.pack());
            assert.equal(loaded.bytes >= 4 * rows.length * dimensions, true);
            for (const [item, row] of rows.entries()) assert.deepEqual(loaded.vector(item), row);
          }
        },
      ),
    );
  });
});

test('contiguous and separate vectors build the same index; vectors are copied on build and on read', () => {
  const rows = vectorsOf(50, 20, numbers(3));
  const contiguous = Float32Array.from(rows.flatMap(row => [...row]));
  for (const way of WAYS) {
    const index = VectorIndex.build(contiguous, 20, way);
    assert.deepEqual(index.pack(), VectorIndex.build(new Set(rows), 20, way).pack());
    const before = index.search([{ vector: rows[7]! }], 5);
    const kept = contiguous.slice();
    contiguous.fill(0);
    index.vector(7).fill(9);
    assert.deepEqual(index.search([{ vector: rows[7]! }], 5), before);
    assert.deepEqual(index.vector(7), rows[7]);
    contiguous.set(kept);
  }
});

test('hand-worked scores', () => {
  // (0.5, -2) . (4, 1) = 0; . (2, -1) = 3; . (0, 0) = 0: ties by item
  const index = VectorIndex.build(Float32Array.of(4, 1, 2, -1, 0, 0), 2);
  assert.deepEqual(index.search([{ vector: Float32Array.of(0.5, -2) }], 9), [
    [
      { item: 1, score: 3 },
      { item: 0, score: 0 },
      { item: 2, score: 0 },
    ],
  ]);
});

describe('hostile input', () => {
  test('an empty index, no queries, k = 0, k beyond the size, a query of zeros', () => {
    for (const way of WAYS) {
      const empty = VectorIndex.build([], 3, way);
      const vector = Float32Array.of(0, 0, 0);
      assert.deepEqual(empty.search([{ vector }, { vector, allowed: new Uint8Array(0) }], 5), [
        [],
        [],
      ]);
      assert.deepEqual(VectorIndex.unpack(empty.pack()).search([{ vector }], 5), [[]]);
      assert.throws(() => empty.vector(0), { code: 'unknown-item' });
      const index = VectorIndex.build(vectorsOf(9, 3, numbers(1)), 3, way);
      assert.deepEqual(index.search([], 5), []);
      assert.deepEqual(index.search([{ vector }], 0), [[]]);
      assert.deepEqual(
        index.search([{ vector }], 4)[0]!.map(({ item, score }) => [item, score]),
        [0, 1, 2, 3].map(item => [item, 0]),
      );
      assert.equal(index.search([{ vector }], 2 ** 40)[0]!.length, 9);
    }
  });

  test('many dimensions', () => {
    const rows = vectorsOf(6, 65_536, numbers(4));
    for (const way of WAYS) {
      const [found] = VectorIndex.build(rows, 65_536, way).search([{ vector: rows[2]! }], 3);
      assertNearly(rows, { vector: rows[2]! }, 3, found!);
    }
  });

  test('invalid input is rejected by name', () => {
    const build = (vectors: Float32Array | Float32Array[], dimensions: number): VectorIndex =>
      VectorIndex.build(vectors, dimensions);
    for (const dimensions of [0, -1, 1.5, NaN, 65_537])
      assert.throws(() => build([], dimensions), {
        code: 'bad-dimensions',
        received: String(dimensions),
      });
    assert.throws(() => build(new Float32Array(7), 3), {
      code: 'wrong-dimensions',
      message: /row 2.*expected 3, received 1/,
    });
    assert.throws(() => build([new Float32Array(3), new Float32Array(4)], 3), {
      code: 'wrong-dimensions',
      message: /row 1.*expected 3, received 4/,
    });
    for (const bad of [NaN, Infinity, -Infinity]) {
      const vector = Float32Array.of(1, bad, 2);
      assert.throws(() => build([new Float32Array(3), vector], 3), {
        code: 'not-finite',
        message: /row 1.*expected finite numbers/,
        received: `${bad} in dimension 1`,
      });
      for (const way of WAYS) {
        const index = VectorIndex.build([Float32Array.of(1, 2, 3)], 3, way);
        assert.throws(() => index.search([{ vector: new Float32Array(3) }, { vector }], 1), {
          code: 'not-finite',
          message: /query 1/,
        });
      }
    }
    const index = build([Float32Array.of(1, 2)], 2);
    assert.throws(() => index.search([{ vector: new Float32Array(3) }], 1), {
      code: 'wrong-dimensions',
      message: /query 0.*expected 2, received 3/,
    });
    for (const k of [-1, 1.5, NaN]) assert.throws(() => index.search([], k), { code: 'bad-k' });
    for (const item of [-1, 1, 0.5]) {
      assert.throws(() => index.vector(item), { code: 'unknown-item' });
      assert.throws(() => index.scores([], [item]), { code: 'unknown-item' });
    }
    assert.throws(
      () => index.search([{ vector: new Float32Array(2), allowed: new Uint8Array(2) }], 1),
      { code: 'bad-filter-length' },
    );
    const { header, arrays } = index.pack();
    const unpack = (changed: object, changedArrays: object = {}): VectorIndex =>
      VectorIndex.unpack({
        header: { ...header, ...changed },
        arrays: { ...arrays, ...changedArrays },
      });
    assert.throws(() => unpack({ format: 'other' }), { code: 'bad-index' });
    assert.throws(() => unpack({ size: 2 }), { code: 'bad-index' });
    assert.throws(() => unpack({ quantised: true }), { code: 'bad-index' });
    assert.throws(() => unpack({}, { norms: new Uint8Array(1) }), { code: 'bad-index' });
  });
});

test('the committed WebAssembly equals the compiled source', async () => {
  const wabt = await createWabt();
  const twin = TWINS['search/indexes/vector/centred-pairs']!;
  for (const [name, base64, written] of [
    ['kernel', KERNEL_BASE64, (source: string) => source],
    ['centred', CENTRED_BASE64, (source: string) => source],
    ['centred', CENTRED_PAIRS_BASE64, twin.text],
  ] as const) {
    const source = written(readFileSync(new URL(`${name}.wat`, import.meta.url), 'utf8'));
    const module = wabt.parseWat(name, source, {
      simd: true,
      bulk_memory: true,
      mutable_globals: true,
      relaxed_simd: true,
    });
    assert.equal(Buffer.from(module.toBinary({}).buffer).toString('base64'), base64, name);
  }
  assert.throws(
    () =>
      twin.text(
        readFileSync(new URL('centred.wat', import.meta.url), 'utf8').replaceAll('$va', '$va '),
      ),
    /dot products/,
  );
});

test('the plain paths answer without WebAssembly', () => {
  const module = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  const script = `const { VectorIndex } = await import(${module('vector-index.ts')});
    globalThis.WebAssembly = undefined; // only now: Node needs it to read TypeScript
    const index = VectorIndex.build([Float32Array.of(1, 2)], 2, { mode: 'fast', quantise: true });
    console.log(JSON.stringify(index.search([{ vector: Float32Array.of(3, 4) }], 3)));`;
  const done = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
    { encoding: 'utf8' },
  );
  assert.equal(done.stderr, '');
  assert.deepEqual(JSON.parse(done.stdout), [[{ item: 0, score: 11 }]]);
});
