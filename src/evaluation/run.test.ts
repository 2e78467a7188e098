import assert from 'node:assert/strict';
import test from 'node:test';
import { InputError, PortError } from '../core/errors.ts';
import type { Trace } from '../core/trace/trace.ts';
import type { Evaluation, Row } from './evaluation-result.ts';
import type { Example, Measure } from './example.ts';
import { emptyLawTrace, lawExamples, lawRecords, perfectLawTrace } from './measure-fixtures.ts';
import { measure } from './measures.ts';
import { type EvaluateOptions, evaluate, type Progress } from './run.ts';

const row = (id: string): Row => ({
  id,
  strategy: id,
  retriever: 'lexical(s1)',
  context: 'whole',
  reader: 'law',
  budget: {},
});
const names = [
  'EvidenceRecall',
  'FactRecall',
  'QaAccuracy(strict)',
  'AbstainedNull',
  'Hits@4',
  'Documents',
];

async function finished(
  more: Partial<EvaluateOptions> = {},
): Promise<{ evaluation: Evaluation; progress: Progress[] }> {
  const run = evaluate({
    dataset: 'laws',
    examples: lawExamples,
    rows: [row('good'), row('bad')],
    ask: async ({ id }, example) =>
      id === 'good' ? perfectLawTrace(example) : emptyLawTrace(example),
    measures: names.map(measure),
    records: lawRecords,
    resamples: 200,
    ...more,
  });
  const progress: Progress[] = [];
  for (;;) {
    const step = await run.next();
    if (step.done) return { evaluation: step.value, progress };
    progress.push(step.value);
  }
}

test('returns rows, groups, pairs and manifest in the printed shape', async () => {
  const { evaluation, progress } = await finished();
  const { result, scores } = evaluation;
  assert.deepEqual(progress.at(-1), { row: 'bad', done: 8, total: 8, failed: 0 });
  assert.deepEqual(result.groups, {
    byType: { comparison: 1, inference: 1, null: 1, temporal: 1 },
    byEvidence: { 2: 3 },
  });
  const good = result.rows[0]!;
  assert.deepEqual(good.measures['EvidenceRecall'], {
    mean: 1,
    low: 1,
    high: 1,
    n: 3,
    clustered: { low: 1, high: 1 },
  });
  assert.deepEqual(Object.keys(good), [
    'id',
    'strategy',
    'retriever',
    'context',
    'reader',
    'budget',
    'measures',
    'byType',
    'byEvidence',
    'failed',
  ]);
  assert.equal(
    good.byType['null']!['EvidenceRecall'],
    undefined,
    'recall of a null question is no value',
  );
  assert.equal(good.byType['null']!['AbstainedNull'], 1);
  assert.equal(good.byEvidence['2']!['Documents'], 2);
  assert.deepEqual(scores['bad']!['EvidenceRecall'], [0, 0, 0, undefined]);
  const pair = result.pairs.find(each => each.measure === 'EvidenceRecall');
  assert.deepEqual(pair, {
    a: 'good',
    b: 'bad',
    measure: 'EvidenceRecall',
    difference: 1,
    low: 1,
    high: 1,
    shareAGreater: 1,
  });
  assert.ok(
    !result.pairs.some(each => each.measure === 'Documents'),
    'only main measures are paired',
  );
  assert.deepEqual(result.manifest, {
    bootstrap: { resamples: 200, seed: 20231226, generator: 'mulberry32' },
  });
  assert.deepEqual(JSON.parse(JSON.stringify(result)), result, 'nothing is lost in JSON');
});

