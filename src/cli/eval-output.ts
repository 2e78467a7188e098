/** Prints the result of `multihop eval`. */
import { textReport } from '../evaluation/report/text-report.ts';
import type { EvaluationRun } from '../experiments/evaluation-run.ts';
import type { Output } from './output.ts';

/** Prints the report of an evaluation, or its object for `--json`. */
export function printEvaluation({ result }: EvaluationRun, output: Output): void {
  const failed = result.rows.reduce((sum, row) => sum + row.failed, 0);
  if (failed > 0) output.warn(`${failed} runs failed and were scored as empty`);
  if (output.json) output.object(printed(result));
  else output.line(textReport(result).trimEnd());
}

/** Returns the documented keys alone; the manifest gets the sizes of groups and the failed runs. */
function printed({
  dataset,
  questions,
  groups,
  rows,
  pairs,
  controls,
  costs,
  manifest,
}: EvaluationRun['result']): object {
  const failed = Object.fromEntries(rows.map(row => [row.id, row.failed]));
  return {
    dataset,
    questions,
    rows: rows.map(({ failed: _, ...row }) => row),
    pairs,
    controls,
    costs,
    manifest: { ...manifest, groups, failed },
  };
}
