/** Tests the report on graphs: its arithmetic, and that each sentence follows from the figures. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { defined } from '../../src/core/defined.ts';
import type { Trace } from '../../src/core/trace/trace.ts';
import type { RowResult } from '../../src/evaluation/evaluation-result.ts';
import { TraceFile } from '../../src/experiments/trace-file.ts';
import { ask, ingest } from '../../src/index.ts';
import { strategies } from '../../src/strategies/strategies.ts';
import type { Estimated } from '../results/equal-k.ts';
import {
  costTable,
  type GraphRow,
  type GraphSteps,
  modelUseText,
  pairedTable,
  questionOnly,
  RECALL,
  rowValues,
  SEARCH_UNITS,
} from '../results/graph-tables.ts';
import { importClosure } from '../results/import-closure.ts';
import { changedQuestions, handed, TRACES } from '../results/kept-traces.ts';
import type { Measured, MeasuredRow } from '../results/report.ts';
import { fieldBar } from '../results/reports/graphs-published.ts';
import {
  ABLATIONS,
  BM25,
  DECLARED,
  FACT_LANES,
  probed,
  SETS,
} from '../results/reports/graphs-rows.ts';
import { filesOfRow, setEvaluations, setSteps } from '../results/reports/graphs-steps.ts';
import { bestGain, noLoss, worth } from '../results/reports/graphs-verdicts.ts';
import {
  bestGainText,
  type Compared,
  graphItselfText,
  noLossText,
  verdictOf,
  worthSummary,
} from '../results/verdicts.ts';
import { linesOf, measuredOf, resultsOf, rowOf } from './measured-rows.ts';

const N = 30;
const repeated = (scores: readonly number[]): number[] =>
  Array.from({ length: N }, (_, at) => scores[at % scores.length]!);

const recalled = (label: string, scores: readonly number[], measures: object = {}): MeasuredRow =>
  rowOf(label, { [RECALL]: repeated(scores) }, { measures });

const graphRow = (label: string, more: Partial<GraphRow> = {}): GraphRow => ({
  step: label,
  label,
  plain: false,
  goal: true,
  graph: true,
  ...more,
});
const stepsOf = (...rows: readonly GraphRow[]): GraphSteps => ({
  heading: 'S',
  searches: 'searches',
  rows,
});
const searches = (document: readonly number[], kept?: string): Measured =>
  measuredOf(
    'searches',
    SEARCH_UNITS.map(unit => recalled(`search by ${unit}`, unit === 'document' ? document : [0])),
    { kept: kept ?? '' },
  );

const between = (low: number, high: number, clustered?: [number, number]): Estimated =>
  defined({
    value: (low + high) / 2,
    low,
    high,
    clustered: clustered ? { low: clustered[0], high: clustered[1] } : undefined,
  });
const compared = (label: string, difference: Estimated): Compared => ({
  label,
  set: 'S',
  text: `text of ${label}`,
  difference,
});

test('one interval below 0 is a loss; a gain needs both above 0', () => {
  assert.equal(verdictOf(between(-0.2, -0.1)), 'below');
  assert.equal(verdictOf(between(-0.2, -0.1, [-0.3, 0.1])), 'below');
  assert.equal(verdictOf(between(-0.2, 0.1, [-0.3, -0.1])), 'below');
  assert.equal(verdictOf(between(0.1, 0.2)), 'above');
  assert.equal(verdictOf(between(0.1, 0.2, [0, 0.3])), 'open');
  assert.equal(verdictOf(between(0, 0)), 'open');
});

test('the goal of no loss is met only where all is compared and nothing lies below 0', () => {
  const [gain, open, loss] = [between(0.1, 0.2), between(-0.1, 0.1), between(-0.2, -0.1)];
  const text = (all: readonly Estimated[], missing: readonly string[] = []): string =>
    noLossText(
      all.map((each, at) => compared(`r${at}`, each)),
      missing,
    );
  assert.match(
    text([gain, open]),
    /^\*\*Met\*\*: .*Of 2 comparisons 0 lie .* 1 wholly above 0 \(`r0` on S/,
  );
  assert.match(text([gain], ['x on S']), /^\*\*Met so far\*\*.*nothing is said of: x on S\.$/);
  assert.match(
    text([gain, loss, open]),
    /^\*\*Failed\*\* by 1 comparison: `r1` on S \(text of r1\)\. Of 3 comparisons 1 lies wholly below 0/,
  );
  assert.match(text([], ['x on S']), /^Nothing is compared yet\./);
});

test('the counts of the goal add up, and a loss is named, whatever the intervals', () => {
  const ends = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.nat({ max: 9 }));
  fc.assert(
    fc.property(fc.array(ends, { minLength: 1, maxLength: 6 }), all => {
      const rows = all.map(([low, wide], at) => compared(`r${at}`, between(low, low + wide)));
      const said = noLossText(rows, []);
      const counts = /Of (\d+) comparisons? (\d+) lies? .*?, (\d+) wholly above 0.*, and (\d+) show/
        .exec(said)!
        .slice(1)
        .map(Number);
      const below = all.filter(([low, wide]) => low + wide < 0).length;
      const above = all.filter(([low]) => low > 0).length;
      assert.deepEqual(counts, [all.length, below, above, all.length - below - above]);
      assert.equal(said.startsWith('**Failed**'), below > 0);
    }),
  );
});

test('the best row meets its goal by 8 points with its intervals above 0, and by nothing less', () => {
  const said = (low: number, high: number): string =>
    bestGainText([compared('worse', between(-0.5, -0.4)), compared('best', between(low, high))]);
  assert.match(said(0.05, 0.15), /^\*\*Met\*\*: the best of 2 rows is `best`/);
  assert.match(said(0.01, 0.05), /^\*\*Failed\*\*.*: fewer than 8 points\. /);
  assert.match(
    said(-0.1, 0.3),
    /^\*\*Failed\*\*.*: an interval that does not lie wholly above 0\. /,
  );
  assert.match(said(-0.1, 0.1), /fewer than 8 points and an interval/);
});

test('the summary of the worth follows from the verdicts of every set', () => {
  const rival = (row: string, difference: Estimated) => ({ row, value: '', text: '', difference });
  const [gain, open, loss] = [between(0.1, 0.2), between(-0.1, 0.1), between(-0.2, -0.1)];
  const all = worthSummary([[rival('a', gain), rival('b', gain)]]);
  assert.match(all, /better than each of them on every corpus here\. \(a, b; at equal K\.\)/);
  assert.match(
    all,
    /on 1 of 1 corpus, better than at least one on 1, worse than at least one on 0\./,
  );
  const none = worthSummary([[rival('a', open)], [rival('a', loss)]]);
  assert.match(none, /no row over a graph is shown to be better/);
  assert.match(
    none,
    /on 0 of 2 corpora, better than at least one on 0, worse than at least one on 1\./,
  );
  assert.match(worthSummary([[rival('a', gain), rival('b', open)]]), /depends on the corpus/);
});

test('a graph is credited with what its system loses without it, and with nothing else', () => {
  const [gain, open, loss] = [between(0.1, 0.2), between(-0.1, 0.1), between(-0.2, -0.1)];
  const said = (...all: readonly Estimated[]): string =>
    graphItselfText(
      'chain',
      all.map((difference, at) => ({
        set: `S${at}`,
        text: `t${at}`,
        difference,
        questions: 9,
        changed: at === 0 ? 4 : undefined,
      })),
    );
  assert.match(
    said(gain, gain),
    /on 2 corpora: S0 t0, other first five on 4 of 9 questions; S1 t1\. The graph itself brings/,
  );
  assert.match(said(open), /on 1 corpus: .* it gains by its other parts/);
  assert.match(said(gain, open, loss), /brings documents on 1 of them\. It loses on 1\.$/);
});

test('missing comparisons are named, and counted where they are many', () => {
  const said = (missing: number): string =>
    noLossText(
      [compared('r', between(0, 0))],
      Array.from({ length: missing }, (_, at) => `m${at}`),
    );
  assert.match(said(2), /nothing is said of: m0, m1\.$/);
  assert.match(said(7), /nothing is said of: 7 further comparisons\.$/);
});

const folder = mkdtempSync(join(tmpdir(), 'graphs-'));
after(() => rmSync(folder, { recursive: true }));

const texts = ['Ada wrote programs.', 'Charles built the engine.', 'The engine ran programs.'];
const engine = await ingest(texts.map((text, at) => ({ id: `d${at}`, title: `T${at}`, text })));
const OPTIONS = { engine, strategy: 'fixed-top-k(k=1)' } as const;
async function asked(id: string, text: string): Promise<Trace> {
  return await ask(text, { ...OPTIONS, id, retriever: 'lexical(unit=sentence)' });
}

test('other first documents count in whatever order, over the same questions alone', async () => {
  const traces = await Promise.all([asked('a', 'Who wrote programs?'), asked('b', 'The engine?')]);
  const handedOver = handed(traces, 5);
  assert.equal(handedOver.unit, 'sentence');
  assert.deepEqual(handedOver.losses, []);
  const turned = traces.map(trace => ({ ...trace, ranking: trace.ranking.toReversed() }));
  assert.ok(traces.some(({ ranking }) => ranking.length > 1));
  assert.equal(changedQuestions(handedOver, handed(turned, 5)), 0);
  const other = [traces[0]!, { ...traces[1]!, ranking: ['elsewhere'] }];
  assert.equal(changedQuestions(handedOver, handed(other, 5)), 1);
  assert.equal(changedQuestions(handedOver, handed(traces.slice(1), 5)), undefined);
  assert.equal(changedQuestions(handedOver, handed([], 5)), undefined);
});

/** Writes traces as `eval --out` keeps them, one file a row. */
async function keep(name: string, retrievers: readonly string[]): Promise<string> {
  const kept = join(folder, name);
  mkdirSync(join(kept, TRACES), { recursive: true });
  for (const [at, retriever] of retrievers.entries()) {
    const file = new TraceFile(join(kept, TRACES, `0${at + 1}-row.jsonl`), true);
    for await (const event of ask('Who built the engine?', { ...OPTIONS, retriever }))
      file.add(event);
    file.close();
  }
  return kept;
}

