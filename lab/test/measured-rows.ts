/** Makes finished steps of reports for tests. */
import type { Estimate, RowResult } from '../../src/evaluation/evaluation-result.ts';
import type { Measured, MeasuredRow, Results } from '../results/report.ts';

export const estimate = (mean: number, n = 2): Estimate => ({ mean, low: mean, high: mean, n });

export const rowResult = (parts: Partial<RowResult>): RowResult => ({
  id: 'row',
  strategy: '',
  retriever: '',
  context: '',
  reader: '',
  budget: {},
  measures: {},
  byType: {},
  byEvidence: {},
  failed: 0,
  ...parts,
});

/** A row with the means of its scores; `measures` adds others. */
export function rowOf(
  label: string,
  scores: Readonly<Record<string, readonly number[]>>,
  { measures = {}, ...more }: Partial<MeasuredRow> & { readonly measures?: object } = {},
): MeasuredRow {
  const means = Object.entries(scores).map(([name, all]) => [
    name,
    estimate(all.reduce((sum, score) => sum + score, 0) / all.length, all.length),
  ]);
  const result = rowResult({ id: label, measures: { ...Object.fromEntries(means), ...measures } });
  const names = { strategy: '', retriever: '', context: '', reader: '' };
  return { label, ...names, scores, result, ...more };
}

export function measuredOf(
  name: string,
  rows: readonly MeasuredRow[],
  { questions = 2, manifest = {}, ...more }: Partial<Measured & Measured['result']> = {},
): Measured {
  return {
    name,
    rows,
    controls: [],
    kept: '',
    result: {
      dataset: 'd',
      questions,
      groups: { byType: {}, byEvidence: {} },
      rows: rows.map(({ result }) => result),
      pairs: [],
      manifest,
    },
    ...more,
  } as Measured;
}

export const resultsOf = (...all: readonly Measured[]): Results => ({
  measured: new Map(all.map(entry => [entry.name, entry])),
  printed: new Map(),
});

/** The lines of tables without those below their heads. */
export const linesOf = (markdown: string | undefined): string[] =>
  markdown!.split('\n').filter(line => line.startsWith('|') && !line.startsWith('| :'));
