/** A table as plain text for a terminal; imports no report, so that a command may print tables. */
import { breakable, isLeft, type ReportTable } from './report-table.ts';

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
export const plain = (text: string): string => text.replace(/\p{C}+/gu, ' ');

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