test('scores what a failed question found, with an empty answer, and counts it', async () => {
  const failures: [string, (example: Example) => Promise<Trace>, recall: number][] = [
    ['thrown', () => Promise.reject(new PortError('engine', 'down', 'The engine is down')), 2 / 3],
    [
      'told',
      async example => ({
        ...perfectLawTrace(example),
        stopped: { by: 'failure', port: 'model', code: 'down', message: 'The engine is down' },
      }),
      1,
    ],
  ];
  for (const [how, fail, recall] of failures) {
    // The null question fails too: it must not count as a right abstention.
    const ask = async (_: Row, example: Example): Promise<Trace> =>
      ['c', 'n'].includes(example.id) ? fail(example) : perfectLawTrace(example);
    const { evaluation, progress } = await finished({ rows: [row('half')], ask });
    const [half] = evaluation.result.rows;
    assert.equal(half!.failed, 2, how);
    assert.deepEqual(
      [half!.measures['EvidenceRecall']!.mean, half!.measures['EvidenceRecall']!.n],
      [recall, 3],
      how,
    );
    assert.deepEqual(
      [half!.measures['Hits@4']!.mean, half!.measures['Hits@4']!.n],
      [recall, 3],
      how,
    );
    assert.deepEqual(
      [half!.measures['QaAccuracy(strict)']!.mean, half!.measures['QaAccuracy(strict)']!.n],
      [0.5, 4],
      how,
    );
    assert.equal(half!.measures['AbstainedNull']!.mean, 0, how);
    assert.deepEqual(
      evaluation.outcomes['half']!.map(each => each.failed),
      [true, false, false, true],
    );
    assert.deepEqual(
      progress.flatMap(({ failure }) => failure && `${failure.question} ${failure.message}`),
      ['c The engine is down', undefined, undefined, 'n The engine is down'],
    );
  }
});

test('asks several questions side by side, and passes them on in their order', async () => {
  for (const parallel of [1, 2, 3, 99]) {
    const running = new Set<string>();
    let most = 0;
    const scored: string[] = [];
    const { evaluation } = await finished({
      parallel,
      rows: [row('one')],
      ask: async (_, example) => {
        running.add(example.id);
        most = Math.max(most, running.size);
        // The first questions take longest.
        for (let turns = 0; turns < 20 - 5 * lawExamples.indexOf(example); turns++) await null;
        running.delete(example.id);
        return perfectLawTrace(example);
      },
      onScored: (_row, example) => scored.push(example.id),
    });
    assert.equal(most, Math.min(parallel, lawExamples.length));
    assert.deepEqual(
      scored,
      lawExamples.map(({ id }) => id),
    );
    assert.equal(evaluation.result.rows[0]!.measures['EvidenceRecall']!.mean, 1);
  }
});

test('scores traces as they arrive', async () => {
  const steps: string[] = [];
  const watched: Measure = {
    name: 'Watched',
    summary: 'when it was asked for a score',
    score: (example, trace) => {
      steps.push(`scored ${example.id}${trace.answer.kind === 'evidence' ? '' : ' as empty'}`);
      return 1;
    },
  };
  const [first, ...others] = lawExamples;
  await finished({
    rows: [row('one')],
    measures: [watched],
    ask: async (_, example) => {
      steps.push(`asked ${example.id}`);
      if (example === first) throw new PortError('engine', 'down', 'The engine is down');
      return { ...perfectLawTrace(example), answer: { kind: 'evidence', text: '', citations: [] } };
    },
  });
  assert.deepEqual(steps, [
    `asked ${first!.id}`,
    ...others.flatMap(({ id }) => [`asked ${id}`, `scored ${id}`]),
    `scored ${first!.id}`,
  ]);
});

test('throws bugs and input errors', async () => {
  await assert.rejects(finished({ ask: () => Promise.reject(new TypeError('bug')) }), TypeError);
  await assert.rejects(
    finished({ parallel: 3, ask: () => Promise.reject(new InputError('x', 'y')) }),
    InputError,
  );
  await assert.rejects(finished({ examples: [] }), /no question/);
  await assert.rejects(finished({ rows: [] }), /no row/);
  await assert.rejects(finished({ rows: [row('a'), row('a')] }), /Two rows have the name "a"/);
});

test('rejects with the reason of an abort', async () => {
  const controller = new AbortController();
  const ask = async (_: Row, example: Example): Promise<Trace> => {
    controller.abort(new Error('enough'));
    return perfectLawTrace(example);
  };
  await assert.rejects(finished({ ask, signal: controller.signal }), /enough/);
});

test('omits measures without a value', async () => {
  const silent: Measure = { name: 'Silent', summary: '', score: () => undefined };
  const { evaluation } = await finished({
    measures: [silent, measure('EvidenceRecall')],
    measuresOf: ({ id }, all) => (id === 'bad' ? [] : all),
  });
  assert.deepEqual(
    evaluation.result.rows.map(each => Object.keys(each.measures)),
    [['EvidenceRecall'], []],
  );
  assert.deepEqual(evaluation.result.pairs, []);
});
