/** Tests blocks over several evaluations: forms, choices by folds, intervals by cluster. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lessBetter } from '../results/better-of.ts';
import { ALL_KEPT } from '../results/equal-k.ts';
import { groupsK, heldOutChoice } from '../results/equal-k-tables.ts';
import { bestFormsAtEqualTokens, rankings } from '../results/form-tables.ts';
import { differenceOf, type MeasuredRow } from '../results/report.ts';
import { GENERALITY } from '../results/reports/generality-settings.ts';
import { DEFINITIONS } from '../results/reports/settings.ts';
import { linesOf, measuredOf, resultsOf, rowOf } from './measured-rows.ts';

test('each system stands in its best form at the least tokens, beside its first form', async () => {
  const at = (system: string, form: string, tokens: number, recall: number): MeasuredRow =>
    rowOf(
      `${system} ${form}`,
      { SentenceRecall: [recall, recall], ContextTokens: [tokens - 6, tokens - 6] },
      { system, context: form, tokens },
    );
  const ours = measuredOf('ours', [at('we', '', 256, 0.9), at('we', '', 510, 1)], { questions: 2 });
  const others = measuredOf('others', [
    at('a', 'whole', 256, 0.2),
    at('a', 'whole', 510, 0.5),
    at('a', 'cut', 256, 0.4),
  ]);
  const block = bestFormsAtEqualTokens(['ours', 'others', 'missing'], {
    measures: ['SentenceRecall'],
    ours: 'we',
    formOf: ({ context }) => context ?? '',
  });
  assert.deepEqual(linesOf(await block(resultsOf(ours, others))).slice(1), [
    '| we |  | 90.00 | 250 |  | 90.00 (250) | 100.00 (504) |',
    '| a | cut | 40.00 | 250 | +50.00 [+50.00, +50.00] | 20.00 (250) | 50.00 (504) |',
  ]);
  assert.equal(await block(resultsOf(others)), undefined);
});

test('rankings and the better rival are read over several evaluations', async () => {
  const first = measuredOf('one', [rowOf('we', { 'Recall@5': [1, 1] })]);
  const second = measuredOf('two', [
    rowOf('a', { 'Recall@5': [0, 0.5] }),
    rowOf('b', { 'Recall@5': [0.5, 0.5] }),
  ]);
  const results = resultsOf(first, second);
  assert.deepEqual(linesOf(await rankings(['one', 'two'], ['Recall@5'])(results)).slice(1), [
    '| we | 100.00 (n=2) |',
    '| a | 25.00 (n=2) |',
    '| b | 50.00 (n=2) |',
  ]);
  const better = lessBetter(['one', 'two'], ['Recall@5'], 'we', ['a', 'b']);
  assert.deepEqual(linesOf(await better(results)).slice(1), [
    '| Recall@5 | b | +50.00 [+50.00, +50.00] |',
  ]);
});

test('questions of one cluster are resampled together', () => {
  const gains = [1, 1, 1, 1, 0, 0, 0, 0];
  const none = gains.map(() => 0);
  const pair = (clusters?: readonly number[]) =>
    [gains, none].map(scores => rowOf('r', { FactRecall: scores }, clusters ? { clusters } : {}));
  const [a, b] = pair();
  assert.equal(differenceOf('FactRecall', a!, b!)!.clustered, undefined);
  const [c, d] = pair([0, 0, 0, 0, 1, 1, 1, 1]);
  const { value, low, high, clustered } = differenceOf('FactRecall', c!, d!)!;
  assert.deepEqual([value, clustered], [0.5, { low: 0, high: 1 }]);
  assert.ok(low > 0 && high < 1);
});

const { macro } = DEFINITIONS;
const direct = (hits: readonly (readonly number[])[]): MeasuredRow =>
  rowOf(
    'direct',
    Object.fromEntries(hits[0]!.map((_, at) => [macro(at + 1), hits.map(of => of[at]!)])),
  );
const kept = (label: string, recall: readonly number[]): MeasuredRow =>
  rowOf(label, { [macro(ALL_KEPT)]: recall, Documents: recall.map(() => 1) });

test('a row is chosen on the other folds and measured on the fold that is left out', async () => {
  // Row a wins on every question but the last, whose fold chooses a as well, and loses by it.
  const recalls = { a: [1, 1, 1, 1, 0], b: [0, 0, 0, 0, 1] };
  const rows = Object.entries(recalls).map(([label, recall]) => kept(label, recall));
  const results = resultsOf(
    measuredOf('rows', rows, { questions: 5 }),
    measuredOf('direct', [direct(recalls.a.map(() => [0, 0]))], { questions: 5 }),
  );
  const sides = { rows: 'rows', direct: 'direct' };
  const keys = async (): Promise<string[][]> => recalls.a.map((_, at) => [`title ${at}`]);
  const block = heldOutChoice(sides, macro, { both: ['a', 'b'] }, keys);
  const [line] = linesOf(await block(results)).slice(1);
  assert.match(line!, /^\| both \| a in 5 \| 1\.0 \| 80\.0 /);
  // Questions are too few where a sample was asked.
  assert.equal(await heldOutChoice(sides, macro, {}, async () => [])(results), undefined);
  const halves = groupsK('By half', sides, macro, 'a', async () => ['x', 'x', 'y', 'y', 'y']);
  const [x, y] = linesOf(await halves(results)).slice(1);
  assert.match(x!, /^\| x \| 2 \| 1\.0 \| 100\.0 /);
  assert.match(y!, /^\| y \| 3 \| 1\.0 \| 66\.7 /);
});

test('pooled questions of HotpotQA get the gold sentences of the closed file', () => {
  const data = mkdtempSync(join(tmpdir(), 'multihop-pooled-'));
  try {
    const folder = join(data, 'hotpotqa');
    mkdirSync(folder);
    const closed = [
      {
        _id: 'q1',
        context: [['Ada', ['Ada wrote.', ' She lived in London.']]],
        supporting_facts: [
          ['Ada', 1],
          ['Ada', 7],
        ],
      },
    ];
    writeFileSync(join(folder, 'hotpot_distractor.dev.json'), JSON.stringify(closed));
    const asked = ['q1', 'q2'].map(_id => JSON.stringify({ _id, gold_titles: ['Ada'] }));
    writeFileSync(join(folder, 'pooled_queries.dev.jsonl'), asked.join('\n'));
    const { files } = GENERALITY.find(({ id }) => id === 'hotpotqa-pooled')!;
    const words = files!({ data, work: join(data, 'work'), options: {} });
    const lines = readFileSync(words[1]!, 'utf8').split('\n');
    assert.deepEqual(
      lines.map(line => JSON.parse(line) as object),
      [
        { _id: 'q1', gold: [{ title: 'Ada', fact: 'She lived in London.' }] },
        { _id: 'q2', gold_titles: ['Ada'] },
      ],
    );
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});
