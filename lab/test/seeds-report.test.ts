/** Tests the report `seeds`: verdicts worked by hand, and that tables, claims and runs fit. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { valueText } from '../results/compact.ts';
import { ALIKE, rowsOf } from '../results/reports/seeds-kept.ts';
import { runs } from '../results/reports/seeds-runs.ts';
import { counted, TABLES } from '../results/reports/seeds-tables.ts';
import { CLAIMS, type Claim, deciding, judge } from '../results/reports/seeds-verdicts.ts';
import { ROOT } from '../results/steps.ts';
import { measuredOf, resultsOf, rowOf } from './measured-rows.ts';

const N = 40;
const F1 = 'AnswerF1(hotpot)';
const CLAIM: Claim = {
  id: 'c',
  paper: 'p',
  claim: '',
  printed: '',
  sign: '+',
  sets: ['musique'],
  measure: F1,
  more: 'a',
  less: 'b',
};
/** One row with the first `right` of `n` questions right. */
const row = (label: string, right: number, more: { rules?: true; n?: number } = {}) => {
  const { n = N, ...result } = more;
  const scores = Array.from({ length: n }, (_, at) => Number(at < right));
  const made = rowOf(label, { [F1]: scores });
  const step = more.rules ? label : `${label}-model`;
  return measuredOf(`musique.${step}`, [{ ...made, result: { ...made.result, ...result } }]);
};

test('a claim holds, is reversed, or is undecided, by the side of its interval', () => {
  const verdict = (a: number, b: number): string | undefined =>
    judge(resultsOf(row('a', a), row('b', b)), CLAIM)?.verdict;
  assert.deepEqual([verdict(30, 10), verdict(10, 30)], ['holds', 'reversed']);
  assert.deepEqual([verdict(11, 10), verdict(10, 10)], ['undecided', 'undecided']);
  const other = judge(resultsOf(row('a', 30), row('b', 10)), { ...CLAIM, sign: '-' });
  assert.equal(other?.verdict, 'reversed');
});

test('rules are never compared with the model, nor rows over different questions', () => {
  const rules = { rules: true } as const;
  assert.equal(judge(resultsOf(row('a', 30), row('b', 10, rules)), CLAIM), undefined);
  assert.equal(judge(resultsOf(row('a', 30), row('b', 10, { n: 30 })), CLAIM), undefined);
  const both = resultsOf(row('a', 30), row('a', 20, rules), row('b', 10, rules));
  const judged = judge(both, CLAIM)!;
  assert.deepEqual([judged.more, judged.rules], [0.5, true]);
});

test('the questions that both rows answer are paired by their ids, in the sets that the model answered', () => {
  const named = (label: string, set: string, ids: readonly string[], right: string) => {
    const scores = ids.map(id => Number(right.includes(id)));
    return measuredOf(`${set}.${label}-model`, [
      { ...rowOf(label, { [F1]: scores }), questions: ids },
    ]);
  };
  const few = named('a', 'musique', [...'dbf'], 'db');
  const claim = { ...CLAIM, sets: ['musique', 'hotpotqa'] };
  const judged = judge(resultsOf(few, named('b', 'musique', [...'abcdef'], 'abc')), claim)!;
  assert.deepEqual(
    [judged.questions, judged.more, judged.less, judged.sets],
    [3, 2 / 3, 1 / 3, ['musique']],
  );
  const other = [named('a', 'hotpotqa', ['z'], 'z'), named('b', 'hotpotqa', ['z'], '')];
  const both = judge(resultsOf(few, named('b', 'musique', [...'abcdef'], 'abc'), ...other), claim)!;
  assert.deepEqual([both.questions, both.more, both.sets], [4, 3 / 4, undefined]);
});

test('a level is compared with a number; the questions that decide grow as the difference falls', () => {
  const judged = judge(resultsOf(row('a', 20)), { ...CLAIM, less: 0.4 })!;
  assert.equal(judged.verdict, 'undecided');
  const { low, high, value } = judged.difference;
  assert.equal(deciding(judged), Math.ceil(N * ((high - low) / 2 / value) ** 2));
  assert.ok(deciding(judged) > N);
});

const all = runs({ data: 'data', work: 'work', options: {} });
const names = new Set(all.map(({ name }) => name.replace(/-model$/, '')));
const isKnown = (set: string, label: string): boolean =>
  names.has(`${set}.${ALIKE[label] ?? label}`) ||
  names.has(`${set}.${label}`) ||
  rowsOf(resultsOf(), set, label).length > 0;

test('every claim and every cell names rows that are run or kept', () => {
  for (const { more, less, sets = ['multihop-rag'], id } of CLAIMS)
    for (const set of sets)
      for (const label of [more, less])
        assert.ok(typeof label === 'number' || isKnown(set, label), `${id}: ${set} ${label}`);
  for (const { name, rows, columns, set } of TABLES)
    for (const { label, head, cells } of rows) {
      assert.equal(cells.length, columns.length, `${name}: ${head}`);
      for (const column of columns)
        assert.ok(
          label === undefined || isKnown(column.set ?? set!, label) || /chain-no-/.test(label),
          `${name}: ${column.set ?? set} ${label}`,
        );
    }
  assert.deepEqual([TABLES.length, counted(resultsOf()).all], [19, 583]);
});

test('kept rows of TreeHop have the values of its report', () => {
  const { evaluations } = JSON.parse(
    readFileSync(join(ROOT, 'results/tree-hop/result.json'), 'utf8'),
  );
  const values = Object.values<{ rows: readonly [unknown, string][] }>(evaluations).flatMap(
    ({ rows }) => rows.map(([, text]) => text.split(' ')[0]),
  );
  const recall = 'TitleRecall@1000(micro)';
  for (const label of ['trained no-c', 'tree-hop(k=5, hops=2, pruning=rank)'])
    for (const set of ['2wikimultihopqa-open', 'musique-pooled', 'multihop-rag-inference']) {
      const { result } = rowsOf(resultsOf(), set, label)[0]!.row;
      assert.ok(values.includes(valueText(recall, result.measures[recall])), `${set} ${label}`);
    }
});
