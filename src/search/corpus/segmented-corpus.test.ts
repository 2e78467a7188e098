/**
 * A corpus in segments gives what one built at once gives, to the bit: after any puts,
 * replacements, removals and merges, and to whoever holds an older version.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import type { Filter } from '../../core/corpus/filter.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { freeCall } from '../../core/trace/call.ts';
import { EmbeddedEngine } from '../embedded-engine.ts';
import { Snapshot } from '../snapshot.ts';
import { cutBy } from './items.ts';
import { type MergePolicy, nextMerge, SMALLEST, TIER_SIZE } from './merge-policy.ts';
import { SegmentedCorpus } from './segmented-corpus.ts';

const call = freeCall();
const CHUNKER = chunkers.create('tokens(size=8, overlap=2)');
const UNITS: readonly Unit[] = ['document', 'passage', 'sentence'];
const SCORERS = ['bm25', 'bm25(k1=0.5, b=1, stop=english)', 's1'];
const FILTERS: readonly Filter[] = [
  { op: 'eq', field: 'source', value: 'Post' },
  { op: 'not', filter: { op: 'range', field: 'id', from: 'd05', to: 'd15' } },
];
const QUERIES = ['the ferry left the harbour', 'Post captain rain', 'nobody'];

const words$ = fc
  .array(fc.constantFrom('the', 'ferry', 'left', 'Harbour.', 'rain', 'captain', 'Nobody', 'saw.'), {
    maxLength: 24,
  })
  .map(words => words.join(' '));
const id$ = fc.integer({ min: 0, max: 24 }).map(number => `d${String(number).padStart(2, '0')}`);
const document$: fc.Arbitrary<Document> = fc.record({
  id: id$,
  title: fc.constantFrom('', 'Rain', 'The ferry'),
  text: words$,
  metadata: fc.record(
    { source: fc.constantFrom('Post', 'Courier'), day: fc.nat({ max: 3 }) },
    { requiredKeys: [] },
  ),
});
type Step =
  | { readonly put: readonly Document[] }
  | { readonly remove: readonly string[] }
  | { readonly merge: true }
  | { readonly search: Unit };
const step$: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .uniqueArray(document$, { selector: ({ id }) => id, minLength: 1, maxLength: 5 })
      .map(put => ({ put })),
  },
  { weight: 2, arbitrary: fc.array(id$, { maxLength: 4 }).map(remove => ({ remove })) },
  { weight: 1, arbitrary: fc.constant({ merge: true as const }) },
  { weight: 1, arbitrary: fc.constantFrom(...UNITS).map(search => ({ search })) },
);
/** Merges any segments, as some policy might: by a seed. */
const next$ = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 6 }).map(numbers => {
  let turn = 0;
  return (sizes: readonly unknown[]): number[] => {
    const number = numbers[turn++ % numbers.length]!;
    return number > 1 && sizes.length > number ? [0, number - 1] : [];
  };
});
const policy$: fc.Arbitrary<MergePolicy> = fc.record({
  next: next$,
  atOnce: fc.constantFrom(0, 3, Number.POSITIVE_INFINITY),
  pace: fc.constantFrom(1e-9, 0.5, 2),
});

/** Everything that a caller can see of a snapshot. */
async function answers(snapshot: Snapshot): Promise<unknown> {
  const seen: unknown[] = [snapshot.documents, await snapshot.fields()];
  for (const field of ['source', 'day', 'missing'])
    seen.push(await snapshot.values(field, {}, call));
  const ids = snapshot.documents.map(({ id }) => id);
  seen.push(await snapshot.read('document', ids, call));
  const known = await snapshot.fields();
  const filters = known.includes('source') ? FILTERS : FILTERS.slice(1);
  for (const unit of UNITS) {
    const items = snapshot.itemsOf(unit);
    seen.push(items.items, [...items.documentOf], [...items.placeOf]);
    const queries = QUERIES.flatMap(text => [
      { text },
      ...filters.map(filter => ({ text, filter })),
    ]);
    for (const scorer of SCORERS)
      for (const k of [1, 3, 100])
        seen.push(await snapshot.search({ unit, k, scorer, queries }, call));
    for (const { id } of items.items.slice(0, 4))
      for (const scorer of SCORERS)
        seen.push(await snapshot.explain({ unit, query: QUERIES[0]!, id, scorer }, call));
    if (unit !== 'document') seen.push(await snapshot.parts(unit, ids, call));
  }
  return seen;
}

