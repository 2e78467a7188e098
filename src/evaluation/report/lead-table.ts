/** Builds the first table of the HTML report: right answers and evidence of every system. */
import type { EvaluationResult, RowResult } from '../evaluation-result.ts';
import { formatEstimate, formatValue } from './format-value.ts';
import { leadMeasures } from './lead-measures.ts';
import type { ReportTable } from './report-table.ts';
import { rowLabels } from './row-labels.ts';

export function leadTable(result: EvaluationResult): ReportTable {
  const labels = rowLabels(result.rows);
  const { right, evidence } = leadMeasures(result);
  const refusals = ['AbstainedNull', 'RefusedAnswerable'];
  const names = [...(right === undefined ? [] : [right]), ...evidence, ...refusals].filter(name =>
    result.rows.some(row => row.measures[name] !== undefined),
  );
  const cell = (row: RowResult, name: string): string => {
    const estimate = row.measures[name];
    if (!estimate) return formatValue(name, undefined);
    const { mean, low, high, n } = estimate;
    return formatEstimate(name, { mean, low, high, n });
  };
  const failed = result.rows.some(row => row.failed > 0);
  return {
    id: 'lead',
    heading: 'Accuracy and evidence',
    notes: [
      `Percent with 95 % intervals over resampled questions; of fewer than 20 questions their number instead.${right === undefined ? '' : ` Right answers: ${right}.`}`,
    ],
    columns: ['system', ...names, ...(failed ? ['failed runs'] : []), 'context tokens'],
    rows: result.rows.map(row => [
      labels.get(row.id)!,
      ...names.map(name => cell(row, name)),
      ...(failed ? [String(row.failed)] : []),
      formatValue('ContextTokens', row.measures['ContextTokens']?.mean),
    ]),
  };
}
