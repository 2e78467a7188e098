/** Tests Direct-R at equal K against worked values and a slow oracle, and the TreeHop report. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Ratio } from '../../src/evaluation/example.ts';
import { strategies } from '../../src/strategies/strategies.ts';
import { ALL_KEPT, type Columns, compare, difference, drawResamples } from '../results/equal-k.ts';
import { groupsOf, systemsK } from '../results/equal-k-tables.ts';
import { DEFINITIONS } from '../results/reports/settings.ts';
import {
  DEPTH,
  PRUNING_ABLATIONS,
  PUBLISHED,
  ROWS,
  UNABLATED,
} from '../results/reports/tree-hop-rows.ts';
import { linesOf, measuredOf, resultsOf, rowOf } from './measured-rows.ts';

const { micro, macro } = DEFINITIONS;
/** Each question has two gold titles. */
const found = (numerator: number): Ratio => ({ numerator, denominator: 2 });

/** `hits[q][k - 1]`: number of gold titles among the first k of Direct-R for question q. */
const direct = (hits: readonly (readonly number[])[]): Columns =>
  Object.fromEntries(
    hits[0]!.flatMap((_, index) => [
      [micro(index + 1), hits.map(of => found(of[index]!))],
      [macro(index + 1), hits.map(of => of[index]! / 2)],
    ]),
  );
const row = (hits: readonly number[]): Columns => ({
  [micro(ALL_KEPT)]: hits.map(found),
  [macro(ALL_KEPT)]: hits.map(hit => hit / 2),
});

const HITS = [
  [0, 1, 1, 1],
  [1, 1, 2, 2],
  [0, 0, 0, 1],
];

test('recall and Direct-R at average K and at the K of each question equal values worked by hand', () => {
  // TreeHop keeps 2, 4 and 1 documents: K = 7/3, a third of the way from 2 to 3. It finds 2, 2 and
  // 0 of 6.
  const { recall, directAtAverageK, overAverageK, directAtSameK, overSameK } = compare(
    micro,
    { runs: [{ row: row([2, 2, 0]), kept: [2, 4, 1] }], direct: direct(HITS) },
    drawResamples(3),
  );
  assert.equal(recall.value, 4 / 6);
  // Direct-R finds 2 of 6 at cut-off 2, 3 of 6 at cut-off 3.
  assert.ok(Math.abs(directAtAverageK.value - ((2 / 3) * (2 / 6) + (1 / 3) * (3 / 6))) < 1e-12);
  assert.ok(Math.abs(overAverageK.value - (recall.value - directAtAverageK.value)) < 1e-12);
  // Direct-R finds 1 among the first 2, 2 among the first 4, 0 among the first 1.
  assert.equal(directAtSameK.value, 3 / 6);
  assert.ok(Math.abs(overSameK.value - 1 / 6) < 1e-12);
  assert.ok(overSameK.low <= overSameK.value && overSameK.value <= overSameK.high);
});

test('no kept document compares with none; more documents than Direct-R ranks are refused', () => {
  const nothing = compare(
    micro,
    { runs: [{ row: row([0, 0, 0]), kept: [0, 0, 0] }], direct: direct(HITS) },
    drawResamples(3),
  );
  assert.deepEqual([nothing.directAtSameK.value, nothing.directAtAverageK.value], [0, 0]);
  assert.throws(
    () =>
      compare(
        micro,
        { runs: [{ row: row([0, 0, 0]), kept: [1, 1, 5] }], direct: direct(HITS) },
        drawResamples(3),
      ),
    (error: Error) => error instanceof RangeError && error.message.includes('TitleRecall@5(micro)'),
  );
});

test('a subset of questions: the others count neither in recall nor in K', () => {
  const only = new Set([0, 2]);
  const { recall, directAtAverageK, directAtSameK } = compare(
    micro,
    { runs: [{ row: row([2, 2, 0]), kept: [2, 4, 1] }], direct: direct(HITS), only },
    drawResamples(3),
  );
  assert.equal(recall.value, 2 / 4);
  // K = 1.5: Direct-R finds 0 of 4 at cut-off 1, 1 of 4 at cut-off 2.
  assert.equal(directAtAverageK.value, 1 / 8);
  assert.equal(directAtSameK.value, 1 / 4);
});

test('Direct-R has no gain over itself; other gains equal the paired mean of a slow oracle', () => {
  const hit = fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)).map(values => [...values].sort());
  const question = fc.record({ hits: hit, kept: fc.integer({ min: 1, max: 3 }), kind: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(question, { minLength: 1, maxLength: 12 }), questions => {
      const drawn = drawResamples(questions.length, { resamples: 50 });
      const of = direct(questions.map(({ hits }) => hits));
      const kept = questions.map(question => question.kept);
      const same = row(questions.map(({ hits, kept: k }) => hits[k - 1]!));
      const { overSameK } = compare(macro, { runs: [{ row: same, kept }], direct: of }, drawn);
      assert.deepEqual([overSameK.value, overSameK.low, overSameK.high], [0, 0, 0]);
      const other = compare(
        macro,
        { runs: [{ row: row(questions.map(({ kind }) => kind)), kept }], direct: of },
        drawn,
      );
      const gains = questions.map(({ hits, kept: k, kind }) => kind / 2 - hits[k - 1]! / 2);
      assert.ok(
        Math.abs(
          other.overSameK.value - gains.reduce((sum, gain) => sum + gain, 0) / gains.length,
        ) < 1e-12,
      );
    }),
    { numRuns: 50 },
  );
});

