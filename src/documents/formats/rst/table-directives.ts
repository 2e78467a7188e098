/** Tables that directives state: as a list of rows, or as comma-separated values. */

import { type MarkedRow, plainCells } from '../../blocks/table-rows.ts';
import type { Range } from './lines.ts';

/** The body of a directive, and the lines of its options. */
interface StatedTable {
  readonly lines: readonly string[];
  readonly body: Range;
  readonly options: readonly string[];
}

/** Reads a list of rows, each a list of cells. */
export function listTable(table: StatedTable): MarkedRow[] {
  const { lines, body } = table;
  const rows: { cells: string[]; line: number }[] = [];
  let column = 0;
  for (let at = body.from; at < body.to; at++) {
    const line = lines[at]!.slice(body.indent);
    if (/^[*+-](?: |$)/.test(line)) {
      rows.push({ cells: [], line: at });
      column = Math.max(1, line.slice(1).search(/[*+-]/) + 1);
    }
    const row = rows.at(-1);
    if (row === undefined || line.trim() === '') continue;
    // Marks further to the right are those of lists inside a cell.
    if (/^[*+-](?: |$)/.test(line.slice(column))) row.cells.push(line.slice(column + 1).trim());
    else row.cells.push(`${row.cells.pop() ?? ''} ${line.trim()}`);
  }
  return withHeads(rows, Number(optionOf(table.options, 'header-rows') ?? 0));
}

/** Reads rows of comma-separated values. */
export function csvTable(table: StatedTable): MarkedRow[] {
  const { lines, body, options } = table;
  const header = optionOf(options, 'header');
  const rows = lines
    .slice(body.from, body.to)
    .map((line, at) => ({ cells: csvCells(line), line: body.from + at }))
    .filter(({ line }) => lines[line] !== '');
  const heads = Number(optionOf(table.options, 'header-rows') ?? 0);
  if (header === undefined) return withHeads(rows, heads);
  const stated = { cells: csvCells(header), line: body.from - options.length };
  return withHeads([stated, ...rows], heads + 1);
}

/** Returns the value of an option, which may go on below, of the lines between name and content. */
export function optionOf(options: readonly string[], name: string): string | undefined {
  const at = options.findIndex(line => line.trimStart().startsWith(`:${name}:`));
  if (at < 0) return undefined;
  const rest = options.slice(at + 1);
  const end = rest.findIndex(line => line.trim() === '' || /^\s*:[\w-]+:/.test(line));
  const parts = [
    options[at]!.trim().slice(name.length + 2),
    ...(end < 0 ? rest : rest.slice(0, end)),
  ];
  return parts
    .map(part => part.trim())
    .join(' ')
    .trim();
}

const withHeads = (
  rows: readonly { readonly cells: readonly string[]; readonly line: number }[],
  heads: number,
): MarkedRow[] =>
  rows.map(({ cells, line }, at) => ({ cells: plainCells(cells), line, isHead: at < heads }));

function csvCells(line: string): string[] {
  return [...line.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)]
    .map(([, quoted, plain]) => (quoted ?? plain ?? '').replaceAll('""', '"').trim())
    .slice(0, -1);
}
