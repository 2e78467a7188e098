/**
 * Tests that a collection in segments equals one index built at once, to the bit, after any order
 * of puts, replacements, removals and merges.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { LexicalCollection } from './collection.ts';
import { type Analysis, LexicalIndex, type LexicalItem, type SearchMode } from './lexical-index.ts';
import { mergeSegments } from './merge-segments.ts';
import { scorers } from './scorers.ts';
import { LexicalSegment } from './segment.ts';
import { SegmentView } from './segment-view.ts';

const SCORERS = [
  'bm25',
  'bm25(k1=0)',
  'bm25(b=1)',
  'bm25(k1=900, b=0.4, stop=english)',
  's1',
] as const;
const WORDS = [
  'the',
  'of',
  'apple',
  'pear',
  'Straße',
  '東京',
  'snake_case',
  '2023',
  'tech',
  'Wired',
];

type Step =
  | { readonly op: 'put'; readonly items: readonly LexicalItem[] }
  | { readonly op: 'remove'; readonly ids: readonly string[] }
  | { readonly op: 'merge'; readonly from: number; readonly count: number };

const text$ = fc
  .array(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...WORDS) }, fc.string({ maxLength: 4 })),
    { maxLength: 14 },
  )
  .map(words => words.join(' '));
const id$ = fc.integer({ min: 0, max: 30 }).map(number => `d${String(number).padStart(2, '0')}`);
const item$ = fc.record({
  id: id$,
  title: text$,
  text: text$,
  metadata: fc.record(
    { source: fc.constantFrom('Wired', 'apple'), published_at: fc.constant('2023-10-07') },
    { requiredKeys: [] },
  ),
});
const step$: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constant('put' as const),
      items: fc.uniqueArray(item$, { selector: ({ id }) => id, minLength: 1, maxLength: 6 }),
    }),
  },
  fc.record({
    op: fc.constant('remove' as const),
    ids: fc.uniqueArray(id$, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    op: fc.constant('merge' as const),
    from: fc.nat({ max: 5 }),
    count: fc.integer({ min: 2, max: 4 }),
  }),
);

const byId = (a: LexicalItem, b: LexicalItem): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Applies steps to the segments of one analysis, merging them as an engine does. */
class Segments {
  readonly analysis: Analysis;
  readonly mode: SearchMode;
  parts: { segment: LexicalSegment; items: readonly LexicalItem[]; live: Uint8Array }[] = [];

  constructor(analysis: Analysis, mode: SearchMode) {
    this.analysis = analysis;
    this.mode = mode;
  }

  apply(step: Step): void {
    if (step.op === 'merge') this.merge(step.from, step.count);
    else {
      const gone = new Set(step.op === 'put' ? step.items.map(({ id }) => id) : step.ids);
      this.parts = this.parts.map(part => ({
        ...part,
        live: part.live.map((live, item) => (gone.has(part.items[item]!.id) ? 0 : live)),
      }));
      if (step.op === 'remove') return;
      const items = [...step.items].sort(byId);
      const segment = LexicalSegment.build(items, this.analysis, this.mode);
      this.parts.push({ segment, items, live: new Uint8Array(items.length).fill(1) });
    }
  }

  collection(): LexicalCollection {
    return new LexicalCollection(
      this.analysis,
      this.parts.map(({ segment, items, live }) => ({
        view: new SegmentView(segment, live),
        idOf: item => items[item]!.id,
      })),
    );
  }

  private merge(from: number, count: number): void {
    const chosen = this.parts.slice(from, from + count);
    if (chosen.length === 0) return;
    const items = chosen
      .flatMap(({ items: texts, live }) => texts.filter((_, item) => live[item] === 1))
      .sort(byId);
    const places = new Map(items.map((item, place) => [item, place]));
    const sources = chosen.map(({ segment, items: texts, live }) => ({
      segment,
      places: Int32Array.from(texts, (item, at) => (live[at] === 1 ? places.get(item)! : -1)),
    }));
    this.parts.splice(from, count, {
      segment: mergeSegments(sources, items.length),
      items,
      live: new Uint8Array(items.length).fill(1),
    });
  }
}

