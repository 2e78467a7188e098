/** Prints rows of tables with the heads of their columns. */
import { type BlockFacts, type BlockWriter, oneLine } from './block-writer.ts';
import type { Inline } from './inline.ts';

/**
 * Returns a row as "Option: bodyLimit | Default: 1048576"; empty cells are left out, and heads
 * where a table has none.
 */
export function rowText(heads: readonly string[], cells: readonly string[]): string {
  return cells
    .flatMap((cell, column) => {
      const text = oneLine(cell);
      const head = oneLine(heads[column] ?? '').replace(/:$/, '');
      if (text === '') return [];
      return [head === '' || head === text ? text : `${head}: ${text}`];
    })
    .join(' | ');
}

/** A table as its marks delimit it: rows of cells, with their lines from 0. */
export interface MarkedTable {
  readonly heads: readonly string[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly line: number }[];
}

/** Adds the rows of a table; `from` is the line above its first, from 1, `inline` reads a cell. */
export function writeRows(
  writer: BlockWriter,
  { heads, rows }: MarkedTable,
  { from, under }: { readonly from: number } & Required<Pick<BlockFacts, 'under'>>,
  inline: (cell: string) => Inline,
): void {
  const plain = heads.map(head => inline(head).text);
  for (const { cells, line } of rows) {
    const read = cells.map(inline);
    const texts = read.map(({ text }) => text);
    const links = read.flatMap(cell => cell.links);
    writer.block(rowText(plain, texts), { kind: 'table-row', line: from + line, under, links });
  }
}
