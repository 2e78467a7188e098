/** Tells columns of prose from the columns of a table, which are read row by row. */
import type { PdfLine } from './lines.ts';

type Column = readonly (PdfLine | undefined)[];

/** Fewest words of a line of prose; cells of tables hold one or two. */
const FEWEST_WORDS = 3;
/** Fewest rows that tell columns from words that happen to stand above each other. */
export const FEWEST_ROWS: number = 3;

/** Least share of its width that a line fills with the next word, which did not fit in. */
export const FILLED = 0.8;

export const FINISHED: RegExp = /[.!?:;…。！？；：।؟۔][\p{Pe}\p{Pf}"'’”]{0,3}$/u;

/** Tells if the text of each column goes on from line to line, and that of rows does not. */
export function isProse(columns: readonly Column[]): boolean {
  const rows = columns[0]!.map((_, at) => columns.filter(column => column[at]).length);
  if (rows.filter(count => count > 1).length < FEWEST_ROWS || !columns.every(isFilled))
    return false;
  const found = columns.map(flowOf);
  const sum = (key: 'agrees' | 'goesOn' | 'breaks'): number =>
    found.reduce((total, flow) => total + flow[key], 0);
  return (
    found.every(({ agrees, breaks }) => breaks <= agrees) &&
    sum('agrees') >= sum('breaks') * 2 &&
    sum('goesOn') * 4 >= sum('agrees') + sum('breaks') &&
    columns.some(column => column.some(line => line && /[.!?。！？।؟۔]/u.test(line.text))) &&
    !beginTogether(columns, found)
  );
}

/** Tells if a column has lines of several words, one below the other. */
function isFilled(column: Column): boolean {
  const from = column.findIndex(line => line !== undefined);
  const inner = column.slice(from, column.findLastIndex(line => line !== undefined) + 1);
  const lines = inner.filter(line => line !== undefined);
  const words = lines.reduce((sum, { text }) => sum + wordCount(text), 0);
  return words >= lines.length * FEWEST_WORDS && lines.length * 3 >= inner.length * 2;
}

/** A word with the signs around it; names and terms of code are none. */
const WORD = /^[\p{Ps}\p{Pi}"']*\p{L}[\p{L}\p{M}'’-]*\p{P}{0,3}$/u;

/** Counts words; two letters of a script without cases count as one. */
export const wordCount = (text: string): number =>
  text.split(' ').filter(token => WORD.test(token) && !/\p{Lo}{2}/u.test(token)).length +
  (text.match(/\p{Lo}/gu)?.length ?? 0) / 2;

interface Flow {
  /** Lines that agree with prose. */
  readonly agrees: number;
  /** Rows that begin a sentence. */
  readonly starts: readonly number[];
  /** Lines that go on in the middle of a sentence by their first letter. */
  readonly goesOn: number;
  /** Lines that contradict prose. */
  readonly breaks: number;
}

/** Looks at each line of a column and the line above. */
function flowOf(column: Column): Flow {
  const starts: number[] = [];
  let [agrees, goesOn, breaks] = [0, 0, 0];
  const width = Math.max(...column.map(line => (line ? line.end - line.x : 0)));
  let above: PdfLine | undefined;
  column.forEach((line, row) => {
    if (line && above) {
      const isLower = /^\p{Ll}/u.test(line.text);
      const isFinished = FINISHED.test(above.text);
      const isFull = widthWith(above, line) >= width * FILLED;
      if (isFinished ? isLower : !isFull) breaks++;
      else {
        agrees++;
        if (isFinished) starts.push(row);
        else if (isLower || /^\p{Lo}/u.test(line.text)) goesOn++;
      }
    }
    above = line ?? above;
  });
  return { agrees, starts, goesOn, breaks };
}

/** Returns the width of a line with the first word of the next. */
export function widthWith({ x, end }: PdfLine, next: PdfLine): number {
  const word = next.text.indexOf(' ');
  const share = (word < 0 ? next.text.length : word + 1) / next.text.length;
  return end - x + (next.end - next.x) * share;
}

/** Tells if sentences begin in the same rows of all columns: cells of a table do. */
function beginTogether(columns: readonly Column[], found: readonly Flow[]): boolean {
  const [first, ...others] = found.map(({ starts }) => starts.join());
  const starts = found[0]!.starts;
  if (starts.length === 0 || others.some(each => each !== first)) return false;
  return starts.length > 1 || columns.every(column => isApart(column, starts[0]!));
}

/** Tells if a line of a column is farther from the line above than others are. */
function isApart(column: Column, row: number): boolean {
  const gapAt = (at: number): number =>
    column[at] && column[at - 1] ? column[at - 1]!.y - column[at]!.y : 0;
  return column.every((_, at) => at === row || gapAt(at) < gapAt(row) * 0.9);
}
