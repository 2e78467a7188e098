/**
 * The table of TreeHop: the controls at equal K against worked values and a slow oracle, and the
 * rows that it runs.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Ratio } from '../src/evaluation/example.ts';
import { strategies } from '../src/strategies/strategies.ts';
import { ALL_KEPT, type Columns, compare, difference, drawResamples } from '../tools/equal-k.ts';
import { type CheckpointResult, treeHopReport } from '../tools/results-tree-hop-report.ts';
import { compared, DEFINITIONS, groupsOf, type Measured } from '../tools/tree-hop-comparisons.ts';
import {
  DEPTH,
  PRUNING_ABLATIONS,
  PUBLISHED,
  ROWS,
  TIMED,
  termAblations,
  UNABLATED,
  WARM_UP,
} from '../tools/tree-hop-rows.ts';

const { micro, macro } = DEFINITIONS;
/** Two gold titles a question. */
const found = (numerator: number): Ratio => ({ numerator, denominator: 2 });

/** `hits[q][k - 1]` of the two gold titles stand among the first k of Direct-R for question q. */
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

test('recall, Direct-R at the average K between two whole numbers, and at the K of each question, as worked by hand', () => {
  // Kept 2, 4 and 1 documents: K = 7/3, a third of the way from 2 to 3. TreeHop found 2, 2 and 0 of
  // 6.
  const { recall, directAtAverageK, overAverageK, directAtSameK, overSameK } = compare(
    micro,
    { row: row([2, 2, 0]), kept: [2, 4, 1], direct: direct(HITS) },
    drawResamples(3),
  );
  assert.equal(recall.value, 4 / 6);
  // 2 of 6 at cut-off 2, 3 of 6 at cut-off 3.
  assert.ok(Math.abs(directAtAverageK.value - ((2 / 3) * (2 / 6) + (1 / 3) * (3 / 6))) < 1e-12);
  assert.ok(Math.abs(overAverageK.value - (recall.value - directAtAverageK.value)) < 1e-12);
  // 1 among the first 2, 2 among the first 4, 0 among the first 1.
  assert.equal(directAtSameK.value, 3 / 6);
  assert.ok(Math.abs(overSameK.value - 1 / 6) < 1e-12);
  assert.ok(overSameK.low <= overSameK.value && overSameK.value <= overSameK.high);
});

test('nothing kept is compared with nothing; more than the ranking of Direct-R holds is refused', () => {
  const nothing = compare(
    micro,
    { row: row([0, 0, 0]), kept: [0, 0, 0], direct: direct(HITS) },
    drawResamples(3),
  );
  assert.deepEqual([nothing.directAtSameK.value, nothing.directAtAverageK.value], [0, 0]);
  assert.throws(
    () =>
      compare(
        micro,
        { row: row([0, 0, 0]), kept: [1, 1, 5], direct: direct(HITS) },
        drawResamples(3),
      ),
    (error: Error) => error instanceof RangeError && error.message.includes('TitleRecall@5(micro)'),
  );
});

test('some questions alone: the others count neither in recall nor in K', () => {
  const only = new Set([0, 2]);
  const { recall, directAtAverageK, directAtSameK } = compare(
    micro,
    { row: row([2, 2, 0]), kept: [2, 4, 1], direct: direct(HITS), only },
    drawResamples(3),
  );
  assert.equal(recall.value, 2 / 4);
  // K = 1.5: nothing of 4 at cut-off 1, 1 of 4 at cut-off 2.
  assert.equal(directAtAverageK.value, 1 / 8);
  assert.equal(directAtSameK.value, 1 / 4);
});

