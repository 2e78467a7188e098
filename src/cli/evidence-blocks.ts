/** Lays out the blocks of the evidence: of a comparison both sides, in columns where they fit. */
import type { ShownBlock } from '../session/shown-evidence.ts';
import { evidenceLines } from './evidence-text.ts';
import type { Page } from './run-text.ts';
import { printable, shorten, wrapBehind } from './wrap.ts';

/** Columns of a terminal that has room for two readable columns of text. */
const LEAST_COLUMNS = 120;
const RULE = ' │ ';

/** Lays out all blocks; `fold` as in `evidenceLines`. */
export function blockLines(blocks: readonly ShownBlock[], page: Page, fold?: string): string[] {
  const [first, second, ...rest] = blocks;
  const { columns = 0, style } = page;
  if (first?.side === undefined || second?.side === undefined || columns < LEAST_COLUMNS)
    return blocks.flatMap(block => linesOf(block, blocks.length > 1, page, fold));
  const width = Math.floor((columns - RULE.length) / 2);
  const [left, right] = [first, second].map(block =>
    linesOf(block, true, { style, width }, fold).flatMap(line => rowsOf(line, width)),
  );
  const paired = Array.from({ length: Math.max(left!.length, right!.length) }, (_, at) =>
    `${padded(left![at] ?? '', width)}${style.faint(RULE)}${right![at] ?? ''}`.trimEnd(),
  );
  return [...paired, ...rest.flatMap(block => linesOf(block, true, page, fold))];
}

function linesOf(
  { side, articles }: ShownBlock,
  isHeaded: boolean,
  page: Page,
  fold: string | undefined,
): string[] {
  const lines = evidenceLines(articles, page, fold);
  if (!isHeaded) return lines;
  const head = side === undefined ? 'Other evidence' : printable(side);
  const name = shorten(head, page.width - 2);
  return [...wrapBehind('  ', name, page.width).map(row => page.style.bold(row)), ...lines];
}

/** A code of a terminal, which takes up no column, or one character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: reads the codes that `Style` writes
const PIECES = /\u001b\[(\d+)m|\u001b\]8;;(.*?)\u001b\\|./gsu;

/** Cuts a line that is too long, such as a path; styles end with a row and go on in the next. */
function rowsOf(line: string, width: number): string[] {
  const indent = ' '.repeat(Math.min(width - 1, plain(line).search(/\S|$/)));
  const rows: string[] = [];
  const open = new Map<string, string>();
  let [row, used] = ['', 0];
  for (const [piece, code, link] of line.matchAll(PIECES)) {
    if (code === undefined && link === undefined) {
      if (used === width) {
        rows.push(row + [...open.keys()].reverse().join(''));
        [row, used] = [[...open.values()].join('') + indent, indent.length];
      }
      used += 1;
    } else {
      const end = endOf(code);
      if (piece === end) open.delete(end);
      else open.set(end, piece);
    }
    row += piece;
  }
  return [...rows, row];
}

/** Returns the code that ends a style, or a link. */
function endOf(code: string | undefined): string {
  if (code === undefined) return '\u001b]8;;\u001b\\';
  return ['1', '2', '22'].includes(code) ? '\u001b[22m' : '\u001b[39m';
}

const plain = (row: string): string =>
  row.replace(PIECES, (piece, code, link) =>
    code === undefined && link === undefined ? piece : '',
  );

const padded = (row: string, width: number): string =>
  row + ' '.repeat(Math.max(0, width - [...plain(row)].length));
