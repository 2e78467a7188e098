/** Lines of a PDF from the pieces of text on its pages. */

/** A piece of text as the page draws it. */
export interface PdfItem {
  readonly text: string;
  /** The beginning and the end along the direction of writing, and the baseline across it. */
  readonly x: number;
  readonly end: number;
  readonly y: number;
  /** The height of the font, and its name within the document. */
  readonly size: number;
  readonly font: string;
  /** The direction of writing in degrees: 0 from left to right. */
  readonly angle: number;
  readonly endsLine: boolean;
}

/** A page as the library reads it. */
export interface PdfPage {
  readonly page: number;
  readonly items: readonly PdfItem[];
}

/** Text of a line between two wide gaps. */
export type PdfCell = Pick<PdfItem, 'text' | 'x' | 'end'>;

/** One line of a page. */
export interface PdfLine extends Omit<PdfItem, 'endsLine'> {
  readonly page: number;
  readonly cells: readonly PdfCell[];
  /** Set if it is a row of a table without rules. */
  readonly row?: PdfRow;
}

export interface PdfRow {
  /** The lines of each cell. */
  readonly cells: readonly (readonly string[])[];
  /** Equal in rows of one table. */
  readonly table: object;
  /** The row names the columns. */
  readonly isHead: boolean;
}

/** Smallest gap between two cells in heights of the font: twice the widest usual blank. */
export const GAP: number = 2 / 3;

/** Width of the narrowest blank in heights of the font. */
const BLANK = 0.2;

/** Returns the lines of a page in the order in which it draws them. */
export function pageLines({ page, items }: PdfPage): PdfLine[] {
  const lines: PdfLine[] = [];
  let open: PdfItem[] = [];
  const end = (): void => {
    const shown = open.filter(({ text }) => text.trim() !== '');
    if (shown.length > 0) lines.push(lineOf(cellsOf(open), shown, page));
    open = [];
  };
  for (const item of items) {
    const [first] = open;
    if (first && item.text.trim() !== '' && !isBeside(first, item)) end();
    if (first || item.text.trim() !== '') open.push(item);
    if (item.endsLine) end();
  }
  end();
  return lines;
}

const isBeside = (first: PdfItem, item: PdfItem): boolean =>
  first.angle === item.angle && Math.abs(first.y - item.y) <= Math.max(first.size, item.size) * 0.5;

function lineOf(cells: readonly PdfCell[], shown: readonly PdfItem[], page: number): PdfLine {
  const { y, font, angle } = shown[0]!;
  const size = Math.max(...shown.map(each => each.size));
  const text = cells.map(cell => cell.text).join(' ');
  return { text, page, ...spanOf(cells), y, size, font, angle, cells };
}

/** Returns where cells begin and end. */
export const spanOf = (cells: readonly PdfCell[]): Pick<PdfCell, 'x' | 'end'> => ({
  x: Math.min(...cells.map(({ x }) => x)),
  end: Math.max(...cells.map(({ end }) => end)),
});

/** Cuts a line at its wide gaps. */
function cellsOf(items: readonly PdfItem[]): PdfCell[] {
  const cells: { text: string; x: number; end: number }[] = [];
  for (const { text, x, end, size } of items) {
    const cell = cells.at(-1);
    // Scripts from right to left continue on the left of the cell.
    const gap = cell && Math.max(x - cell.end, cell.x - end);
    if (cell && (text.trim() === '' || gap! < size * GAP)) {
      // The library has no blank between texts of two fonts.
      const isBlank = gap! >= size * BLANK && !/\s$/.test(cell.text);
      cell.text += isBlank ? ` ${text}` : text;
      if (text.trim() !== '')
        Object.assign(cell, { x: Math.min(cell.x, x), end: Math.max(cell.end, end) });
    } else if (text.trim() !== '') cells.push({ text, x, end });
  }
  return cells.map(({ text, x, end }) => ({ text: printed(text), x, end }));
}

/** White space that is more than a blank: few texts have it, and most need no writing anew. */
const MORE_THAN_BLANK = /[^\S ]| {2}/;

function printed(text: string): string {
  const shown = MORE_THAN_BLANK.test(text) ? text.replace(/\s+/g, ' ') : text;
  return shown.trim().toWellFormed();
}

/** Heights of fonts in half points. */
export const rounded = (size: number): number => Math.round(size * 2) / 2;
