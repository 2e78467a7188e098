/**
 * Tests LSA against its definition: dense TF-IDF by the formula, an exact SVD by Jacobi, and the
 * resulting vectors of items and queries.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sineOfLargestAngle, slowSvd } from '../../../../test/oracles/slow-svd.ts';
import { finish } from '../../../core/steps.ts';
import { ENGLISH_STOP_WORDS } from '../../../language/english/words/stop-words.ts';
import { FIXTURE_DOCUMENTS } from '../../../testing/fixture-corpus.ts';
import { LexicalIndex, type LexicalItem } from '../lexical/lexical-index.ts';
import { stopTerms } from '../lexical/stop-terms.ts';
import { type Packed, unpackIndex } from '../lexical/stored.ts';
import { mulberry32 } from '../mulberry32.ts';
import { addCross, addCrossPlainly, BLOCK_ROWS } from './block-products.ts';
import { Lsa } from './lsa.ts';
import { symmetricEigen } from './symmetric-eigen.ts';
import { gram, multiply } from './tall-products.ts';
import { termWeights } from './term-weights.ts';
import { truncatedSvd } from './truncated-svd.ts';

const close = (received: number, expected: number, tolerance: number, what = ''): void =>
  assert.ok(Math.abs(received - expected) <= tolerance, `${what}: ${received} is not ${expected}`);
const itemsOf = (...texts: readonly string[]): LexicalItem[] =>
  texts.map((text, i) => ({ id: String(i).padStart(4, '0'), title: '', text, metadata: {} }));
const packed = (items: readonly LexicalItem[]): Packed => LexicalIndex.build(items, 'plain').pack();
const fit = (texts: readonly string[], dimensions = 256): Lsa =>
  finish(Lsa.fit(packed(itemsOf(...texts)), dimensions));
const svdOf = (texts: readonly string[], dimensions: number, rounds?: number) => {
  const { inverted } = unpackIndex(packed(itemsOf(...texts)));
  const matrix = finish(termWeights(inverted, stopTerms(inverted.dictionary, 'plain')));
  return finish(truncatedSvd(matrix, dimensions, rounds));
};
const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, j) => sum + value * b[j]!, 0);
const row = (lsa: Lsa, item: number): Float32Array =>
  lsa.vectors.subarray(item * lsa.dimensions, (item + 1) * lsa.dimensions);

/** Returns the product of a rows × inner and an inner × columns matrix, by the definition. */
function slowProduct(
  y: Float64Array,
  m: Float64Array,
  rows: number,
  inner: number,
  columns: number,
): Float64Array {
  const product = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++)
      for (let a = 0; a < inner; a++)
        product[i * columns + j]! += y[i * inner + a]! * m[a * columns + j]!;
  return product;
}

const transposed = (y: Float64Array, rows: number, columns: number): Float64Array =>
  Float64Array.from(y, (_, at) => y[(at % rows) * columns + Math.floor(at / rows)]!);

/** Returns dense TF-IDF by the formula: words in order of first appearance, unit rows. */
function denseTfIdf(texts: readonly string[]): number[][] {
  const bags: string[][] = texts.map(text => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const words = [...new Set(bags.flat())];
  return bags.map(bag => {
    const weights = words.map(word => {
      const tf = bag.filter(other => other === word).length;
      const df = bags.filter(other => other.includes(word)).length;
      return tf === 0 || ENGLISH_STOP_WORDS.has(word)
        ? 0
        : (1 + Math.log(tf)) * (Math.log((1 + texts.length) / (1 + df)) + 1);
    });
    const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0));
    return weights.map(weight => (length > 0 ? weight / length : 0));
  });
}

/** Generates texts about a few subjects, with words shared between them. */
function subjects(count: number, seed: number): string[] {
  const random = mulberry32(seed);
  const pick = (n: number): number => Math.floor(random() * n);
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: 8 + pick(8) }, () =>
      random() < 0.75 ? `s${i % 4}w${pick(9)}` : `common${pick(25)}`,
    ).join(' '),
  );
}

