/**
 * Keeps cells beyond the last column of a table, which GitHub's rules leave out without a word:
 * they are read before the library reads the table, and stand without a head.
 */
import type { MarkdownIt, StateBlock } from 'markdown-it';
import type { Node } from './nodes.ts';

const WIDE_ROWS = 'wide_rows';
/** Matches the line below the heads of a table. */
const DELIMITER = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/;

export function keepWideRows(parser: MarkdownIt): void {
  parser.block.ruler.before('table', WIDE_ROWS, wideRows);
}

/** Adds the cells of a table that are too many, with their lines; the table follows. */
function wideRows(state: StateBlock, from: number, to: number, isTest: boolean): boolean {
  if (isTest || from + 2 >= to) return false;
  const lineOf = (at: number): string =>
    state.src.slice(state.bMarks[at]! + state.tShift[at]!, state.eMarks[at]).trim();
  const [heads, delimiter] = [lineOf(from), lineOf(from + 1)];
  if (!heads.includes('|') || !DELIMITER.test(delimiter)) return false;
  const columns = cellsOf(heads).length;
  if (columns !== cellsOf(delimiter).length) return false;
  const further: [line: number, cell: string][] = [];
  for (let at = from + 2; at < to && !state.isEmpty(at); at++) {
    if (state.sCount[at]! < state.blkIndent) break;
    for (const cell of cellsOf(lineOf(at)).slice(columns)) further.push([at, cell]);
  }
  if (further.length === 0) return false;
  state.push(WIDE_ROWS, '', 1).map = [from, from];
  for (const [line, cell] of further) {
    const inline = state.push('inline', '', 0);
    inline.content = cell;
    inline.map = [line, line + 1];
    inline.children = [];
  }
  state.push(WIDE_ROWS, '', -1);
  return false;
}

/** Splits a row at its bars, except those behind a backslash. */
function cellsOf(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).map(cell => cell.replaceAll('\\|', '|').trim());
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}

/** Tells whether a node holds the cells that are too many in the table after it. */
export const isWideRows = ({ token }: Node): boolean => token.type === WIDE_ROWS;
