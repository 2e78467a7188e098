/** Checks the fit of candidates to lanes without weights, and the lane that each fits best. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { bestLanes, firstLane, laneFit, type QuestionView } from './question-view.ts';

const rows = (all: readonly (readonly number[])[]): Float64Array[] =>
  all.map(row => Float64Array.from(row));
const view = (lanes: number, candidates: number): QuestionView =>
  ({
    lanes: Array.from({ length: lanes }, (_, at) => `lane ${at}`),
    candidates: Array.from({ length: candidates }, () => ({})),
  }) as unknown as QuestionView;

describe('firstLane', () => {
  test('is the first clause, or the question without any', () => {
    assert.deepEqual(
      [1, 2, 3].map(lanes => firstLane(view(lanes, 0))),
      [0, 1, 1],
    );
  });
});

describe('laneFit', () => {
  test('counts words and vectors in full, document and source half', () => {
    const fit = laneFit({
      ...view(2, 2),
      words: rows([
        [1, 0],
        [0.25, 0],
      ]),
      vectors: rows([
        [0, 2],
        [0.5, 0],
      ]),
      documents: rows([
        [0, 0],
        [1, 3],
      ]),
      own: rows([
        [0.5, 0],
        [0, 1],
      ]),
    });
    assert.deepEqual(
      fit,
      rows([
        [1.25, 2],
        [1.25, 2],
      ]),
    );
  });
});

describe('bestLanes', () => {
  test('the earliest of equals; the whole question is none of several', () => {
    const fit = rows([
      [9, 9, 9],
      [1, 0, -2],
      [1, 2, -1],
    ]);
    assert.deepEqual([...bestLanes(view(3, 3), fit)], [1, 2, 2]);
    assert.deepEqual([...bestLanes(view(1, 3), fit.slice(0, 1))], [0, 0, 0]);
    assert.deepEqual([...bestLanes(view(2, 0), rows([[], []]))], []);
  });

  test('agree with a slow search', () => {
    const size = 5;
    const row = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: size, maxLength: size });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), all => {
        const lanes = [...bestLanes(view(all.length, size), rows(all))];
        for (const [at, lane] of lanes.entries()) {
          const scores = all.map(each => each[at]!);
          const clauses = all.length > 1 ? scores.slice(1) : scores;
          assert.equal(
            lane,
            scores.length - clauses.length + clauses.indexOf(Math.max(...clauses)),
          );
        }
      }),
    );
  });
});