test('a row that is Direct-R itself has no gain in any resample; the gain at the same K is the paired mean, by a slow oracle', () => {
  const hit = fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)).map(values => [...values].sort());
  const question = fc.record({ hits: hit, kept: fc.integer({ min: 1, max: 3 }), kind: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(question, { minLength: 1, maxLength: 12 }), questions => {
      const drawn = drawResamples(questions.length, { resamples: 50 });
      const of = direct(questions.map(({ hits }) => hits));
      const kept = questions.map(one => one.kept);
      const same = row(questions.map(({ hits, kept: k }) => hits[k - 1]!));
      const { overSameK } = compare(macro, { row: same, kept, direct: of }, drawn);
      assert.deepEqual([overSameK.value, overSameK.low, overSameK.high], [0, 0, 0]);
      const other = compare(
        macro,
        { row: row(questions.map(({ kind }) => kind)), kept, direct: of },
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
  // All questions alike: two documents find one of two in every resample; cut at 1 or 3 documents,
  // what is drawn decides.
  const alike = [0, 0, 0, 0].map(() => [0, 1, 2]);
  const { overAverageK, overSameK } = compare(
    micro,
    { row: row([2, 2, 2, 2]), kept: [1, 3, 1, 3], direct: direct(alike) },
    drawResamples(4),
  );
  assert.deepEqual([overAverageK.value, overAverageK.low, overAverageK.high], [0.5, 0.5, 0.5]);
  assert.ok(overSameK.low < 0.5 && overSameK.high > 0.5);
});

test('two rows differ by what they found', () => {
  const { value, low, high } = difference(micro, row([2, 2, 0]), row([1, 2, 0]), drawResamples(3));
  assert.ok(Math.abs(value - 1 / 6) < 1e-12);
  assert.ok(low <= value && value <= high);
});

test('types become groups: numbers of hops, and all but comparisons; one type is no group', () => {
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

const ablations = (['full', 'no-q', 'no-c', 'no-gate'] as const).flatMap(termAblations);
const all = [...ROWS, ...[...ablations, ...PRUNING_ABLATIONS].map(({ strategy }) => strategy)];

test('every row is a strategy, none keeps more than Direct-R is deep, and what the paper printed stands by the name of a row', () => {
  for (const name of [...all, WARM_UP]) {
    assert.doesNotThrow(() => strategies.create(name), name);
    const [k, hops] = [Number(/k=(\d+)/.exec(name)![1]), Number(/hops=(\d+)/.exec(name)![1])];
    assert.ok(
      name.includes('pruning=off') ? hops === 2 && k + k * k <= DEPTH : hops * k <= DEPTH,
      name,
    );
  }
  assert.ok(
    TIMED.every(name => ROWS.includes(name)) && ROWS.includes(UNABLATED) && ROWS.includes(WARM_UP),
  );
  for (const { rows } of Object.values(PUBLISHED))
    assert.deepEqual(
      Object.keys(rows).filter(name => !ROWS.includes(name)),
      [],
    );
  assert.deepEqual(PUBLISHED['2wiki'].rows[UNABLATED], [61.6, 8.6]);
});

test('the report says where TreeHop is above Direct-R, prints the paper beside and its own gain at equal K', () => {
  const columns = (hits: number): Columns => {
    const scores = [0, 1].map(() => found(hits));
    const shares = [hits / 2, hits / 2];
    const recalls = {
      [micro(ALL_KEPT)]: scores,
      [macro(ALL_KEPT)]: shares,
      [DEFINITIONS.id(ALL_KEPT)]: scores,
    };
    return { ...recalls, Documents: [2, 2], Retrievals: [6, 6] };
  };
  const deep = Object.fromEntries(
    [1, 2].flatMap(k => [
      [micro(k), [found(1), found(1)]],
      [macro(k), [0.5, 0.5]],
      [DEFINITIONS.id(k), [found(1), found(1)]],
    ]),
  );
  const measured = (hits: number): Measured[] =>
    [...new Set(all)].map(strategy => ({ strategy, columns: columns(hits) }));
  const setting = { id: '2wikimultihopqa-open', published: '2wiki' } as const;
  const result = (hits: number) =>
    compared(
      {
        ...{
          setting,
          types: ['inference', 'compositional'],
          direct: deep,
          rows: measured(hits),
          manifest: { documents: 7 },
        },
        ablated: [
          {
            says: 'other.safetensors, trained no-q',
            variant: 'no-q',
            strategy: UNABLATED,
            columns: columns(hits),
          },
        ],
        times: [{ strategy: UNABLATED, p50: 1.234, p95: 5 }],
      },
      'no-c',
    );
  const checkpoint: CheckpointResult = {
    ...{
      file: 'main.safetensors',
      sha256: 'ab',
      parameters: 166_560,
      d: 384,
      g: 96,
      m: 96,
      nMlp: 1,
      heads: 1,
    },
    provenance: {
      ...{ encoder: 'all-MiniLM-L6-v2', variant: 'no-c' },
      trainedOn: JSON.stringify({ questions: 2520, mentions: 10_530, paragraphs: 13_997 }),
    },
  };
  const report = treeHopReport(checkpoint, [], [result(2)]);
  const line = (start: string): string =>
    report.split('\n').find(one => one.startsWith(`| ${start}`)) ?? `no line "${start}"`;
  assert.match(
    line('2wikimultihopqa-open'),
    /\| 2\.0 \| 100\.0 .*\| 50\.0 \| \+50\.0 .* \| above \| reached \|$/,
  );
  assert.match(line(UNABLATED), /\| 61\.6 \(K 8\.6\) \|$/);
  assert.match(line('no-c, as trained'), /\| 57\.5 \|$/);
  assert.match(line('other.safetensors'), /\| 54\.6 \|$/);
  // 0.022 s a question in Table 2.
  assert.ok(report.includes(`| ${UNABLATED} | 6.0 | 1.23 | 5.00 | 22 |`));
  assert.match(
    line('trained on'),
    /\| 2,520 questions and 10,530 written by rules of paragraphs that name others, 13,997 paragraphs \|$/,
  );
  // 49.3 + 0.72 x 3.9 = 52.1; 61.6 - 52.1.
  assert.match(line('2WikiMultiHopQA'), /\| 8\.6 \| 61\.6 \| 52\.1 \| \+9\.5 \|$/);
  assert.match(treeHopReport(checkpoint, [], [result(0)]), /\| below \| missed \|/);
});
