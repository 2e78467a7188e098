/** Builds the table of the measures of rankings, with the number of questions that count. */
import type { EvaluationResult, RowResult } from '../evaluation-result.ts';
import { formatEstimate, formatValue } from './format-value.ts';
import type { ReportTable } from './report-table.ts';

const RANKING = /^(?:All)?Recall@|^(?:NDCG|Precision)@|^ReciprocalRank\(ranking\)$/;

/** Tells whether a measure stands in the table of rankings. */
export const isRankingMeasure = (name: string): boolean => RANKING.test(name);

/** Returns the table; its `n` are the questions with gold, several where measures differ in it. */
export function rankingTable(
  { rows }: EvaluationResult,
  label: (row: RowResult) => string,
): ReportTable {
  const names = [...new Set(rows.flatMap(row => Object.keys(row.measures)))].filter(
    isRankingMeasure,
  );
  const shown = rows.filter(row => names.some(name => row.measures[name] !== undefined));
  const cell = (row: RowResult, name: string): string => {
    const estimate = row.measures[name];
    if (!estimate) return formatValue(name, undefined);
    const { mean, low, high, n } = estimate;
    return formatEstimate(name, { mean, low, high, n });
  };
  const counted = (row: RowResult): string =>
    [...new Set(names.flatMap(name => row.measures[name]?.n ?? []))].join(' / ');
  return {
    id: 'ranking',
    heading: 'Ranked documents',
    notes: [
      'Documents in the order in which a system hands them over, evidence first, with 95 % intervals. n: questions with a relevant document; one without hits counts 0.',
    ],
    columns: ['system', 'n', ...names],
    rows: shown.map(row => [label(row), counted(row), ...names.map(name => cell(row, name))]),
  };
}
