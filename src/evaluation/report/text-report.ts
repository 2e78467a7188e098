/** A report as plain text for a terminal. */
import type { EvaluationResult } from '../evaluation-result.ts';
import type { Curves } from './abstention-section.ts';
import { breakable, isLeft, type ReportTable } from './report-table.ts';
import { reportSummary, reportTables } from './report-tables.ts';

/** Headings break into lines of about this many characters. */
const HEADING_WIDTH = 12;

function headingLines(name: string): string[] {
  const lines = [''];
  for (const piece of name
    .split(' ')
    .flatMap((word, index) => (index === 0 ? breakable(word) : [' ', ...breakable(word)]))) {
    const last = lines.at(-1)!;
    if (last !== '' && last.length + piece.length > HEADING_WIDTH) lines.push(piece.trimStart());
    else lines[lines.length - 1] = last + piece;
  }
  return lines.map(line => line.trim()).filter(line => line !== '');
}

/** Characters from outside the table that would move a terminal's cursor or colour are dropped. */
const plain = (text: string): string => text.replace(/\p{C}+/gu, ' ');

export function textTable(table: ReportTable): string {
  const heads = table.columns.map(name => headingLines(plain(name)));
  const rows = table.rows.map(row => row.map(plain));
  const widths = heads.map((lines, index) =>
    Math.max(...lines.map(line => line.length), ...rows.map(row => row[index]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) =>
        isLeft(table, index) ? cell.padEnd(widths[index]!) : cell.padStart(widths[index]!),
      )
      .join('  ')
      .trimEnd();
  const depth = Math.max(...heads.map(lines => lines.length));
  const head = Array.from({ length: depth }, (_, at) =>
    line(heads.map(lines => lines[at - (depth - lines.length)] ?? '')),
  );
  return [...head, line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** All tables, with their notes, and the manifest. */
export function textReport(result: EvaluationResult, curves: Curves = {}): string {
  const sections = reportTables(result, curves).map(table =>
    [table.heading, ...table.notes.map(note => `  ${note}`), '', textTable(table)].join('\n'),
  );
  const manifest = `Manifest\n${JSON.stringify(result.manifest, null, 2)}`;
  return `${[[`Evaluation on ${plain(result.dataset)}`, ...reportSummary(result)].join('\n'), ...sections, manifest].join('\n\n')}\n`;
}