describe('symmetric eigenvalues', () => {
  const check = (matrix: Float64Array, n: number): void => {
    const { values, vectors } = finish(symmetricEigen(matrix, n));
    const scale = Math.max(1e-300, ...matrix.map(Math.abs)) * n;
    for (let j = 1; j < n; j++) assert.ok(values[j - 1]! >= values[j]!, 'descending');
    const product = slowProduct(matrix, vectors, n, n, n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        close(product[i * n + j]!, values[j]! * vectors[i * n + j]!, 1e-13 * scale, 'A v = l v');
    const unit = slowProduct(transposed(vectors, n, n), vectors, n, n, n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) close(unit[i * n + j]!, i === j ? 1 : 0, 1e-12, 'orthonormal');
  };

  test('hand-worked: (2 1; 1 2) has 3 along (1, 1) and 1 along (1, -1)', () => {
    const { values, vectors } = finish(symmetricEigen(Float64Array.of(2, 1, 1, 2), 2));
    close(values[0]!, 3, 1e-15);
    close(values[1]!, 1, 1e-15);
    close(Math.abs(vectors[0]! + vectors[2]!), Math.SQRT2, 1e-15);
    close(vectors[1]! + vectors[3]!, 0, 1e-15);
  });

  test('decomposes any symmetric matrix, including repeated and zero eigenvalues', () => {
    const entry = fc.oneof(
      fc.integer({ min: -2, max: 2 }),
      fc.double({ min: -1e3, max: 1e3, noNaN: true }),
      fc.constantFrom(0, 1e-9, 1e-40, 1e-162, 5e-324),
    );
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 9 })
          .chain(n =>
            fc.tuple(fc.constant(n), fc.array(entry, { minLength: n * n, maxLength: n * n })),
          ),
        ([n, entries]) => {
          const matrix = new Float64Array(n * n);
          for (let i = 0; i < n; i++)
            for (let j = 0; j <= i; j++)
              matrix[i * n + j] = matrix[j * n + i] = entries[i * n + j]!;
          check(matrix, n);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('decomposes large matrices: random, of rank 3, and zero', () => {
    const random = mulberry32(7);
    const y = Float64Array.from({ length: 90 * 60 }, () => random() - 0.5);
    check(finish(gram(y, 90, 60)), 60);
    check(finish(gram(y.subarray(0, 180), 3, 60)), 60);
    check(new Float64Array(400), 20);
    assert.equal(finish(symmetricEigen(new Float64Array(0), 0)).values.length, 0);
  });
});

test('dense products equal the definition, with and without WebAssembly', () => {
  const random = mulberry32(3);
  const block = (length: number): Float64Array =>
    Float64Array.from({ length }, () => random() - 0.5);
  for (const [rows, inner, columns] of [
    [1, 4, 4],
    [7, 12, 4],
    [BLOCK_ROWS, 8, 4],
    [2 * BLOCK_ROWS + 9, 20, 8],
  ] as const) {
    const [x, y, m] = [block(rows * inner), block(rows * columns), block(inner * columns)];
    const sizes = { rows, p: inner, q: columns };
    const [fast, plain] = [block(0), block(0)].map(() => new Float64Array(inner * columns).fill(1));
    addCross()(fast!, x, y, sizes);
    addCrossPlainly(plain!, x, y, sizes);
    assert.deepEqual(fast, plain, 'equal bits');
    const cross = slowProduct(transposed(x, rows, inner), y, inner, rows, columns);
    const squared = slowProduct(transposed(x, rows, inner), x, inner, rows, inner);
    for (const [received, expected] of [
      [fast!, cross.map(value => value + 1)],
      [finish(gram(x, rows, inner)), squared],
      [
        finish(multiply(x.slice(), m, { rows, inner, columns })),
        slowProduct(x, m, rows, inner, columns),
      ],
    ] as const)
      for (const [at, value] of expected.entries()) close(received[at]!, value, 1e-13 * rows);
  }
});

describe('truncated SVD', () => {
  test('hand-worked: two texts of the same word and one of another have the singular values √2 and 1', () => {
    const { values, dimensions } = svdOf(['walrus', 'walrus', 'ferry'], 10);
    assert.equal(dimensions, 2);
    close(values[0]!, Math.SQRT2, 1e-7);
    close(values[1]!, 1, 1e-7);
  });

  test('equals the exact SVD of the dense TF-IDF matrix without truncation', () => {
    const word = fc.constantFrom(
      'ferry',
      'lamp',
      'rope',
      'glass',
      'the',
      'smoke',
      'prize',
      'of',
      'boat',
      'fair',
    );
    const texts = fc.array(
      fc.array(word, { maxLength: 8 }).map(words => words.join(' ')),
      { minLength: 1, maxLength: 9 },
    );
    fc.assert(
      fc.property(texts, given => {
        const { values, dimensions } = svdOf(given, 50);
        const exact = slowSvd(denseTfIdf(given)).values.filter(value => value > 1e-5);
        assert.equal(dimensions, exact.length, 'the rank');
        for (const [j, value] of exact.entries()) close(values[j]!, value, 2e-6, `value ${j}`);
      }),
      {
        numRuns: 150,
        // A random square block lost the smallest singular value of these: as many texts as terms,
        // and more.
        examples: [
          [
            [
              'lamp ferry',
              'rope glass glass lamp',
              'glass fair',
              'ferry lamp rope lamp glass',
              'fair rope rope',
            ],
          ],
          [
            [
              ...[
                'lamp rope smoke lamp prize smoke',
                'ferry rope prize glass rope lamp',
                'lamp ferry prize ferry rope lamp',
                'ferry',
              ],
              ...[
                'prize smoke glass rope smoke',
                'rope glass rope',
                'rope smoke ferry',
                'lamp prize',
                'rope glass rope',
              ],
            ],
          ],
        ],
      },
    );
  });

  test('truncated, it spans the leading singular vectors of the exact SVD', () => {
    // One product is what large corpora get.
    for (const [seed, rounds] of [
      [1, undefined],
      [2, undefined],
      [3, 1],
      [4, 1],
    ] as const) {
      const texts = subjects(64, seed);
      const matrix = denseTfIdf(texts);
      const exact = slowSvd(matrix);
      // There are four subjects: a gap follows the fourth value, so only there is the span well
      // defined.
      assert.ok(exact.values[3]! > 1.3 * exact.values[4]!, 'a gap');
      const { values, terms, dimensions } = svdOf(texts, 4, rounds);
      assert.equal(dimensions, 4);
      for (let j = 0; j < 4; j++)
        close(
          values[j]!,
          exact.values[j]!,
          (rounds ? 1e-3 : 1e-4) * exact.values[j]!,
          `value ${j}`,
        );
      const found = Array.from({ length: 4 }, (_, j) =>
        matrix[0]!.map((__, term) => terms[term * 4 + j]!),
      );
      const angle = sineOfLargestAngle(found, exact.right.slice(0, 4));
      assert.ok(angle < (rounds ? 0.1 : 5e-3), `seed ${seed}: sine ${angle}`);
      assert.ok(
        sineOfLargestAngle(found, exact.right.slice(4, 8)) > 1,
        'only the leading vectors are near the span',
      );
    }
  });
});

describe('items and queries', () => {
  const fixture = [...FIXTURE_DOCUMENTS].sort((a, b) => (a.id < b.id ? -1 : 1));
  const texts = subjects(60, 9);

  test('the work of a fit is about what its steps yield', () => {
    const random = mulberry32(11);
    const word = (): string => `w${Math.floor(random() ** 2 * 900)}`;
    for (const [items, dimensions] of [
      [100, 8],
      [900, 16],
      [400, 64],
    ] as const) {
      const each = Array.from({ length: items }, () => Array.from({ length: 40 }, word).join(' '));
      const index = packed(itemsOf(...each));
      let yielded = 0;
      for (const work of Lsa.fit(index, dimensions)) yielded += work;
      const ratio = Lsa.work(index, dimensions) / yielded;
      assert.ok(ratio > 0.8 && ratio < 1.25, `${items} ${dimensions}: ${ratio}`);
    }
  });

  test('equal indexes give equal bytes, stored or fresh', () => {
    const index = packed(itemsOf(...texts));
    const [first, again, stored] = [
      finish(Lsa.fit(index, 8)),
      finish(Lsa.fit(index, 8)),
      finish(Lsa.fit(LexicalIndex.unpack(index).pack(), 8)),
    ];
    for (const other of [again, stored]) {
      assert.deepEqual(other.vectors, first.vectors);
      assert.deepEqual(other.fold('s1w1 common2'), first.fold('s1w1 common2'));
    }
  });

  test('a restored space folds and ranks to the bit; invalid arrays are rejected', () => {
    const index = packed(itemsOf(...texts));
    const fresh = finish(Lsa.fit(index, 8));
    const stored = Lsa.unpack(structuredClone(fresh.pack()));
    assert.deepEqual(
      [stored.dimensions, stored.singularValues, stored.vectors],
      [8, fresh.singularValues, fresh.vectors],
    );
    for (const text of ['s1w1 common2', 'the', 'nobody', ''])
      assert.deepEqual(stored.fold(text), fresh.fold(text));
    assert.deepEqual(
      finish(Lsa.fit(index, 8)).pack(),
      stored.pack(),
      'equal bytes from equal texts',
    );
    const { header, arrays } = fresh.pack();
    for (const broken of [
      { header: { ...header, format: 'multihop-lexical-1' }, arrays },
      { header: { ...header, dimensions: 7 }, arrays },
      { header, arrays: { ...arrays, idf: arrays['idf']!.slice(1) } },
      { header, arrays: { ...arrays, terms: arrays['idf']! } },
    ])
      assert.throws(() => Lsa.unpack(broken), { code: 'bad-index' });
    const empty = Lsa.unpack(fit([]).pack());
    assert.deepEqual([empty.dimensions, empty.fold('x')], [0, undefined]);
  });

  test('has at most as many dimensions as the rank: duplicates count once', () => {
    const lsa = finish(Lsa.fit(packed(fixture), 256));
    assert.equal(lsa.dimensions, fixture.length - 1);
    assert.equal(lsa.singularValues.length, lsa.dimensions);
    assert.equal(lsa.vectors.length, fixture.length * lsa.dimensions);
    assert.equal(fit(['ferry rope'], 3).dimensions, 1);
    for (const empty of [[], ['', 'the of']])
      assert.deepEqual([fit(empty).dimensions, fit(empty).fold('ferry')], [0, undefined]);
  });

  test('vectors have length 1; an item of stop words alone has a zero vector', () => {
    const lsa = fit(['ferry rope lamp', 'the of and', 'lamp smoke'], 2);
    close(cosine(row(lsa, 0), row(lsa, 0)), 1, 1e-6);
    assert.deepEqual([...row(lsa, 1)], [0, 0]);
  });

  test("a query that repeats an item's words, header fields included, gets the item's vector", () => {
    for (const dimensions of [3, 256]) {
      const lsa = finish(Lsa.fit(packed(fixture), dimensions));
      for (const [i, { title, text, metadata }] of fixture.entries()) {
        const { source, author, category, published_at } = metadata;
        const words = [
          title,
          text,
          source,
          author,
          category,
          String(published_at ?? '').slice(0, 10),
        ].filter(part => part !== undefined);
        const vector = lsa.fold(words.join(' '));
        close(cosine(vector!, row(lsa, i)), 1, 1e-5, fixture[i]!.id);
      }
    }
  });

  test('cosines equal those of TF-IDF without truncation', () => {
    const lsa = fit(texts);
    const matrix = denseTfIdf(texts);
    for (const [a, b] of [
      [0, 4],
      [0, 1],
      [17, 33],
    ] as const)
      close(
        cosine(row(lsa, a), row(lsa, b)),
        matrix[a]!.reduce((sum, weight, j) => sum + weight * matrix[b]![j]!, 0),
        1e-5,
      );
  });

  test('words with the same neighbours are near, although no text holds both', () => {
    const lsa = fit(
      [
        'car engine wheel',
        'automobile engine wheel',
        'car wheel road',
        'automobile road engine',
        'flute violin',
        'violin cello',
        'flute cello',
      ],
      2,
    );
    const query = lsa.fold('automobile')!;
    assert.ok(cosine(query, row(lsa, 0)) > 0.95, `car: ${cosine(query, row(lsa, 0))}`);
    assert.ok(Math.abs(cosine(query, row(lsa, 4))) < 0.05, `flute: ${cosine(query, row(lsa, 4))}`);
  });

  test('queries of unknown words and stop words have no vector', () => {
    const lsa = fit(texts, 8);
    for (const text of ['', 'the of a', 'zyxt qwrp', '?'])
      assert.equal(lsa.fold(text), undefined, text);
    assert.deepEqual(lsa.fold('the s1w1 zyxt'), lsa.fold('s1w1'));
  });
});
