/** A report as Markdown. */
import type { EvaluationResult } from '../evaluation-result.ts';
import type { Curves } from './abstention-section.ts';
import { isLeft, type ReportTable } from './report-table.ts';
import { reportSummary, reportTables } from './report-tables.ts';

/**
 * Text as Markdown shows it: nothing in a name or note becomes markup or ends a cell. Brackets are
 * text unless a link follows them at once, so that intervals stay as they are.
 */
const escaped = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_<>|]|\](?=[[(:])/g, '\\$&')
    .trim();

export function markdownTable(table: ReportTable): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = table.columns.map((_, index) => (isLeft(table, index) ? ':--' : '--:'));
  return [
    line(table.columns.map(escaped)),
    line(rule),
    ...table.rows.map(row => line(row.map(escaped))),
  ].join('\n');
}

/** All tables, with their notes, and the manifest. */
export function markdownReport(result: EvaluationResult, curves: Curves = {}): string {
  const sections = reportTables(result, curves).map(table =>
    [`## ${escaped(table.heading)}`, ...table.notes.map(escaped), markdownTable(table)].join(
      '\n\n',
    ),
  );
  const manifest = `## Manifest\n\n${fenced(JSON.stringify(result.manifest, null, 2))}`;
  return `${[`# Evaluation on ${escaped(result.dataset)}`, reportSummary(result).map(escaped).join('\n'), ...sections, manifest].join('\n\n')}\n`;
}

/** A code block whose fence is longer than any run of backticks inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
}