describe('a corpus in segments', () => {
  test('gives what one built at once gives, and older versions stay as they were', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step$, { minLength: 1, maxLength: 10 }),
        policy$,
        async (steps, policy) => {
          let corpus = SegmentedCorpus.of([], cutBy(CHUNKER), policy);
          const there = new Map<string, Document>();
          const held: { snapshot: Snapshot; documents: Document[] }[] = [];
          for (const step of steps) {
            if ('put' in step) {
              corpus = corpus.put(step.put);
              for (const document of step.put) there.set(document.id, document);
            } else if ('remove' in step) {
              corpus = corpus.remove(step.remove);
              for (const id of step.remove) there.delete(id);
            } else if ('merge' in step) corpus = corpus.merged();
            else {
              const request = { unit: step.search, k: 2, queries: [{ text: 'ferry' }] };
              await new Snapshot(corpus, CHUNKER).search(request, call);
            }
            const documents = [...there.values()];
            held.push({ snapshot: new Snapshot(corpus, CHUNKER), documents });
          }
          for (const { snapshot, documents } of held.slice(-4)) {
            const whole = SegmentedCorpus.of([{ documents }], cutBy(CHUNKER));
            const expected = await answers(new Snapshot(whole, CHUNKER));
            assert.deepEqual(await answers(snapshot), expected);
          }
        },
      ),
      { numRuns: 120 },
    );
  });

  test('an engine shares the segments that a put does not change', async () => {
    const documentOf = (number: number): Document => ({
      id: `d${number}`,
      title: '',
      text: `ferry ${number}`,
      metadata: {},
    });
    const engine = new EmbeddedEngine({
      documents: Array.from({ length: 3 * SMALLEST }, (_, at) => documentOf(at)),
    });
    const before = engine.current;
    await engine.put([documentOf(3 * SMALLEST)], call);
    assert.equal(engine.current.corpus.segments[0], before.corpus.segments[0]);
    await engine.remove(['d7'], call);
    const [first] = engine.current.corpus.segments;
    assert.notEqual(first, before.corpus.segments[0]);
    assert.equal(first!.segment, before.corpus.segments[0]!.segment);
    assert.equal(before.documents.length, 3 * SMALLEST);
    engine.merge();
    assert.equal(engine.current.corpus.segments.length, 1);
    assert.equal(engine.current.documents.length, 3 * SMALLEST);
  });
});

test('a merge of many documents is spread over later writes, which it follows', () => {
  const batch = (number: number): Document[] =>
    Array.from({ length: SMALLEST - 24 }, (_, at) => ({
      id: `${at % 7}-${number}-${at}`,
      title: '',
      text: `ferry ${number} of ${at}`,
      metadata: {},
    }));
  let corpus = SegmentedCorpus.of([], cutBy(CHUNKER));
  const sizes = (): number[] => corpus.segments.map(({ size }) => size).sort((a, b) => b - a);
  for (let number = 0; number < TIER_SIZE; number++) {
    corpus = corpus.put(batch(number));
    for (const { segment } of corpus.segments) segment.lexical('passage', 'plain');
  }
  assert.equal(corpus.segments.length, TIER_SIZE);
  const early = corpus.remove(['0-0-0', '1-3-1']);
  assert.equal(early.segments.length, TIER_SIZE);
  corpus = early;
  let writes = 0;
  for (; sizes()[0]! < SMALLEST && writes < TIER_SIZE; writes++)
    corpus = corpus.put(batch(8 + writes));
  assert.ok(writes >= 2 && writes <= TIER_SIZE / 2, `${writes} writes until the end of the merge`);
  assert.equal(sizes()[0], TIER_SIZE * 1000 - 2);
  assert.equal(corpus.find('0-0-0'), undefined);
  assert.equal(corpus.find('1-3-1'), undefined);
  assert.equal(corpus.size, (TIER_SIZE + writes) * 1000 - 2);
  // The merge is shared: a write onto an earlier version ends with the same documents.
  const other = early.put(batch(30));
  assert.equal(other.size, TIER_SIZE * 1000 - 2 + 1000);
  assert.deepEqual(
    other.segments.map(({ size }) => size).sort((a, b) => b - a),
    [7998, 1000],
  );
});

