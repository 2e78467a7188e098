/** Writes the rows of tables, each with the heads of its columns. */
import { type BlockFacts, type BlockWriter, oneLine } from './block-writer.ts';

/** One row of a table. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly facts: BlockFacts;
}

/**
 * Writes a row as "Option: bodyLimit | Default: 1048576"; empty cells are left out, and heads where
 * a table has none.
 */
export function writeRow(
  writer: BlockWriter,
  heads: readonly string[],
  { cells, facts }: TableRow,
): void {
  const shown = cells.flatMap((cell, column) => {
    const text = oneLine(cell);
    const head = oneLine(heads[column] ?? '').replace(/:$/, '');
    if (text === '') return [];
    return [head === '' || head === text ? text : `${head}: ${text}`];
  });
  writer.block(shown.join(' | '), { ...facts, kind: 'table-row' });
}