test('a row is compared with the search of the unit that it searches first', async () => {
  const kept = await keep('searches', [
    'lexical',
    'lexical(unit=passage)',
    'lexical(unit=sentence)',
  ]);
  const byDocument = await keep('row', ['lexical']);
  const rows = [
    measuredOf('by documents', [recalled('', [0.5, 0.5])], { kept: byDocument }),
    measuredOf('by sentences', [recalled('', [0.5, 0.5])], {
      kept: await keep('other', ['lexical(unit=sentence)']),
    }),
  ];
  const steps = stepsOf(graphRow('by documents'), graphRow('by sentences'));
  const lines = linesOf(await pairedTable(steps)(resultsOf(searches([1], kept), ...rows)));
  assert.deepEqual(lines.slice(1), [
    '| by documents | search by document | −50.00 [−50.00, −50.00] | loses | 0 of 1 | −50.00 [−50.00, −50.00] |',
    '| by sentences | search by sentence | +50.00 [+50.00, +50.00] | gains | 0 of 1 | −50.00 [−50.00, −50.00] |',
  ]);
});

test('the goals and the worth are read from finished rows alone', async () => {
  const steps = stepsOf(
    graphRow(BM25, { plain: true, goal: false, graph: false }),
    graphRow('good'),
    graphRow('poor'),
    graphRow('unasked'),
    graphRow(FACT_LANES, { goal: false, graph: false }),
  );
  const results = resultsOf(
    searches([0.5]),
    measuredOf(BM25, [recalled(BM25, [0.5])]),
    measuredOf('good', [recalled('good', [0.6, 0.7])]),
    measuredOf('poor', [recalled('poor', [0.2, 0.3])]),
    measuredOf(FACT_LANES, [recalled(FACT_LANES, [0.9])]),
  );
  const goal = await noLoss([steps])(results);
  assert.match(goal!, /\*\*Failed\*\* by 1 comparison: `poor` on S \(−25\.00/);
  assert.match(goal!, /`good` on S \(\+15\.00.*nothing is said of: unasked on S\.$/);
  assert.match(
    (await bestGain(steps)(results))!,
    /\*\*Met\*\*: the best of 2 rows is `good`, \+15/,
  );
  const said = (await worth([steps])(results))!;
  assert.match(
    said,
    /the best of 2 graph rows, `good` \(65\.00\), is better than BM25 \(50\.00; \+15/,
  );
  assert.match(said, /is worse than fact-lanes \(90\.00; −25\.00/);
  assert.match(said, /better than all of them on 0 of 1 corpus/);
  for (const block of [noLoss([steps]), bestGain(steps), worth([steps]), costTable(steps)])
    assert.equal(await block(resultsOf()), undefined);
});

test('a search alone has no answers; calls are 0 only where no row had a model', async () => {
  const steps = stepsOf(graphRow('a'));
  const f1 = { 'AnswerF1(hotpot)': { mean: 0.25, low: 0.25, high: 0.25, n: N } };
  const row = measuredOf('a', [recalled('a', [0.5], f1)]);
  const results = resultsOf(searches([1]), row);
  const lines = linesOf(await rowValues(steps, [RECALL, 'AnswerF1(hotpot)'])(results));
  assert.equal(lines[1], '| search by document | 100.00 | – | – |');
  assert.equal(lines.at(-1), '| a | 50.00 | 25.00 | – |');
  assert.match(modelUseText(results, [steps])!, /^None of the 1 rows had a language model/);
  const modelled = measuredOf('a', row.rows, { manifest: { model: { id: 'm' } } });
  assert.match(modelUseText(resultsOf(modelled), [steps])!, /at hand for: `a`/);
});

test('published figures stand beside ours of the same set', async () => {
  const steps = { ...stepsOf(graphRow(BM25, { goal: false })), heading: 'MuSiQue pooled' };
  const lines = linesOf(
    await fieldBar([steps])(resultsOf(measuredOf(BM25, [recalled('', [0.5])]))),
  );
  assert.match(lines[1]!, /^\| BM25 \(arXiv 2502\.14802\) \| 65 \| 75 \| 43 \|/);
  assert.match(lines.at(-1)!, /^\| ours: BM25 \| – \| – \| 50\.00 \|/);
});

test('every row stands in every set, by a name that its family knows', () => {
  const request = { data: 'data', work: 'work', options: {} };
  for (const set of SETS) {
    const names = setEvaluations(set, DECLARED, request).map(({ name }) => name);
    const steps = setSteps(set, DECLARED);
    assert.deepEqual([steps.searches, ...steps.rows.map(({ step }) => step)], names);
  }
  for (const { strategy } of [...DECLARED, ...ABLATIONS, ...SETS.map(probed)])
    assert.doesNotThrow(() => strategies.create(strategy), strategy);
});

test('a control that reads nothing is compared with every row', async () => {
  const f1 = (mean: number) => ({ 'AnswerF1(hotpot)': { mean, low: mean, high: mean, n: N } });
  const { result } = recalled('question-only', [0], f1(0.5));
  const control: RowResult = { ...result, reader: 'question-only' };
  const steps = stepsOf(graphRow('a'), graphRow('b'));
  const rows = [
    { ...measuredOf('a', [recalled('a', [1], f1(0.4))]), controls: [control] },
    measuredOf('b', [recalled('b', [1], f1(0.6))]),
  ];
  const said = await questionOnly(steps)(resultsOf(...rows));
  assert.match(said!, /: 50\.00, more than 1 of 2 rows reach/);
});

test('a row is made from what its strategy imports, at any depth, and from no other strategy', () => {
  const chain = importClosure(['src/strategies/chain/chain.ts']);
  for (const path of [
    'src/strategies/chain/run.ts',
    'src/planning/planners.ts',
    'src/core/errors.ts',
  ])
    assert.ok(chain.includes(path), path);
  assert.ok(!chain.some(path => path.includes('bridge-claims')));
  assert.ok(!chain.includes('src/core/trace/trace.ts'), 'imported for its types alone');
  const ended = importClosure(['src/strategies/chain/chain.ts'], path =>
    path.endsWith('chain/run.ts'),
  );
  assert.ok(!ended.includes('src/strategies/chain/run.ts'));
  assert.ok(ended.length < chain.length);
  assert.deepEqual(importClosure(['src/strategies/none.ts']), []);
  const walks = 'src/search/graphs/entity-graph.ts';
  assert.ok(filesOfRow('hipporag').includes(walks), 'it reads the port of walks');
  assert.ok(!filesOfRow('naive').includes(walks));
  assert.ok(filesOfRow('naive').includes('src/search/indexes/lexical/bm25.ts'));
});