test('an engine counts what a map of its documents counts, however it looks ids up', async () => {
  const batch$ = fc.uniqueArray(document$, { selector: ({ id }) => id, maxLength: 8 });
  const write$ = fc.record({ put: batch$, remove: fc.uniqueArray(id$, { maxLength: 4 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(write$, { maxLength: 12 }), async writes => {
      const engine = new EmbeddedEngine({ chunker: CHUNKER });
      const there = new Map<string, Document>();
      for (const { put, remove } of writes) {
        const stored = await engine.put(put, call);
        const known = put.filter(({ id }) => there.has(id));
        const same = known.filter(
          document =>
            JSON.stringify(sorted(document)) === JSON.stringify(sorted(there.get(document.id)!)),
        );
        assert.deepEqual(stored, {
          added: put.length - known.length,
          changed: known.length - same.length,
          unchanged: same.length,
          removed: 0,
        });
        for (const document of put) there.set(document.id, document);
        const gone = remove.filter(id => there.has(id));
        await engine.remove(gone, call);
        for (const id of gone) there.delete(id);
        assert.deepEqual(
          engine.current.documents.map(({ id }) => id),
          [...there.keys()].sort(),
        );
      }
    }),
  );
});

const sorted = ({ title, text, metadata }: Document): unknown => [
  title,
  text,
  Object.entries(metadata).sort(),
];

describe('the merge policy', () => {
  const settled = (sizes: number[]): number[] => {
    for (;;) {
      const chosen = nextMerge(sizes.map(live => ({ live, removed: 0 })));
      if (chosen.length === 0) return sizes;
      const merged = chosen.reduce((sum, at) => sum + sizes[at]!, 0);
      sizes = [...sizes.filter((_, at) => !chosen.includes(at)), merged];
    }
  };

  test('keeps a logarithmic number of segments, however large the batches', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 200 }), batches => {
        let sizes: number[] = [];
        for (const batch of batches) sizes = settled([...sizes, batch]);
        const total = sizes.reduce((sum, size) => sum + size, 0);
        assert.equal(
          total,
          batches.reduce((sum, size) => sum + size, 0),
        );
        const tiers = 2 + Math.max(0, Math.log(total / SMALLEST) / Math.log(TIER_SIZE));
        assert.ok(sizes.length <= tiers * (TIER_SIZE - 1), `${sizes}`);
      }),
    );
  });

  test('copies each of n documents O(log n) times', () => {
    let [sizes, copied] = [[] as number[], 0];
    for (let put = 0; put < 20_000; put++) {
      sizes.push(1);
      for (;;) {
        const chosen = nextMerge(sizes.map(live => ({ live, removed: 0 })));
        if (chosen.length === 0) break;
        const merged = chosen.reduce((sum, at) => sum + sizes[at]!, 0);
        copied += merged;
        sizes = [...sizes.filter((_, at) => !chosen.includes(at)), merged];
      }
    }
    assert.ok(copied / 20_000 < SMALLEST + 12, `${copied / 20_000} copies`);
  });

  test('rewrites a segment of which more than half is gone', () => {
    assert.deepEqual(
      nextMerge([
        { live: 900, removed: 50 },
        { live: 100, removed: 101 },
      ]),
      [1],
    );
    assert.deepEqual(nextMerge([{ live: 900, removed: 900 }]), []);
  });
});
