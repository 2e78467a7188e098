/** A report as plain text for a terminal. */
import type { EvaluationResult } from '../evaluation-result.ts';
import type { Curves } from './abstention-section.ts';
import { reportSummary, reportTables } from './report-tables.ts';
import { plain, textTable } from './text-table.ts';

/** All tables, with their notes, and the manifest. */
export function textReport(result: EvaluationResult, curves: Curves = {}): string {
  const sections = reportTables(result, curves).map(table =>
    [table.heading, ...table.notes.map(note => `  ${note}`), '', textTable(table)].join('\n'),
  );
  const manifest = `Manifest\n${JSON.stringify(result.manifest, null, 2)}`;
  return `${[[`Evaluation on ${plain(result.dataset)}`, ...reportSummary(result)].join('\n'), ...sections, manifest].join('\n\n')}\n`;
}
