/**
 * Finds tables without rules: rows whose cells stand in place below each other. Each row becomes a
 * line that knows its cells; a cell of several lines is read to its end.
 */
import { FEWEST_ROWS, FILLED, FINISHED, widthWith, wordCount } from './column-prose.ts';
import { type PdfLine, type PdfRow, rounded, spanOf } from './lines.ts';

/** The line of each cell of a row; undefined where a column has none. */
type Cells = readonly (PdfLine | undefined)[];

/** Returns the lines of a run with those of a table as rows; undefined if it holds no table. */
export function tableRows(columns: readonly Cells[]): readonly PdfLine[] | undefined {
  const rows = columns[0]!.map((_, at) => columns.map(column => column[at]));
  const from = rows.findIndex(isRow);
  const to = rows.findLastIndex(isRow) + 1;
  const inside = rows.slice(from, to);
  if (inside.filter(isRow).length < FEWEST_ROWS || !columns.every(isAligned(from + 1, to)))
    return undefined;
  const first = inside.map(([cell]) => cell?.text ?? '');
  if (first.every(isMark) || (columns.length === 2 && countsLines(first))) return undefined;
  if (inside.filter(hasLeaders).length * 2 >= inside.length) return undefined;
  const widths = columns.map(widthOf);
  const grouped: Cells[][] = [];
  for (const row of rows.slice(from)) {
    const above = grouped.at(-1);
    if (above && goesOn(above, row, widths)) above.push(row);
    else grouped.push([row]);
  }
  const count = grouped.findLastIndex(([row]) => isRow(row!)) + 1;
  const table = {};
  const hasHead = isNamed(grouped.slice(0, count).map(([row]) => row!));
  return [
    ...rows.slice(0, from).flatMap(shown),
    ...grouped.slice(0, count).map((group, at) => lineOf(group, table, hasHead && at === 0)),
    ...grouped.slice(count).flatMap(group => group.flatMap(shown)),
  ];
}

const shown = (row: Cells): PdfLine[] => row.filter(cell => cell !== undefined);
const isRow = (row: Cells): boolean => shown(row).length > 1;

/** Tells if the cells of a column begin, end or have their middle at one place. */
const isAligned =
  (from: number, to: number) =>
  (column: Cells): boolean => {
    const cells = shown(column.slice(from, to));
    return [
      ({ x }: PdfLine) => x,
      ({ end }: PdfLine) => end,
      ({ x, end }: PdfLine) => (x + end) / 2,
    ].some(placeOf => {
      const places = cells.map(placeOf);
      return Math.max(...places) - Math.min(...places) <= (cells[0]?.size ?? 0) / 2;
    });
  };

/** Tells if dots lead from a title to the number of its page. */
const hasLeaders = (row: Cells): boolean =>
  shown(row).some(({ text }) => /^\.$|(?:\. ?){4}/.test(text));

/** Tells if a text is the mark of an item of a list or of a line of code. */
const isMark = (text: string): boolean =>
  /^(?:|[+>$#%]|[•▪◦‣●○■□–—*-]|\(?(?:\d{1,3}|\p{L}|[ivx]{1,5})[.)]|\[\w{1,4}\])$/u.test(text);

/** Tells if texts number the lines beside them. */
const countsLines = (texts: readonly string[]): boolean => {
  const numbers = texts.filter(Boolean).map(Number);
  const step = numbers[1]! - numbers[0]!;
  return step > 0 && numbers.every((number, at) => at === 0 || number - numbers[at - 1]! === step);
};

const widthOf = (column: Cells): number => Math.max(...shown(column).map(({ x, end }) => end - x));

/**
 * Tells if a row continues the one above it: each of its cells goes on in the middle of a sentence
 * that filled the width of its column, or it has one cell alone beyond the first column.
 */
function goesOn(above: readonly Cells[], row: Cells, widths: readonly number[]): boolean {
  const lastOf = (column: number): PdfLine | undefined =>
    above.findLast(each => each[column])?.[column];
  if (row[0] === undefined && shown(row).length === 1) {
    const column = row.findIndex(cell => cell);
    const last = lastOf(column);
    const cell = row[column]!;
    // A number alone is a sum below the items, and what had room above begins anew.
    const goesOver = last !== undefined && widthWith(last, cell) >= widths[column]! * FILLED;
    return goesOver && /\p{L}/u.test(cell.text);
  }
  return row.every((cell, column) => {
    if (!cell) return true;
    const last = lastOf(column);
    return (
      last !== undefined &&
      /^\p{Ll}/u.test(cell.text) &&
      !FINISHED.test(last.text) &&
      wordCount(last.text) > 2 &&
      widthWith(last, cell) >= widths[column]! * FILLED
    );
  });
}

/** Tells if the first row has another font than all others, which have one: it names columns. */
function isNamed([head, ...rows]: readonly Cells[]): boolean {
  const fontOf = ({ font, size }: PdfLine): string => `${font} ${rounded(size)}`;
  const names = new Set(shown(head!).map(fontOf));
  const others = new Set(rows.flatMap(shown).map(fontOf));
  return names.size === 1 && others.size === 1 && !others.has([...names][0]!);
}

function lineOf(group: readonly Cells[], table: object, isHead: boolean): PdfLine {
  const lines = group.flatMap(shown);
  const cells = group[0]!.map((_, column) =>
    group.flatMap(row => row[column]?.text ?? []),
  ) satisfies PdfRow['cells'];
  return {
    ...lines[0]!,
    ...spanOf(lines),
    text: cells.flat().join(' '),
    cells: lines.flatMap(line => line.cells),
    row: { cells, table, isHead },
  };
}
