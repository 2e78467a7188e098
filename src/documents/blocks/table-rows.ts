/** Prints rows of tables with the heads of their columns. */
import type { BlockFacts, BlockWriter } from './block-writer.ts';
import type { Inline } from './inline.ts';
import { rowOf, type TableCell, TableGrid, type TableRow } from './table-grid.ts';

/** Returns a row of cells that cover one column each. */
export function rowText(heads: readonly string[], cells: readonly string[]): string {
  return rowOf(cells.map((cell, column) => [heads[column] ?? '', cell] as const));
}

/** A row as its marks delimit it, with its line from 0. */
export interface MarkedRow {
  readonly cells: readonly TableCell[];
  readonly line: number;
  readonly isHead?: boolean;
}

/** Returns cells that cover one column and one row each. */
export const plainCells = (texts: readonly string[]): TableCell[] => texts.map(text => ({ text }));

/** Adds the rows of a table; `from` is the line above its first, from 1, `inline` reads a cell. */
export function writeRows(
  writer: BlockWriter,
  rows: readonly MarkedRow[],
  { from, under }: { readonly from: number } & Required<Pick<BlockFacts, 'under'>>,
  inline: (cell: string) => Inline,
): void {
  const grid = new TableGrid();
  const write = (printed: readonly TableRow[]): void => {
    for (const { text, kind, line, links } of printed)
      writer.block(text, { kind, line, under, links });
  };
  for (const { cells, line, isHead } of rows) {
    const read = cells.map(cell => ({ ...cell, ...inline(cell.text) }));
    write(grid.row(read, from + line, isHead));
  }
  write(grid.end());
}