function modelOf(steps: readonly Step[]): LexicalItem[] {
  const items = new Map<string, LexicalItem>();
  for (const step of steps) {
    if (step.op === 'put') for (const item of step.items) items.set(item.id, item);
    if (step.op === 'remove') for (const id of step.ids) items.delete(id);
  }
  return [...items.values()].sort(byId);
}

/** Compares all outputs: hits, scores, filters and explanations. */
function assertSame(
  segments: Segments,
  items: readonly LexicalItem[],
  queries: readonly string[],
  k: number,
  scorerName: string,
): void {
  const scorer = scorers.create(scorerName);
  const whole = LexicalIndex.build(items, scorer.analysis, 'plain');
  const collection = segments.collection();
  const hitOf = (part: number, item: number, score: number): [string, number] => [
    segments.parts[part]!.items[item]!.id,
    score,
  ];
  const passes = ({ text }: LexicalItem): boolean => !text.includes('pear');
  const mask = Uint8Array.from(items, item => (passes(item) ? 1 : 0));
  const masks = segments.parts.map(({ items: texts, live }) =>
    live.map((alive, at) => (passes(texts[at]!) ? alive : 0)),
  );
  const asked = queries.flatMap(text => [{ text }, { text, allowed: mask }]);
  const askedInParts = queries.flatMap(text => [{ text }, { text, allowed: masks }]);
  const expected = whole
    .search(asked, k, scorer)
    .map(found => found.map(({ item, score }) => [items[item]!.id, score]));
  assert.deepEqual(collection.search(askedInParts, k, scorer, hitOf), expected, scorerName);
  for (const [place, item] of items.entries()) {
    const part = segments.parts.findIndex(({ items: texts, live }) =>
      texts.some(({ id }, at) => id === item.id && live[at] === 1),
    );
    const at = segments.parts[part]!.items.findIndex(({ id }) => id === item.id);
    assert.deepEqual(
      collection.explain({ text: queries[0]! }, part, at, scorer),
      whole.explain(queries[0]!, place, scorer),
    );
  }
}

describe('a collection in segments', () => {
  test('equals one index built at once, after any puts, replacements, removals and merges', () => {
    fc.assert(
      fc.property(
        fc.array(step$, { maxLength: 14 }),
        fc.array(text$, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(1, 2, 5, 40),
        fc.constantFrom('plain' as const, 'fast' as const),
        (steps, queries, k, mode) => {
          const items = modelOf(steps);
          const all = { plain: new Segments('plain', mode), s1: new Segments('s1', mode) };
          for (const step of steps) for (const each of Object.values(all)) each.apply(step);
          for (const name of SCORERS)
            assertSame(all[scorers.create(name).analysis], items, queries, k, name);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('searches with postings compiled under other statistics', () => {
    const word = (number: number): string => `w${Math.floor(1200 ** (number % 1))}`;
    let state = 1;
    const next = (): number => (state = (state * 16807) % 2147483647) / 2147483647;
    const textOf = (length: number): string =>
      Array.from({ length: 1 + Math.floor(next() * length) }, () => word(next())).join(' ');
    const itemOf = (number: number, length: number): LexicalItem => ({
      id: `d${String(number).padStart(5, '0')}`,
      title: '',
      text: textOf(length),
      metadata: {},
    });
    const segments = new Segments('plain', 'fast');
    const steps: Step[] = [];
    const step = (each: Step): void => {
      steps.push(each);
      segments.apply(each);
    };
    const queries = Array.from({ length: 12 }, () => textOf(12));
    step({ op: 'put', items: Array.from({ length: 1500 }, (_, i) => itemOf(i, 40)) });
    const check = (): void => {
      for (const name of ['bm25', 'bm25(k1=0.4, b=1)'])
        assertSame(segments, modelOf(steps), queries, 10, name);
    };
    check();
    // Longer items change the average length; other words change the document frequencies.
    for (let round = 0; round < 6; round++) {
      step({
        op: 'put',
        items: Array.from({ length: 40 }, (_, i) => itemOf(1500 + 40 * round + i, 200)),
      });
      const ids = Array.from({ length: 20 }, () => Math.floor(next() * 1500));
      step({ op: 'remove', ids: ids.map(number => `d${String(number).padStart(5, '0')}`) });
      check();
    }
    step({ op: 'merge', from: 1, count: 4 });
    check();
    step({ op: 'merge', from: 0, count: 8 });
    check();
  });
});
