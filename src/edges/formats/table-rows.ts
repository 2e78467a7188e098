/** Prints rows of tables with the heads of their columns. */
import { oneLine } from './block-writer.ts';

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