test('the gain at the average K is paired with the control at the average K', () => {
  // All questions are equal: two documents find one of two in every resample; with cut-offs of 1 or
  // 3 documents the result depends on the sample.
  const alike = [0, 0, 0, 0].map(() => [0, 1, 2]);
  const { overAverageK, overSameK } = compare(
    micro,
    { runs: [{ row: row([2, 2, 2, 2]), kept: [1, 3, 1, 3] }], direct: direct(alike) },
    drawResamples(4),
  );
  assert.deepEqual([overAverageK.value, overAverageK.low, overAverageK.high], [0.5, 0.5, 0.5]);
  assert.ok(overSameK.low < 0.5 && overSameK.high > 0.5);
});

test('several runs count by the mean of each question, each beside Direct-R at its own K', () => {
  const { averageK, recall, directAtSameK, overSameK } = compare(
    micro,
    {
      runs: [
        { row: row([2, 2, 0]), kept: [2, 4, 1] },
        { row: row([0, 2, 1]), kept: [1, 3, 4] },
      ],
      direct: direct(HITS),
    },
    drawResamples(3),
  );
  assert.equal(averageK, 15 / 6);
  // 4 and 3 of 6 are found. Direct-R finds 1 + 2 + 0 and 0 + 2 + 1.
  assert.ok(Math.abs(recall.value - 3.5 / 6) < 1e-12);
  assert.equal(directAtSameK.value, 3 / 6);
  assert.ok(Math.abs(overSameK.value - 0.5 / 6) < 1e-12);
});

test('a line of a system is the mean of its runs, with the gain of each; lines not evaluated are left out', async () => {
  const of = (label: string, hits: readonly number[]) =>
    rowOf(label, {}, { scores: { ...row(hits), Documents: [2, 2, 2] } });
  const deep = measuredOf('deep', [rowOf('direct', {}, { scores: direct(HITS) })]);
  const results = resultsOf(deep, measuredOf('rows', [of('a', [2, 2, 0]), of('b', [1, 1, 1])]));
  const runs = (...labels: string[]) => labels.map(label => ['rows', label] as const);
  const [, both, one, ...more] = linesOf(
    await systemsK('trained', 'deep', micro, [
      { says: 'both', runs: runs('a', 'b'), paper: '61.6' },
      { says: 'one', runs: runs('b'), paper: '–' },
      { says: 'none', runs: [['missing', 'a']], paper: '–' },
    ])(results),
  ).map(line => line.split(' | '));
  // Direct-R finds 1 + 1 + 0 of 6 among the first two.
  assert.deepEqual([both![0], both!.at(-2), both!.at(-1)], ['| both', '+33.3, +16.7', '61.6 |']);
  assert.match(both![2]!, /^58\.3 /);
  assert.match(one![6]!, /^\+16\.7 /);
  assert.deepEqual(more, []);
});

test('the difference of two rows is that of their found documents', () => {
  const { value, low, high } = difference(micro, row([2, 2, 0]), row([1, 2, 0]), drawResamples(3));
  assert.ok(Math.abs(value - 1 / 6) < 1e-12);
  assert.ok(low <= value && value <= high);
});

test('groups are numbers of hops, and all types but comparisons; a single type is no group', () => {
  const sizes = (types: string[]): [string, number[]][] =>
    groupsOf(types).map(([group, questions]) => [group, [...questions]]);
  assert.deepEqual(sizes(['2hop', '3hop1', '2hop', '3hop2']), [
    ['2hop', [0, 2]],
    ['3hop', [1, 3]],
  ]);
  assert.deepEqual(sizes(['comparison', 'inference', 'compositional']), [
    ['comparison', [0]],
    ['compositional', [2]],
    ['inference', [1]],
    ['all but comparison', [1, 2]],
  ]);
  assert.deepEqual(sizes(['inference', 'inference']), []);
});

const all = [...ROWS, ...PRUNING_ABLATIONS.map(({ strategy }) => strategy)];

test('every row is a strategy within the depth of Direct-R; figures of the paper name rows', () => {
  for (const name of all) {
    assert.doesNotThrow(() => strategies.create(name), name);
    const [k, hops] = [Number(/k=(\d+)/.exec(name)![1]), Number(/hops=(\d+)/.exec(name)![1])];
    assert.ok(
      name.includes('pruning=off') ? hops === 2 && k + k * k <= DEPTH : hops * k <= DEPTH,
      name,
    );
  }
  assert.ok(ROWS.includes(UNABLATED));
  for (const { rows } of Object.values(PUBLISHED))
    assert.deepEqual(
      Object.keys(rows).filter(name => !ROWS.includes(name)),
      [],
    );
  assert.deepEqual(PUBLISHED['2wiki'].rows[UNABLATED], [61.6, 8.6]);
});
