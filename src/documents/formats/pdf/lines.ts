/** Lines of a PDF from the pieces of text on its pages, and which of them are headings. */

/** A piece of text with the position of its baseline and the height of its font. */
export type PdfItem = readonly [
  text: string,
  x: number,
  y: number,
  size: number,
  endsLine: boolean,
];

/** A page as the library reads it. */
export interface PdfPage {
  readonly page: number;
  readonly items: readonly PdfItem[];
}

/** One line of a page. */
export interface PdfLine {
  readonly text: string;
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Returns the lines of a page in the order of its text. */
export function pageLines({ page, items }: PdfPage): PdfLine[] {
  const lines: PdfLine[] = [];
  let open: { text: string; x: number; y: number; size: number } | undefined;
  const end = (): void => {
    if (open && open.text.trim() !== '')
      lines.push({ ...open, text: open.text.replace(/\s+/g, ' ').trim().toWellFormed(), page });
    open = undefined;
  };
  for (const [text, x, y, size, endsLine] of items) {
    if (open && text.trim() !== '' && Math.abs(open.y - y) > Math.max(open.size, size) * 0.5) end();
    if (open) {
      open.text += text;
      if (text.trim() !== '') open.size = Math.max(open.size, size);
    } else if (text.trim() !== '') open = { text, x, y, size };
    if (endsLine) end();
  }
  end();
  return lines;
}

/** Lines at the top and at the bottom of a page that may repeat. */
const MARGIN = 2;

/**
 * Leaves out running heads and feet: what stands at the edge of a third of the pages or more, but
 * for numbers, and numbers of pages. The first page keeps them: they may be the title.
 */
export function withoutRunningLines(pages: readonly (readonly PdfLine[])[]): PdfLine[] {
  const edges = (lines: readonly PdfLine[]): PdfLine[] => [
    ...lines.slice(0, MARGIN),
    ...lines.slice(Math.max(MARGIN, lines.length - MARGIN)),
  ];
  const counts = new Map<string, number>();
  for (const lines of pages)
    for (const key of new Set(edges(lines).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const most = Math.max(3, pages.length / 3);
  return pages.flatMap((lines, at) => {
    const repeats = (line: PdfLine): boolean => at > 0 && (counts.get(keyOf(line)) ?? 0) >= most;
    const repeated = new Set(
      edges(lines).filter(line => repeats(line) || PAGE_NUMBER.test(line.text)),
    );
    return lines.filter(line => !repeated.has(line));
  });
}

const PAGE_NUMBER = /^(?:page )?(?:\d+|[ivxlc]+)(?: (?:of|\/) \d+)?$/i;

/** A line without its numbers, so that page numbers are alike. */
const keyOf = ({ text }: PdfLine): string =>
  text.replace(/\d+/g, '0').replace(/\b[ivxlc]+\b/gi, '0');

/** Returns the height of the font that most characters have. */
export function bodySize(lines: readonly PdfLine[]): number {
  const counts = new Map<number, number>();
  for (const { size, text } of lines)
    counts.set(rounded(size), (counts.get(rounded(size)) ?? 0) + text.length);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0];
}

/** Heights of fonts in half points. */
export const rounded = (size: number): number => Math.round(size * 2) / 2;

/** Returns the levels of heading fonts: 1 for the largest, 6 at most. */
export function headingLevels(
  lines: readonly PdfLine[],
  body: number,
): ReadonlyMap<number, number> {
  const sizes = new Set(
    lines.filter(line => isHeading(line, body)).map(({ size }) => rounded(size)),
  );
  return new Map([...sizes].sort((a, b) => b - a).map((size, at) => [size, Math.min(6, at + 1)]));
}

/** Tells whether a line is set in a larger font, and is no sentence. */
export function isHeading({ size, text }: PdfLine, body: number): boolean {
  return (
    rounded(size) >= body * 1.15 &&
    text.length <= 120 &&
    /\p{L}/u.test(text) &&
    !/[.;,]$/.test(text)
  );
}
