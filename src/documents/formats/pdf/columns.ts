/**
 * Orders columns of prose that a page draws row by row, across all columns: each column is read
 * from its top to its end. Rows of tables stay as they are, and know their cells.
 */
import { FEWEST_ROWS, isProse } from './column-prose.ts';
import { GAP, type PdfCell, type PdfLine, spanOf } from './lines.ts';
import { tableRows } from './table-rows.ts';

/** A row of a page, with the line of each of its cells. */
interface Row {
  readonly cells: readonly { readonly cell: PdfCell; readonly line: PdfLine }[];
  readonly line: PdfLine;
}

/** A vertical strip without text. */
type Strip = readonly [from: number, to: number];

/** Rows that follow on each other and leave the same strips free; none if they are no columns. */
interface Run {
  readonly rows: Row[];
  strips: readonly Strip[];
}

/** Most heights of a line between two rows of a column: more is a figure across all columns. */
const FARTHEST = 3.6;

/** Returns the lines of a page in the order in which they are read. */
export function inReadingOrder(lines: readonly PdfLine[]): readonly PdfLine[] {
  const beside = lines.filter((line, at) => line.cells.length > 1 || isBeside(lines[at - 1], line));
  if (beside.length < FEWEST_ROWS) return lines;
  const runs = runsOf(rowsOf(lines));
  if (runs.every(({ strips }) => strips.length === 0)) return lines;
  const columns = runs.map(run => (run.strips.length > 0 ? columnsOf(run) : []));
  const prose = columns.map(each => each.length > 0 && isProse(each));
  const known = runs.flatMap(({ strips }, at) => (prose[at] ? strips : []));
  return runs.flatMap(({ rows, strips }, at) => {
    // A few rows between figures tell little: they go by the columns above or below.
    const isLike =
      rows.length < 3 && strips.every(strip => known.some(each => overlap(each, strip)));
    const isColumns = strips.length > 0 && (isLike || prose[at]);
    if (isColumns) return inOrder(columns[at]!).flat();
    const table = strips.length > 0 ? tableRows(columns[at]!) : undefined;
    return table ?? rows.flatMap(row => [...new Set(row.cells.map(({ line }) => line))]);
  });
}

const overlap = (a: Strip, b: Strip): boolean => a[0] < b[1] && b[0] < a[1];

/** Joins lines that stand beside each other. */
function rowsOf(lines: readonly PdfLine[]): Row[] {
  const rows: { cells: { cell: PdfCell; line: PdfLine }[]; line: PdfLine }[] = [];
  for (const line of lines) {
    const cells = line.cells.map(cell => ({ cell, line }));
    const row = rows.at(-1);
    const last = row?.cells.at(-1);
    if (isBeside(last?.line, line)) row!.cells.push(...cells);
    else rows.push({ cells, line });
  }
  return rows;
}

/** Tells if a line stands on the right of the line before it, whose text is on about its height. */
const isBeside = (last: PdfLine | undefined, line: PdfLine): boolean =>
  last?.angle === line.angle &&
  Math.abs(last.y - line.y) < Math.max(last.size, line.size) * 0.9 &&
  line.x >= last.end;

function runsOf(rows: readonly Row[]): Run[] {
  const runs: Run[] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    const strips = run && continues(run.rows.at(-1)!, row) ? freeOf(run.strips, row) : [];
    if (strips.length > 0) {
      run!.rows.push(row);
      run!.strips = strips;
    } else runs.push({ rows: [row], strips: gapsOf(row) });
  }
  return runs;
}

/** Tells if a row stands below another in the same text, and is no heading by itself. */
function continues({ line: last }: Row, { line, cells }: Row): boolean {
  const size = Math.max(last.size, line.size);
  const isHeading = cells.length === 1 && line.size >= last.size * 1.15;
  const down = last.y - line.y;
  return last.angle === line.angle && down > 0 && down <= size * FARTHEST && !isHeading;
}

function gapsOf({ cells, line }: Row): Strip[] {
  const ordered = cells.map(({ cell }) => cell).sort((a, b) => a.x - b.x);
  const gaps = ordered.slice(1).map(({ x }, at): Strip => [ordered[at]!.end, x]);
  return gaps.filter(strip => isWide(strip, line));
}

const isWide = ([from, to]: Strip, { size }: PdfLine): boolean => to - from >= size * GAP;

/** Returns what a row leaves free of strips. */
const freeOf = (strips: readonly Strip[], { cells, line }: Row): Strip[] =>
  cells
    .reduce<readonly Strip[]>(
      (free, { cell }) =>
        free.flatMap(([from, to]): Strip[] =>
          cell.end <= from || cell.x >= to
            ? [[from, to]]
            : [
                [from, cell.x],
                [cell.end, to],
              ],
        ),
      strips,
    )
    .filter(strip => isWide(strip, line));

/** Returns the lines of each column, row by row; undefined where a row has none. */
function columnsOf({ rows, strips }: Run): (PdfLine | undefined)[][] {
  const ends = [...strips.map(([from]) => from).sort((a, b) => a - b), Number.POSITIVE_INFINITY];
  return ends.map((end, at) =>
    rows.map(({ cells }) => {
      const inside = cells.filter(
        ({ cell }) => cell.end <= end && (at === 0 || cell.end > ends[at - 1]!),
      );
      if (inside.length === 0) return undefined;
      const own = inside.map(({ cell }) => cell);
      const text = own.map(cell => cell.text).join(' ');
      return { ...inside[0]!.line, ...spanOf(own), text, cells: own };
    }),
  );
}

/** Returns columns as they are read: from the right in scripts that are written from there. */
function inOrder(columns: readonly (readonly (PdfLine | undefined)[])[]): PdfLine[][] {
  const lines = columns.map(column => column.filter(line => line !== undefined));
  const text = lines.flatMap(column => column.map(line => line.text)).join('');
  const fromRight = text.match(/[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}]/gu) ?? [];
  const letters = text.match(/\p{L}/gu) ?? [];
  return fromRight.length * 2 > letters.length ? lines.reverse() : lines;
}
