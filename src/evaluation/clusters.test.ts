import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { mulberry32 } from '../core/mulberry32.ts';
import { resampledValues, type Series } from './bootstrap.ts';
import { clusterResamples, clustersOf } from './clusters.ts';
import type { Example, Measure } from './example.ts';
import { measure } from './measures.ts';
import { drawClusterResamples } from './resamples.ts';
import { valueOfScores } from './value-of-scores.ts';

const about = (id: number, ...documents: readonly string[]): Example => ({
  id: `q${id}`,
  question: { id: `q${id}`, text: '?' },
  answers: ['Yes'],
  gold: documents.map(documentId => ({ documentId, title: '' })),
});

test('a question joins the gold article that most questions share', () => {
  const examples = [
    about(0, 'a', 'b'),
    about(1, 'b', 'c'),
    about(2),
    about(3, 'c', 'b'),
    about(4, 'd'),
    about(5),
  ];
  assert.deepEqual([...clustersOf(examples)], [0, 0, 1, 0, 2, 3]);
});

test('questions that share no article have no intervals of clusters', () => {
  assert.equal(clusterResamples([about(0, 'a'), about(1, 'b'), about(2)]), undefined);
  assert.equal(clusterResamples([]), undefined);
  assert.notEqual(clusterResamples([about(0, 'a'), about(1, 'a')]), undefined);
});

/** Slow and obvious: draw clusters, copy the scores of their questions, combine. */
function naive(
  { measure: counted, scores }: Series,
  clusters: Int32Array,
  resamples: number,
): number[] {
  const random = mulberry32(5);
  const members = Map.groupBy(clusters.keys(), index => clusters[index]!);
  return Array.from({ length: resamples }, () => {
    const drawn = Array.from(members, () => members.get(Math.floor(random() * members.size))!);
    return (
      valueOfScores(
        counted,
        drawn.flat().map(index => scores[index]),
      )?.value ?? Number.NaN
    );
  });
}

const plain: Measure = { name: 'Plain', summary: '', score: () => 0 };

test('the bootstrap of clusters agrees with the slow one, for every way of combining', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          document: fc.integer({ min: 0, max: 6 }),
          score: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
        }),
        { minLength: 1, maxLength: 30 },
      ),
      drawn => {
        const clusters = clustersOf(drawn.map(({ document }, id) => about(id, `d${document}`)));
        const scores = drawn.map(({ score }) => score);
        const all: Series[] = [
          { measure: plain, scores },
          { measure: measure('Milliseconds(p95)'), scores },
          { measure: measure('Milliseconds(p50)'), scores: scores.map(score => score ?? 0) },
          {
            measure: plain,
            scores: scores.map(score => ({ numerator: score ?? 0, denominator: 5 })),
          },
        ];
        const fast = resampledValues(
          drawClusterResamples(clusters, { resamples: 20, seed: 5 }),
          all,
        );
        for (const [index, series] of all.entries())
          for (const [b, value] of naive(series, clusters, 20).entries()) {
            const found = fast[index]![b]!;
            assert.ok(
              (Number.isNaN(value) && Number.isNaN(found)) || Math.abs(value - found) < 1e-9,
              `${series.measure.name}: ${found}, not ${value}`,
            );
          }
      },
    ),
    { numRuns: 60 },
  );
});
