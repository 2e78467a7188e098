/** Tables of tbl(1): what their formats say of columns, spans and heads, and their rows. */
import type { TableCell } from '../../blocks/table-grid.ts';
import type { MarkedRow } from '../../blocks/table-rows.ts';

/** Formats of the columns of a row: alignment, or `s` and `^` for a cell that spans. */
type Formats = readonly string[];

const FORMAT_END = /\.\s*$/;

/** Reads the lines between `.TS` and `.TE`; lines of rows count from 0. */
export function tableRows(lines: readonly string[], from: number, to: number): MarkedRow[] {
  let at = from + 1;
  let tab = '\t';
  // Options end with a semicolon, formats of columns with a full stop.
  if (/;\s*$/.test(lines[at] ?? '')) tab = /tab\s*\((.)\)/i.exec(lines[at++]!)?.[1] ?? '\t';
  const rows: Row[] = [];
  let formats: Formats[] = [];
  let ruled = 0;
  do {
    const stated = at;
    while (at < to && !FORMAT_END.test(lines[at]!)) at++;
    formats = formatsOf(lines.slice(stated, ++at).join('\n'));
    const section = sectionRows({ lines, to, tab }, at);
    for (const [index, row] of section.rows.entries())
      rows.push({ ...row, formats: formats[Math.min(index, formats.length - 1)] ?? [] });
    ruled ||= section.ruled;
    at = section.end;
  } while (at < to);
  const heads = ruled > 0 ? ruled : boldRows(rows);
  return placed(rows).map((row, index) => ({ ...row, isHead: index < heads }));
}

interface Row {
  readonly cells: readonly string[];
  readonly line: number;
  readonly formats: Formats;
}

/** Returns the formats of each row: `lb l` is a bold column and a plain one. */
function formatsOf(stated: string): Formats[] {
  return (
    stated
      .replace(FORMAT_END, '')
      // Fonts and widths; a bold font is the same as the modifier `b`.
      .replace(/[fF](CW|[A-Z\d]|\([^)]*\))|\([^)]*\)/g, (_, font) => (font === 'B' ? 'b' : ''))
      .split(/[,\n]/)
      .map(row => row.match(/[LRCNASlrcnas^][^LRCNASlrcnas^|]*/g) ?? [])
  );
}

interface Table {
  readonly lines: readonly string[];
  readonly to: number;
  readonly tab: string;
}

/** Reads rows up to other formats; `ruled`: number of rows above the first rule. */
function sectionRows(
  { lines, to, tab }: Table,
  from: number,
): { readonly rows: Omit<Row, 'formats'>[]; readonly ruled: number; readonly end: number } {
  const rows: { cells: string[]; line: number }[] = [];
  let ruled = 0;
  let inText = false;
  let at = from;
  for (; at < to && (inText || !/^\.T&/.test(lines[at]!)); at++) {
    const line = lines[at]!;
    if (!inText && /^[_=]\s*$/.test(line)) ruled ||= rows.length;
    if (!inText && (/^[.'_=]/.test(line) || line.trim() === '')) continue;
    const open = rows.at(-1);
    if (inText && open !== undefined && !line.startsWith('T}')) {
      const text = /^[.']/.test(line) ? line.replace(/^[.']\s*\w+\s*/, '') : line;
      open.cells.push(`${open.cells.pop() ?? ''} ${text}`.trim());
      continue;
    }
    const parts = (inText ? line.slice(2).replace(tab, '') : line).split(tab);
    if (!inText) rows.push({ cells: [], line: at });
    if (!(inText && line.trim() === 'T}'))
      rows.at(-1)!.cells.push(...parts.map(part => (part.trim() === 'T{' ? '' : part)));
    inText = /T\{\s*$/.test(line);
  }
  return { rows, ruled, end: at < to ? at + 1 : to };
}

/** Returns the number of first rows that are set bold where others are not. */
function boldRows(rows: readonly Row[]): number {
  const isBold = ({ cells, formats }: Row): boolean =>
    cells.every(
      (cell, at) =>
        cell.trim() === '' || /^\\f(?:B|\[B\])/.test(cell) || /b/i.test(formats[at] ?? ''),
    );
  const first = rows.findIndex(row => !isBold(row));
  return first === 1 ? 1 : 0;
}

/** Makes cells of texts: one goes on to the right where a format is `s`, down where it is `^`. */
function placed(rows: readonly Row[]): MarkedRow[] {
  let above: readonly string[] = [];
  return rows.map(({ cells, line, formats }) => {
    const found: (TableCell & { columns: number })[] = [];
    const texts = [...cells];
    const width = Math.max(cells.length, formats.length);
    const columns: string[] = [];
    for (let column = 0; column < width; column++) {
      const format = formats[column] ?? '';
      const last = found.at(-1);
      const spans = /^s/i.test(format) && last !== undefined;
      const stated = texts.shift() ?? '';
      const goesOn = format.startsWith('^') || stated.trim() === '\\^';
      const text = spans ? '' : goesOn ? (above[column] ?? '') : stated;
      columns.push(spans ? (columns.at(-1) ?? '') : text);
      if (spans && stated.trim() === '') last.columns++;
      else found.push({ text: spans ? stated : text, columns: 1 });
    }
    above = columns;
    return { cells: found, line };
  });
}
