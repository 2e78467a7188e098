/** Simple and grid tables of reStructuredText as rows of cells. */

import type { MarkedTable } from '../../blocks/table-rows.ts';

/** Matches the rule of a simple table. */
export const SIMPLE_RULE: RegExp = /^=+(?: +=+)+$/;
/** Matches the rule of a grid table. */
export const GRID_RULE: RegExp = /^\+(?:[-=]+\+)+$/;

/** Returns the end of a simple table: its third rule, or its second before a blank line. */
export function endOfSimpleTable(lines: readonly string[], from: number, to: number): number {
  let rules = 1;
  for (let at = from + 1; at < to; at++) {
    if (!SIMPLE_RULE.test(lines[at]!.trim())) continue;
    rules++;
    if (rules === 3 || at + 1 >= to || lines[at + 1]!.trim() === '') return at + 1;
  }
  return to;
}

/** Reads a simple table: a row begins where its first column has text. */
export function simpleTable(lines: readonly string[]): MarkedTable {
  const columns = [...lines[0]!.matchAll(/=+/g)].map(({ index }) => index);
  const cellsOf = (line: string): string[] =>
    columns.map((start, at) => line.slice(start, columns[at + 1] ?? line.length).trim());
  const rows: { cells: string[]; line: number }[] = [];
  let heads: string[] = [];
  for (const [number, line] of lines.entries()) {
    if (number === 0 || line.trim() === '' || /^-+(?: +-+)*$/.test(line.trim())) continue;
    if (SIMPLE_RULE.test(line.trim())) {
      if (number < lines.length - 1 && heads.length === 0)
        heads = joined(
          rows.splice(0).map(({ cells }) => cells),
          columns.length,
        );
      continue;
    }
    const cells = cellsOf(line);
    const open = rows.at(-1);
    if (cells[0] === '' && open !== undefined)
      open.cells = joined([open.cells, cells], columns.length);
    else rows.push({ cells, line: number });
  }
  return { heads, rows };
}

/** Reads a grid table; cells over several rows stand in the first. */
export function gridTable(lines: readonly string[]): MarkedTable {
  const rows: { cells: string[]; line: number }[] = [];
  let heads: readonly string[] = [];
  let open: { cells: string[]; line: number } | undefined;
  for (const [number, row] of lines.entries()) {
    const line = row.trim();
    if (GRID_RULE.test(line)) {
      if (open !== undefined) rows.push(open);
      open = undefined;
      if (line.includes('=')) heads = rows.splice(0).at(-1)?.cells ?? [];
      continue;
    }
    const cells = line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map(cell => cell.trim());
    open =
      open === undefined
        ? { cells, line: number }
        : { ...open, cells: joined([open.cells, cells], cells.length) };
  }
  if (open !== undefined) rows.push(open);
  return { heads, rows };
}

function joined(rows: readonly (readonly string[])[], width: number): string[] {
  return Array.from({ length: width }, (_, column) =>
    rows
      .map(cells => cells[column] ?? '')
      .filter(Boolean)
      .join(' '),
  );
}
