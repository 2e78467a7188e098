/**
 * Tests the WebAssembly paths against the plain ones and the oracle in cases that stress their
 * differences: many items, ties, columns, limits.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import createWabt from 'wabt';
import { best, bm25Oracle } from '../../../../test/oracles/lexical-oracle.ts';
import { itemsOf, numbers, zipfTexts } from '../../../../test/oracles/lexical-texts.ts';
import { LexicalCollection } from './collection.ts';
import { CompiledSearch } from './compiled-search.ts';
import { searchExhaustively } from './exhaustive.ts';
import { KERNEL_BASE64 } from './kernel.wasm.ts';
import { LexicalIndex, type LexicalItem } from './lexical-index.ts';
import { READER_BASE64 } from './reader.wasm.ts';
import type { Scorer, Weighing } from './scorer.ts';
import { scorers } from './scorers.ts';
import { SegmentView } from './segment-view.ts';

function assertModesAgree(
  items: readonly LexicalItem[],
  queries: readonly { text: string; typed?: boolean; allowed?: Uint8Array }[],
  k: number,
  name = 'bm25',
): void {
  const [plain, fast] = (['plain', 'fast'] as const).map(mode =>
    LexicalIndex.build(items, 'plain', mode),
  );
  assert.deepEqual(
    fast!.search(queries, k, scorers.create(name)),
    plain!.search(queries, k, scorers.create(name)),
  );
}

test('frequent terms are compiled when they are searched again; the results stay the same', () => {
  const items = itemsOf(zipfTexts(9000, 4000, 60, numbers(11)));
  const [plain, auto] = (['plain', 'auto'] as const).map(mode =>
    LexicalIndex.build(items, 'plain', mode),
  );
  const bm25 = scorers.create('bm25');
  let computed = 0;
  const counted: Scorer = {
    ...bm25,
    prepare(collection) {
      const weighing = bm25.prepare(collection);
      const contribution: Weighing['contribution'] = (...terms) => {
        computed++;
        return weighing.contribution(...terms);
      };
      return { ...weighing, contribution };
    },
  };
  const sizes = [auto!.bytes];
  const each: number[] = [];
  for (let search = 0; search < 100; search++) {
    const queries = [{ text: `w0 w1 w2 w${search % 50}` }];
    computed = 0;
    const found = auto!.search(queries, 5, counted);
    each.push(computed);
    sizes.push(auto!.bytes);
    assert.deepEqual(found, plain!.search(queries, 5, bm25));
  }
  assert.equal(sizes[1], sizes[0], 'compiled at the first search');
  assert.ok(sizes[2]! > sizes[1]!, 'not compiled at the second search');
  assert.ok(sizes[5]! > sizes[4]!, 'a new term with few of the postings waits for a search');
  const most = Math.max(...each);
  assert.ok(most <= 5 * items.length, `${most} contributions in one search`);
  assert.ok(each.at(-1)! < items.length / 5, `${each.at(-1)} contributions in the last search`);
});

test('a compiled search whose memory holds few terms drops those of before', () => {
  const { segment } = LexicalIndex.build(itemsOf(zipfTexts(2000, 400, 30, numbers(13))), 'plain');
  const view = new SegmentView(segment);
  const index = new LexicalCollection('plain', [{ view, idOf: String }]);
  const weighing = scorers.create('bm25').prepare(index);
  const search = CompiledSearch.create(view, weighing, 1 << 14)!;
  const sizes: number[] = [];
  const next = numbers(3);
  for (let at = 0; at < 200; at++) {
    const terms = Array.from({ length: 1 + (at % 20) }, () => next(segment.inverted.terms));
    const query = {
      terms: [...new Set(terms)].map(term => {
        const idf = weighing.idf(view.frequency(term));
        return { term, weight: 1, idf, fullIdf: idf, isLow: false };
      }),
    };
    const found = search.search(view, weighing, query, 10, 0);
    sizes.push(search.bytes);
    const expected = searchExhaustively(view, weighing, { ...query, boosts: [] }, 10);
    if (found) assert.deepEqual(found, expected);
    // All of its terms do not fit.
    else assert.ok(query.terms.length > 5, `${query.terms.length} terms were refused`);
  }
  assert.ok(sizes.every(size => size <= 1 << 17));
  const dropped = sizes.filter((size, at) => size < (sizes[at - 1] ?? 0));
  assert.ok(dropped.length > 10, `dropped ${dropped.length} times`);
});

describe('compiled search', () => {
  test('equals the oracle on Zipfian collections, with columns, filters and any parameters', () => {
    const case$ = fc.record({
      seed: fc.integer({ min: 1 }),
      size: fc.integer({ min: 1, max: 400 }),
      terms: fc.integer({ min: 1, max: 40 }),
      k: fc.constantFrom(1, 3, 10, 50, 256, 300, 768, 769),
      k1: fc.constantFrom(0, 1.5, 900),
      b: fc.constantFrom(0, 0.75, 1),
      filtered: fc.boolean(),
    });
    fc.assert(
      fc.property(case$, ({ seed, size, terms, k, k1, b, filtered }) => {
        const next = numbers(seed);
        const items = itemsOf(zipfTexts(size, 300, 40, next));
        const text = zipfTexts(1, 300, terms, next)[0]!;
        const query = filtered
          ? { text, allowed: Uint8Array.from({ length: size }, () => next(2)) }
          : { text };
        const found = LexicalIndex.build(items, 'plain', 'fast').search(
          [query],
          k,
          scorers.create(`bm25(k1=${k1}, b=${b})`),
        );
        assert.deepEqual(found, [best(bm25Oracle(items, k1, b)(text), k, query.allowed)]);
      }),
      { numRuns: 150 },
    );
  });

  test('equals the plain search for typed words that are parts of identifiers in some items', () => {
    const next = numbers(17);
    const letters = (word: string): string =>
      word.replace(/\d/g, digit => 'abcdefghij'[Number(digit)]!);
    const texts = zipfTexts(600, 200, 30, next).map(text =>
      letters(text).replace(/\bw(\w+) w(\w)/g, (found, first, second) =>
        next(5) === 0 ? `w${first}W${second}` : found,
      ),
    );
    const queries = zipfTexts(40, 200, 9, next).map(text => ({ text: letters(text), typed: true }));
    const allowed = Uint8Array.from({ length: texts.length }, () => next(2));
    for (const k of [1, 300])
      assertModesAgree(
        itemsOf(texts),
        [...queries, ...queries.map(query => ({ ...query, allowed }))],
        k,
      );
    // The part lifts an item above shorter ones; it alone finds the last one.
    const items = [
      ...new Array<string>(300).fill('filler of other words'),
      ...new Array<string>(20).fill('alpha beta gamma delta kappa'),
      'alpha beta gamma delta kappa parseAlpha',
      'parseAlpha',
    ];
    for (const k of [1, 10, 22, 30])
      assertModesAgree(itemsOf(items), [{ text: 'alpha beta gamma delta kappa', typed: true }], k);
  });

  test('equals the plain search for stems of languages that some, most or all items have', () => {
    const next = numbers(19);
    const letters = (text: string): string =>
      text.replace(/\d/g, digit => 'abcdefghij'[Number(digit)]!);
    const texts = zipfTexts(600, 200, 30, next).map(letters);
    const queries = zipfTexts(40, 200, 9, next).map(text => ({ text: letters(text) }));
    for (const part of [1, 2, 40])
      for (const k of [1, 30]) {
        const items = itemsOf(texts).map((item, at) =>
          at % part > 0 ? item : { ...item, metadata: { language: at % 3 > 0 ? 'de' : 'fr' } },
        );
        assertModesAgree(items, queries, k);
      }
  });

  test('equals the plain search over more than one block', () => {
    const next = numbers(11);
    const size = 140_000;
    const items = itemsOf(zipfTexts(size, 5000, 8, next));
    const queries = zipfTexts(40, 5000, 12, next).map(text => ({ text }));
    const allowed = Uint8Array.from({ length: size }, () => (next(50) === 0 ? 1 : 0));
    const late = Uint8Array.from({ length: size }, (_, item) => (item > 131_072 ? 1 : 0));
    assertModesAgree(
      items,
      [
        ...queries,
        ...queries.map(query => ({ ...query, allowed })),
        ...queries.map(query => ({ ...query, allowed: late })),
      ],
      10,
    );
    assertModesAgree(items, queries, 200);
  });

  test('falls back beyond the limits of its kernel: too many ties, too large sums, too many candidates by terms', () => {
    const ties = itemsOf([...new Array<string>(5000).fill('same words here'), 'same', 'words']);
    assertModesAgree(
      ties,
      [{ text: 'same' }, { text: 'words here' }, { text: 'same words here nowhere' }],
      10,
    );
    const distinct = itemsOf(Array.from({ length: 300 }, (_, i) => `word${i} word${i + 1}`));
    assertModesAgree(
      distinct,
      [{ text: Array.from({ length: 300 }, (_, i) => `word${i}`).join(' ') }],
      10,
    );
    const nearTies = itemsOf(
      Array.from(
        { length: 3000 },
        (_, i) => `${Array.from({ length: 26 }, (__, w) => `common${w}`).join(' ')} ${i}`,
      ),
    );
    assertModesAgree(
      nearTies,
      [{ text: Array.from({ length: 26 }, (_, w) => `common${w}`).join(' ') }],
      10,
    );
  });

  test('keeps frequencies that do not fit into a posting', () => {
    for (const [from, to] of [
      [28, 34],
      [60, 66],
      [252, 258],
    ] as const) {
      const repeated = Array.from({ length: to - from }, (_, i) => 'echo '.repeat(from + i));
      assertModesAgree(
        itemsOf([...repeated, 'echo other']),
        [{ text: 'echo' }, { text: 'echo other' }],
        20,
      ); // with a column
      assertModesAgree(
        itemsOf([...repeated, ...new Array<string>(200).fill('other')]),
        [{ text: 'echo' }, { text: 'echo other' }],
        20,
      ); // without
    }
  });

  test('several scorers of one index do not interfere', () => {
    const next = numbers(5);
    const items = itemsOf(zipfTexts(300, 300, 40, next));
    const index = LexicalIndex.build(items, 'plain', 'fast');
    const text = zipfTexts(1, 300, 12, next)[0]!;
    for (let round = 0; round < 2; round++) {
      for (const k1 of [0.5, 1, 1.5, 2, 2.5, 3]) {
        const found = index.search([{ text }], 10, scorers.create(`bm25(k1=${k1})`));
        assert.deepEqual(found, [best(bm25Oracle(items, k1)(text), 10)]);
      }
    }
  });
});

test('the committed WebAssembly equals the compiled sources', async () => {
  const wabt = await createWabt();
  for (const [name, committed] of [
    ['kernel', KERNEL_BASE64],
    ['reader', READER_BASE64],
  ] as const) {
    const source = readFileSync(new URL(`${name}.wat`, import.meta.url), 'utf8');
    const module = wabt.parseWat(name, source, {
      simd: true,
      bulk_memory: true,
      mutable_globals: true,
    });
    assert.equal(Buffer.from(module.toBinary({}).buffer).toString('base64'), committed, name);
  }
});

test('the plain paths answer without WebAssembly', () => {
  const index = new URL('lexical-index.ts', import.meta.url).href;
  const family = new URL('scorers.ts', import.meta.url).href;
  const script = `const { LexicalIndex } = await import(${JSON.stringify(index)});
    const { scorers } = await import(${JSON.stringify(family)});
    globalThis.WebAssembly = undefined; // only now: Node needs it to read TypeScript
    const index = LexicalIndex.build([{ id: 'a', title: 'one', text: 'two', metadata: {} }], 'plain', 'fast');
    console.log(JSON.stringify(index.search([{ text: 'two' }], 3, scorers.create('bm25'))));`;
  const done = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
    { encoding: 'utf8' },
  );
  assert.equal(done.stderr, '');
  const items = [{ id: 'a', title: 'one', text: 'two', metadata: {} }];
  assert.deepEqual(JSON.parse(done.stdout), [best(bm25Oracle(items)('two'), 3)]);
});
