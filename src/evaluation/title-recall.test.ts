/**
 * Recall by title and by paragraph on hand-worked cases, as TreeHop defines them (arXiv
 * 2504.20114).
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Trace } from '../core/trace/trace.ts';
import { emptyTrace } from './empty-trace.ts';
import type { Example, Records } from './example.ts';
import { measure } from './measures.ts';
import { valueOfScores } from './value-of-scores.ts';

const TITLES: Readonly<Record<string, string>> = {
  a1: 'A',
  a2: 'A',
  a3: 'A',
  b1: 'B',
  c1: 'C',
  u1: '',
  u2: '',
};
const records: Records = { text: () => '', title: id => TITLES[id] ?? '' };
const asked = (id: string, ...gold: string[]): Example => ({
  id,
  question: { id, text: id },
  answers: ['yes'],
  gold: gold.map(documentId => ({ documentId, title: TITLES[documentId]! })),
});
const row = { strategy: 's', retriever: 'r', context: 'c', reader: 'r', budget: {} };
const traceOf = (ranking: readonly string[]): Trace => ({
  ...emptyTrace({ id: 'q', text: 'q' }, row),
  ranking,
});
const score = (name: string, example: Example, ranking: string[]) =>
  measure(name).score(example, traceOf(ranking), records);

describe('two gold paragraphs of one title, and a third of another', () => {
  // Gold titles A (twice) and B: two distinct titles, three paragraphs.
  const example = asked('q', 'a1', 'a2', 'b1');
  const cases: readonly (readonly [
    ranking: string[],
    k: number,
    titles: number,
    paragraphs: number,
  ])[] = [
    [['a1', 'c1'], 2, 1, 1],
    [['a3', 'c1'], 2, 1, 0], // another paragraph of the title: found by title, not by paragraph
    [['a1', 'a2'], 2, 1, 2], // a title is found once
    [['c1', 'b1', 'a2'], 2, 1, 1], // a2 lies below the cut
    [['c1', 'b1', 'a2'], 3, 2, 2],
    [['b1', 'a1'], 10, 2, 2], // the ranking is shorter than k
    [[], 10, 0, 0],
  ];
  for (const [ranking, k, titles, paragraphs] of cases)
    test(`[${ranking.join(', ')}] @${k}: ${titles} of 2 titles, ${paragraphs} of 3 paragraphs`, () => {
      assert.deepEqual(score(`TitleRecall@${k}(micro)`, example, ranking), {
        numerator: titles,
        denominator: 2,
      });
      assert.equal(score(`TitleRecall@${k}(macro)`, example, ranking), titles / 2);
      assert.deepEqual(score(`ParagraphRecall@${k}`, example, ranking), {
        numerator: paragraphs,
        denominator: 3,
      });
    });

  test('titles are compared raw: case counts', () => {
    const lower: Records = { text: () => '', title: () => 'a' };
    assert.equal(measure('TitleRecall@5(macro)').score(example, traceOf(['a1']), lower), 0);
  });
});

test('a question of four titles weighs twice as much as one of two when pooled, and the same when averaged', () => {
  const example = asked('1', 'a1', 'b1');
  const two: Example = {
    ...asked('2', 'a1', 'b1', 'c1'),
    gold: ['a1', 'b1', 'c1', 'x'].map(id => ({ documentId: id, title: TITLES[id] ?? 'X' })),
  };
  const value = (averaging: string): number => {
    const name = `TitleRecall@5(${averaging})`;
    return valueOfScores(measure(name), [
      score(name, example, ['a1', 'b1'])!,
      score(name, two, ['a1'])!,
    ])!.value;
  };
  assert.equal(value('micro'), (2 + 1) / (2 + 4));
  assert.equal(value('macro'), (2 / 2 + 1 / 4) / 2);
});

test('two facts of one paragraph are one gold paragraph and one gold title', () => {
  const example = asked('q', 'a1', 'a1', 'b1');
  assert.deepEqual(score('ParagraphRecall@5', example, ['a1']), { numerator: 1, denominator: 2 });
  assert.deepEqual(score('TitleRecall@5(micro)', example, ['a1']), {
    numerator: 1,
    denominator: 2,
  });
});

test('documents without a title are distinct by their ids', () => {
  assert.equal(score('TitleRecall@5(macro)', asked('q', 'u1'), ['u2', 'c1']), 0);
  assert.equal(score('TitleRecall@5(macro)', asked('q', 'u1'), ['u1']), 1);
  assert.deepEqual(score('TitleRecall@5(micro)', asked('q', 'u1', 'u2'), ['u1']), {
    numerator: 1,
    denominator: 2,
  });
});

test('a question without gold has no value', () => {
  for (const name of ['TitleRecall@5(micro)', 'TitleRecall@5(macro)', 'ParagraphRecall@5'])
    assert.equal(score(name, asked('q'), ['a1']), undefined, name);
});
