/** Simple and grid tables of reStructuredText as rows of cells, which may span columns and rows. */

import type { TableCell } from '../../blocks/table-grid.ts';
import type { MarkedRow } from '../../blocks/table-rows.ts';

/** Matches the rule of a simple table. */
export const SIMPLE_RULE: RegExp = /^=+(?: +=+)+$/;
/** Matches the rule of a grid table. */
export const GRID_RULE: RegExp = /^\+(?:[-=]+\+)+$/;
/** Matches the line below cells of a simple table that span columns. */
const SPAN_RULE = /^(?:-+(?: +-+)*|=+(?: +=+)*)$/;

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

interface SimpleRow {
  readonly lines: string[];
  readonly line: number;
  /** Offsets at which its cells begin. */
  starts: readonly number[];
}

/** Reads a simple table: a row begins where its first column has text. */
export function simpleTable(given: readonly string[]): MarkedRow[] {
  const lines = given.map(widened);
  const columns = startsOf(lines[0]!);
  const rows: SimpleRow[] = [];
  let heads = 0;
  for (const [number, line] of lines.entries()) {
    if (number === 0 || line.trim() === '') continue;
    const open = rows.at(-1);
    if (SPAN_RULE.test(line.trim())) {
      const starts = startsOf(line);
      if (open !== undefined && starts.length < columns.length) open.starts = starts;
      if (line.trim().startsWith('=') && number < lines.length - 1 && heads === 0)
        heads = rows.length;
    } else if (open !== undefined && rows.length > heads && line.slice(0, columns[1]).trim() === '')
      open.lines.push(line);
    else rows.push({ lines: [line], line: number, starts: columns });
  }
  return rows.map((row, at) => ({
    cells: simpleCells(row, columns),
    line: row.line,
    isHead: at < heads,
  }));
}

const startsOf = (rule: string): number[] => [...rule.matchAll(/[-=]+/g)].map(({ index }) => index);

function simpleCells({ lines, starts }: SimpleRow, columns: readonly number[]): TableCell[] {
  return starts.map((start, at) => {
    const end = starts[at + 1] ?? Number.POSITIVE_INFINITY;
    const text = lines.map(line => narrowed(line.slice(start, end)).trim()).filter(Boolean);
    const covered = columns.filter(column => column >= start && column < end);
    return { text: text.join(' '), columns: covered.length };
  });
}

/** A grid table by its borders: lines of rules, and offsets of columns. */
interface Grid {
  readonly lines: readonly string[];
  readonly rules: readonly number[];
  readonly columns: readonly number[];
}

/** Reads a grid table: a cell reaches to the borders that are drawn. */
export function gridTable(given: readonly string[]): MarkedRow[] {
  const lines = given.map(line => widened(line.trimEnd()));
  const rules = lines.flatMap((line, at) => (/\+[-=]+\+/.test(line) ? [at] : []));
  const columns = new Set<number>();
  for (const at of rules)
    for (const { index, 0: rule } of lines[at]!.matchAll(/\+(?=[-=])|(?<=[-=])\+/g))
      columns.add(index + rule.length - 1);
  const grid = { lines, rules, columns: [...columns].sort((a, b) => a - b) };
  const head = rules.findIndex((at, index) => index > 0 && /\+=+\+/.test(lines[at]!));
  const taken = new Set<string>();
  return rules.slice(0, -1).map((from, row) => ({
    cells: gridRow(grid, row, taken),
    line: from + 1,
    isHead: row < head,
  }));
}

/** Reads the cells that begin in a row; `taken` has the places of cells so far. */
function gridRow(grid: Grid, row: number, taken: Set<string>): TableCell[] {
  const cells: TableCell[] = [];
  for (let column = 0; column + 1 < grid.columns.length; column++) {
    if (taken.has(`${row} ${column}`)) continue;
    let right = column + 1;
    while (right + 1 < grid.columns.length && !isBorder(grid, row, right)) right++;
    let below = row + 1;
    while (below + 1 < grid.rules.length && !isRule(grid, below, column, right)) below++;
    for (let at = row; at < below; at++)
      for (let each = column; each < right; each++) taken.add(`${at} ${each}`);
    const [start, end] = [grid.columns[column]! + 1, grid.columns[right]!];
    const inside = grid.lines.slice(grid.rules[row]! + 1, grid.rules[below]!);
    const text = inside.map(line => narrowed(line.slice(start, end)).trim()).filter(Boolean);
    cells.push({ text: text.join(' '), columns: right - column, rows: below - row });
  }
  return cells;
}

/** Tells whether a border is drawn between two columns, in all lines of a row. */
function isBorder({ lines, rules, columns }: Grid, row: number, column: number): boolean {
  const inside = lines.slice(rules[row]! + 1, rules[row + 1]);
  return inside.every(line => /[|+]/.test(line[columns[column]!] ?? '|'));
}

/** Tells whether a rule is drawn below a row, over all columns of a cell. */
function isRule({ lines, rules, columns }: Grid, row: number, from: number, to: number): boolean {
  const over = lines[rules[row]!]!.slice(columns[from]! + 1, columns[to]);
  return /^[-=+]+$/.test(over);
}

/** Characters that are drawn over two columns, which borders count. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

/** Adds a mark behind each wide character, so that offsets are columns. */
const widened = (line: string): string => line.replace(WIDE, '$&\0');
const narrowed = (text: string): string => text.replaceAll('\0', '');
