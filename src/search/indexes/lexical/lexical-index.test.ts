/** Tests the lexical index against its oracle, its laws, and hostile input. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { best, bm25Oracle, s1Oracle } from '../../../../test/oracles/lexical-oracle.ts';
import { readByNeed } from '../../../../test/oracles/read-by-need.ts';
import { LexicalIndex, type LexicalItem } from './lexical-index.ts';
import { scorers } from './scorers.ts';

const bm25 = scorers.create('bm25');
const s1 = scorers.create('s1');

const words = [
  'the',
  'of',
  'apple',
  'Apple',
  'x',
  'Straße',
  'ΟΔΟΣ',
  'naïve',
  'naive',
  '東京',
  '𝒳𝒴',
  'snake_case',
  '2023',
  '10',
  '07',
  'Wired',
  'İstanbul',
  '\ud800',
  "o'clock",
  'tech',
  'parseRequest',
  'parse-request',
  'parse',
  'request',
  'C++',
  'c',
  '40bar',
  '40',
  'bar',
  '.env',
  'a@b.example/x_y',
];
const words$ = fc.constantFrom(...words);
const text$ = fc
  .array(fc.oneof({ weight: 8, arbitrary: words$ }, fc.string({ unit: 'binary', maxLength: 6 })), {
    maxLength: 25,
  })
  .map(parts => parts.join(' '));
const metadata$ = fc.record(
  {
    source: fc.constantFrom('Wired', 'The Verge', 'apple', ''),
    author: words$,
    category: fc.constantFrom('tech', 'of'),
    published_at: fc.constantFrom('2023-10-07T08:00:00+00:00', '2023-10-08', 'soon'),
  },
  { requiredKeys: [] },
);
const items$ = fc
  .array(fc.record({ title: text$, text: text$, metadata: metadata$ }), { maxLength: 24 })
  .map(list =>
    list.map((item, i): LexicalItem => ({ id: `d${String(i).padStart(3, '0')}`, ...item })),
  );
const query$ = fc.oneof(
  text$,
  fc.constantFrom('', 'Was it Wired on 2023-10-07 in tech?', 'unseenword', 'the the apple'),
);
const allowed$ = fc.option(fc.array(fc.constantFrom(0, 1), { minLength: 24, maxLength: 24 }), {
  nil: undefined,
});

function itemsOf(texts: readonly string[]): LexicalItem[] {
  return texts.map((text, i) => ({
    id: String(i).padStart(6, '0'),
    title: '',
    text,
    metadata: {},
  }));
}

describe('against the oracle', () => {
  test('bm25 returns equal items and float64 scores, including filters, ties and parameters', () => {
    const parameters$ = fc.record({
      k1: fc.constantFrom(0, 0.9, 1.5, 40),
      b: fc.constantFrom(0, 0.4, 0.75, 1),
      stop: fc.constantFrom('none' as const, 'english' as const),
    });
    fc.assert(
      fc.property(
        items$,
        query$,
        fc.nat({ max: 30 }),
        allowed$,
        parameters$,
        fc.boolean(),
        (items, text, k, flags, { k1, b, stop }, typed) => {
          const allowed = flags && Uint8Array.from(flags.slice(0, items.length));
          const scorer = scorers.create(`bm25(k1=${k1}, b=${b}, stop=${stop})`);
          const expected = best(bm25Oracle(items, k1, b, stop)(text, typed), k, allowed);
          for (const mode of ['plain', 'fast'] as const) {
            const index = LexicalIndex.build(items, 'plain', mode);
            const query = allowed ? { text, typed, allowed } : { text, typed };
            assert.deepEqual(index.search([query], k, scorer), [expected], mode);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test('s1 returns equal items and float64 scores, including boosts and stop words', () => {
    fc.assert(
      fc.property(items$, query$, fc.nat({ max: 30 }), allowed$, (items, query, k, flags) => {
        const allowed = flags && Uint8Array.from(flags.slice(0, items.length));
        const expected = best(s1Oracle(items)(query), k, allowed);
        for (const mode of ['plain', 'fast'] as const) {
          const index = LexicalIndex.build(items, 's1', mode);
          assert.deepEqual(
            index.search([allowed ? { text: query, allowed } : { text: query }], k, s1),
            [expected],
            mode,
          );
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('identifiers', () => {
  const unit = fc.constantFrom(...'aBc1 -_.+#/@,(é', '’', '\u2011', ' parse', 'Request', '...');
  const written$ = fc.array(fc.string({ unit, maxLength: 20 }), { minLength: 1, maxLength: 12 });

  test('both readers find the same ones', () => {
    fc.assert(
      fc.property(written$, texts => {
        const [plain, fast] = (['plain', 'fast'] as const).map(mode =>
          LexicalIndex.build(itemsOf(texts), 'plain', mode).pack(),
        );
        assert.deepEqual(fast, plain);
      }),
      { numRuns: 1000 },
    );
  });

  test('texts with the exact form stand strictly before those with its parts, and all are found', () => {
    const names = [
      ...['C++', 'C#', '.env', 'Vue.js', '2.10', 'E_NO_ROOM', '--dry-run', 'readFile'],
      ...['read_file', 'FTPServer', '12volt', 'x@y.example', '/etc/motd', 'a::b', '@scope/name'],
    ];
    const parts = names.flatMap(name => name.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g)!);
    const filler = ['a', 'the', 'tarn', 'quay', 'c', 'env', ...parts, ...parts];
    const text$ = fc
      .array(fc.constantFrom(...filler, ...names), { minLength: 1, maxLength: 40 })
      .map(words => words.join(' , '));
    fc.assert(
      fc.property(fc.array(text$, { minLength: 2, maxLength: 20 }), fc.nat(), (texts, at) => {
        const name = names[at % names.length]!;
        const index = LexicalIndex.build(itemsOf(texts), 'plain');
        const [hits] = index.search([{ text: name, typed: true }], 100, bm25);
        const holds = ({ item }: { readonly item: number }): boolean =>
          texts[item]!.split(' , ').includes(name);
        const exact = hits!.filter(holds);
        assert.equal(exact.length, texts.filter(text => text.split(' , ').includes(name)).length);
        const rest = hits!.filter(hit => !holds(hit));
        const least = Math.min(...exact.map(({ score }) => score));
        for (const { score } of rest) assert.ok(score < least, name);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('words with accents', () => {
  const texts = ['the brontë house', 'the bronte house', 'a lake at hull', 'the house of łódź'];
  const cases: readonly (readonly [query: string, found: readonly number[]])[] = [
    ['bronte', [1, 0]],
    ['Brontë', [0, 1]],
    ['lodz', [3]],
    ['LÓDŹ', []],
    ['house bronte', [1, 0, 3]],
    ['house Brontë', [0, 1, 3]],
  ];
  for (const [text, found] of cases)
    test(`${text} finds the spelling of the query first`, () => {
      const index = LexicalIndex.build(itemsOf(texts), 'plain');
      const [hits] = index.search([{ text, typed: true }], 100, bm25);
      assert.deepEqual(
        hits!.map(({ item }) => item),
        found,
      );
      assert.equal(new Set(hits!.map(({ score }) => score)).size, found.length);
      const [prose] = index.search([{ text }], 100, bm25);
      assert.ok(prose!.length <= found.length);
    });
});

describe('laws', () => {
  test('k results are a prefix of k + 1; repeated and batched queries return equal results', () => {
    fc.assert(
      fc.property(
        items$,
        fc.array(query$, { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 12 }),
        (items, queries, k) => {
          for (const scorer of [bm25, s1]) {
            const index = LexicalIndex.build(items, scorer.analysis);
            const asked = queries.map(text => ({ text }));
            const together = index.search(asked, k, scorer);
            assert.deepEqual(together, index.search(asked, k, scorer));
            const longer = index.search(asked, k + 1, scorer);
            assert.deepEqual(
              together,
              longer.map(found => found.slice(0, k)),
            );
            assert.deepEqual(
              together,
              asked.map(query => index.search([query], k, scorer)[0]),
            );
          }
        },
      ),
    );
  });

  test('explain returns the score of search to the bit, and its parts sum to it', () => {
    fc.assert(
      fc.property(items$, query$, (items, query) => {
        for (const scorer of [bm25, s1]) {
          const index = LexicalIndex.build(items, scorer.analysis);
          const scores = new Map(
            index
              .search([{ text: query }], items.length, scorer)[0]!
              .map(({ item, score }) => [item, score]),
          );
          for (let item = 0; item < items.length; item++) {
            const { value, parts } = index.explain(query, item, scorer);
            assert.equal(value, scores.get(item) ?? 0);
            assert.equal(
              parts!.reduce((sum, part) => sum + part.value, 0),
              value,
            );
          }
        }
      }),
    );
  });

  test('a packed index searches like the built one, also with a header from JSON', () => {
    fc.assert(
      fc.property(items$, query$, (items, query) => {
        for (const scorer of [bm25, s1]) {
          const index = LexicalIndex.build(items, scorer.analysis);
          const { header, arrays } = index.pack();
          const loaded = LexicalIndex.unpack({
            header: JSON.parse(JSON.stringify(header)),
            arrays,
          });
          assert.equal(loaded.bytes, index.bytes);
          const read = LexicalIndex.unpack(readByNeed({ header, arrays }));
          const found = index.search([{ text: query }], 10, scorer);
          for (const other of [loaded, read])
            assert.deepEqual(other.search([{ text: query }], 10, scorer), found);
          for (const { item } of found[0]!)
            assert.deepEqual(read.explain(query, item, scorer), index.explain(query, item, scorer));
        }
      }),
    );
  });
});

test('bm25 of a hand-worked corpus', () => {
  // N = 2, df(cat) = 1, idf = ln(1 + 1.5 / 1.5) = ln 2; lengths 1 and 3, average 2; tf 1, k1 1.5, b
  // 0.75:
  // ln 2 * 1 * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 1 / 2)) = ln 2 * 2.5 / 1.9375
  const index = LexicalIndex.build(itemsOf(['cat', 'dog dog bird']), 'plain');
  const [found] = index.search([{ text: 'Cat?' }], 10, bm25);
  assert.equal(found!.length, 1);
  assert.ok(Math.abs(found![0]!.score - (Math.LN2 * 2.5) / 1.9375) < 1e-15);
});

test('s1 finds items by a boost alone; a missing fact boosts nothing', () => {
  const items: LexicalItem[] = [
    { id: 'a', title: '', text: 'nothing shared', metadata: { source: 'ed' } },
    { id: 'b', title: '', text: 'nothing else', metadata: {} },
  ];
  assert.deepEqual(LexicalIndex.build(items, 's1').search([{ text: 'Wired?' }], 5, s1), [
    [{ item: 0, score: 0.12 }],
  ]);
});

describe('hostile input', () => {
  test('an empty corpus, empty texts and unknown terms return no hits', () => {
    for (const scorer of [bm25, s1]) {
      for (const items of [[], itemsOf(['']), itemsOf(['', '?!', '\ud800'])]) {
        const index = LexicalIndex.build(items, scorer.analysis);
        assert.deepEqual(
          index.search([{ text: 'anything' }, { text: '' }, { text: '\udfff' }], 10, scorer),
          [[], [], []],
        );
        assert.deepEqual(LexicalIndex.unpack(index.pack()).search([{ text: 'x' }], 10, scorer), [
          [],
        ]);
      }
    }
  });

  test('a term repeated 70,000 times, a token of a million letters, a query of a megabyte', () => {
    const items = itemsOf([
      `${'echo '.repeat(70_000)}`,
      `${'echo '.repeat(255)}end`,
      `${'echo '.repeat(254)}end`,
      'z'.repeat(1_000_000),
      'plain words',
    ]);
    const long = `${'echo end words '.repeat(70_000)}${'z'.repeat(1_000_000)}`;
    for (const [scorer, oracle] of [
      [bm25, bm25Oracle(items)],
      [s1, s1Oracle(items)],
    ] as const) {
      const index = LexicalIndex.build(items, scorer.analysis);
      for (const query of ['echo end', long, 'z'.repeat(1_000_000), 'z'.repeat(999_999)]) {
        assert.deepEqual(index.search([{ text: query }], 10, scorer), [best(oracle(query), 10)]);
      }
    }
  });

  test('invalid input is rejected by name', () => {
    const index = LexicalIndex.build(itemsOf(['a', 'b']), 'plain');
    assert.throws(() => LexicalIndex.build([...itemsOf(['a', 'b'])].reverse(), 'plain'), {
      code: 'unsorted-items',
    });
    assert.throws(() => LexicalIndex.build([...itemsOf(['a']), ...itemsOf(['b'])], 'plain'), {
      code: 'unsorted-items',
    });
    for (const k of [-1, 1.5, NaN])
      assert.throws(() => index.search([{ text: 'a' }], k, bm25), { code: 'bad-k' });
    assert.throws(() => index.search([{ text: 'a' }], 1, s1), { code: 'wrong-analysis' });
    assert.throws(() => index.search([{ text: 'a', allowed: new Uint8Array(1) }], 1, bm25), {
      code: 'bad-filter-length',
    });
    assert.throws(() => index.explain('a', 2, bm25), { code: 'unknown-item' });
    const { header, arrays } = index.pack();
    assert.throws(() => LexicalIndex.unpack({ header: { ...header, format: 'other' }, arrays }), {
      code: 'bad-index',
    });
    assert.throws(
      () => LexicalIndex.unpack({ header, arrays: { ...arrays, items: new Uint16Array(1) } }),
      { code: 'bad-index' },
    );
    assert.throws(
      () => LexicalIndex.unpack({ header, arrays: { ...arrays, lengths: new Uint8Array(2) } }),
      { code: 'bad-index' },
    );
  });
});

test('canonical names of scorers', () => {
  assert.equal(scorers.canonical('bm25(k1=1.5)'), 'bm25');
  assert.equal(scorers.canonical('bm25(stop=english, k1=0.9)'), 'bm25(k1=0.9, stop=english)');
  assert.equal(scorers.canonical('s1'), 's1');
});
