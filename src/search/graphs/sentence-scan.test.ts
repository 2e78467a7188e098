/** Checks scans of a changing collection against a sort of all scores. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { finish } from '../../core/steps.ts';
import { NearestLists } from '../indexes/graph/nearest-lists.ts';
import { SentencePlaces } from './sentence-places.ts';
import { type PlacedVectors, SentenceScan } from './sentence-scan.ts';

const LENGTH = 3;

const versionOf = (rows: ReadonlyMap<string, Float32Array>, dimensions: number): PlacedVectors => ({
  vectors: { dimensions, rows },
  places: new SentencePlaces(rows.keys(), id => rows.get(id)!.length / dimensions),
});

function slowly({ vectors, places }: PlacedVectors): NearestLists {
  const { dimensions } = vectors;
  const all = places.documents.flatMap(id => {
    const values = vectors.rows.get(id)!;
    const count = values.length / dimensions;
    return Array.from({ length: count }, (_, at) => [
      ...values.subarray(at * dimensions, (at + 1) * dimensions),
    ]);
  });
  const lists = NearestLists.empty(LENGTH, all.length);
  for (const [node, vector] of all.entries())
    for (const [at, [other, score]] of all
      .map((row, other) => [other, row.reduce((sum, x, i) => sum + x * vector[i]!, 0)] as const)
      .filter(([other, score]) => other !== node && score > 0)
      .sort(([a, x], [b, y]) => y - x || a - b)
      .slice(0, LENGTH)
      .entries())
      [lists.targets[LENGTH * node + at], lists.scores[LENGTH * node + at]] = [other, score];
  return lists;
}

/** Whole numbers, so that every order of additions has one sum. */
const vectors = fc.integer({ min: -2, max: 2 });
for (const dimensions of [3, 4])
  test(`versions of ${dimensions} dimensions, with any share of them in the index`, () => {
    const row = fc.array(vectors, { minLength: dimensions, maxLength: dimensions });
    const document = fc.option(fc.array(row, { maxLength: 4 }), { freq: 4 });
    const change = fc.record({ id: fc.constantFrom(...'fedcba'), document });
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 4, maxLength: 16 }),
        fc.constantFrom(0, 2),
        fc.constantFrom(0.2, 0.6, 1),
        (changes, few, outside) => {
          const scan = new SentenceScan({ few, outside });
          let rows: ReadonlyMap<string, Float32Array> = new Map();
          for (const { id, document } of changes) {
            const next = new Map(rows);
            if (document) next.set(id, Float32Array.from(document.flat()));
            else next.delete(id);
            rows = next;
            const version = versionOf(rows, dimensions);
            const { size } = version.places;
            const every = [...Array(size).keys()];
            const expected = slowly(version);
            const filled = NearestLists.empty(LENGTH, size);
            // Once alone, once together with others.
            for (const sentence of every.slice(0, 1))
              finish(scan.fill(filled, [sentence], version));
            finish(scan.fill(filled, every.slice(1), version));
            assert.deepEqual(filled, expected);
            const halves = NearestLists.empty(LENGTH, size);
            const added = every.filter(sentence => sentence % 3 === 0);
            const others = every.filter(sentence => sentence % 3 !== 0);
            for (const sentence of others)
              for (const other of others)
                if (other !== sentence) offer(halves, sentence, other, version);
            finish(scan.join(halves, added, version));
            assert.deepEqual(halves, expected);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

function offer(lists: NearestLists, from: number, other: number, version: PlacedVectors): void {
  const { dimensions } = version.vectors;
  const [a, b] = [from, other].map(sentence => {
    const at = version.places.documentOf(sentence);
    const values = version.vectors.rows.get(version.places.documents[at]!)!;
    const place = sentence - version.places.starts[at]!;
    return [...values.subarray(place * dimensions, (place + 1) * dimensions)];
  });
  lists.offer(
    from,
    other,
    a!.reduce((sum, x, i) => sum + x * b![i]!, 0),
  );
}
