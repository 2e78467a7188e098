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

/** Reads rows of comma-separated values, of which a quoted one may go on over lines. */
export function csvTable(table: StatedTable): MarkedRow[] {
  const { lines, body, options } = table;
  const header = optionOf(options, 'header');
  const stated = optionOf(options, 'delim') ?? ',';
  const delimiter = NAMED_DELIMITERS[stated] ?? stated[0] ?? ',';
  const rows: { cells: string[]; line: number }[] = [];
  let open: string[] = [];
  let isOpen = false;
  for (let at = body.from; at < body.to; at++) {
    // A cell is open while its quotes are not even; the last line ends it anyhow.
    if (lines[at]!.split('"').length % 2 === 0) isOpen = !isOpen;
    open.push(lines[at]!);
    if (isOpen && at + 1 < body.to) continue;
    const text = open.join('\n').trim();
    if (text !== '') rows.push({ cells: csvCells(text, delimiter), line: at - open.length + 1 });
    open = [];
  }
  const heads = Number(optionOf(options, 'header-rows') ?? 0);
  if (header === undefined) return withHeads(rows, heads);
  const first = { cells: csvCells(header, delimiter), line: body.from - options.length };
  return withHeads([first, ...rows], heads + 1);
}

const NAMED_DELIMITERS: Readonly<Record<string, string>> = { tab: ' ', space: ' ' };

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

/** Splits a row in one pass; a quote inside quotes stands twice. */
function csvCells(row: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (const part of row.split(/(")/)) {
    if (part === '"') {
      quoted = !quoted;
      cell += part;
      continue;
    }
    const [first = '', ...rest] = quoted ? [part] : part.split(delimiter);
    cell += first;
    for (const next of rest) {
      cells.push(cell);
      cell = next;
    }
  }
  return [...cells, cell].map(unquoted);
}

function unquoted(cell: string): string {
  const text = cell.trim();
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
  return (isQuoted ? text.slice(1, -1) : text).replaceAll('""', '"').trim();
}
