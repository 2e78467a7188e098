/**
 * Leaves out what the edges of pages repeat: running heads and feet, and numbers of pages. A line
 * is content unless it repeats in place, height and font over many pages, apart from the text.
 */
import { bodySize, isLarge } from './headings.ts';
import { type PdfCell, type PdfLine, rounded } from './lines.ts';
import { isAmbiguous } from './page-numbers.ts';
import { type Piece, RepeatedPlaces } from './repeated-places.ts';

/** Most rows at the top and at the bottom of a page that may repeat. */
const MARGIN = 2;

/** Counts of all that was left out of a document. */
export interface LeftOut {
  readonly lines: readonly PdfLine[];
  readonly texts: ReadonlyMap<string, number>;
  /** Numbers of pages. */
  readonly numbers: number;
  /** Numbers that stay although they count the pages. */
  readonly ambiguous: readonly string[];
}

/** Most running texts that a note quotes, and most characters of each. */
const QUOTED = { texts: 5, characters: 60 };

/** Says what was left out, most frequent first. */
export function notesOf(leftOut: Omit<LeftOut, 'lines'>): readonly string[] {
  const { texts, numbers, ambiguous } = leftOut;
  const counted = [...texts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const quoted = counted.slice(0, QUOTED.texts).map(([text, count]) => {
    const shown = [...text].slice(0, QUOTED.characters).join('');
    return `"${shown}${shown === text ? '' : '...'}" ${count} times`;
  });
  if (numbers > 0) quoted.unshift(`${numbers} page numbers`);
  if (counted.length > QUOTED.texts) quoted.push(`${counted.length - QUOTED.texts} other texts`);
  const range = `${ambiguous[0]} to ${ambiguous.at(-1)}`;
  return [
    ...(quoted.length === 0 ? [] : [`left out at the edges of pages: ${quoted.join(', ')}`]),
    ...(ambiguous.length === 0
      ? []
      : [`numbers at the edges of pages stay, which may be those of pages: ${range}`]),
  ];
}

/** Lines that stand on one height. */
interface Row {
  readonly y: number;
  readonly lines: readonly PdfLine[];
}

/** The rows of a page from top to bottom, and the pieces of those at its edges. */
interface Edges {
  readonly rows: readonly Row[];
  readonly pieces: ReadonlyMap<Row, readonly Piece[]>;
}

type Pages = readonly (readonly PdfLine[])[];

/** The rows of which every piece runs through pages. */
type Runs = ReadonlySet<Row>;

/** Returns the lines of each page without those that run through them. */
export function withoutRunningLines(pages: Pages): { readonly pages: Pages } & LeftOut {
  const body = bodySize(pages.flat());
  const edges = pages.map(lines => edgesOf(lines, body));
  const places = new RepeatedPlaces(pages.length);
  edges.forEach(({ pieces }, page) => {
    for (const piece of [...pieces.values()].flat()) places.add(piece, page);
  });
  const runs: Runs = new Set(
    edges.flatMap(({ pieces }, page) =>
      [...pieces.keys()].filter(row => pieces.get(row)!.every(piece => places.kindOf(piece, page))),
    ),
  );
  const apart = leadingOf(edges, runs, body) * 1.5;
  const found = edges.map(({ rows }) => [
    ...new Set([rows, rows.toReversed()].flatMap(ordered => outermost(ordered, runs, apart))),
  ]);
  const staying = found.map((rows, page) =>
    rows.filter(row => edges[page]!.pieces.get(row)!.every(piece => isAmbiguous(piece.text, page))),
  );
  const ambiguous = staying.flatMap(rows => rows.map(({ lines }) => lines[0]!.text));
  const running = found.map((rows, page) => rows.filter(row => !staying[page]!.includes(row)));
  const removed = new Set(running.flatMap(rows => rows.flatMap(({ lines }) => lines)));
  const kept = pages.map(lines => lines.filter(line => !removed.has(line)));
  // If most of these pages were empty, what repeats is all that they say.
  const affected = kept.filter((_, at) => running[at]!.length > 0);
  if (affected.filter(lines => lines.length === 0).length * 2 > affected.length)
    return { pages, lines: [], texts: new Map(), numbers: 0, ambiguous };
  return { pages: kept, lines: [...removed], ambiguous, ...countsOf(edges, running, places) };
}

/** Returns the rows from one edge that run through pages, if the next row is apart from them. */
function outermost(rows: readonly Row[], runs: Runs, apart: number): readonly Row[] {
  const first = rows.findIndex((row, at) => at >= MARGIN || !runs.has(row));
  for (let count = first < 0 ? rows.length : first; count > 0; count--) {
    const next = rows[count]?.y ?? Number.POSITIVE_INFINITY;
    if (Math.abs(rows[count - 1]!.y - next) >= apart) return rows.slice(0, count);
  }
  return [];
}

function countsOf(
  edges: readonly Edges[],
  running: readonly (readonly Row[])[],
  places: RepeatedPlaces,
): Pick<LeftOut, 'texts' | 'numbers'> {
  const texts = new Map<string, number>();
  let numbers = 0;
  running.forEach((rows, page) => {
    for (const piece of rows.flatMap(row => edges[page]!.pieces.get(row)!))
      if (places.kindOf(piece, page) === 'number') numbers++;
      else texts.set(piece.text, (texts.get(piece.text) ?? 0) + 1);
  });
  return { texts, numbers };
}

/** Returns the usual distance between rows that do not run: the median, or that of set text. */
function leadingOf(edges: readonly Edges[], runs: Runs, body: number): number {
  const gaps: number[] = [];
  for (const { rows } of edges) {
    let above: Row | undefined;
    for (const row of rows) {
      if (runs.has(row)) above = undefined;
      else {
        if (above) gaps.push(above.y - row.y);
        above = row;
      }
    }
  }
  return Float64Array.from(gaps).sort()[gaps.length >> 1] ?? body * 1.2;
}

function edgesOf(lines: readonly PdfLine[], body: number): Edges {
  const rows = rowsOf(lines);
  const atEdge = rows.filter((_, at) => at < MARGIN || at >= rows.length - MARGIN);
  return { rows, pieces: new Map(atEdge.map(row => [row, piecesOf(row, body)])) };
}

/** Returns the rows of a page; text that is turned is part of none. */
function rowsOf(lines: readonly PdfLine[]): Row[] {
  const rows: { y: number; lines: PdfLine[] }[] = [];
  const upright = lines.filter(({ angle }) => angle === lines[0]!.angle);
  for (const line of upright.sort((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    if (row && row.y - line.y <= line.size * 0.5) row.lines.push(line);
    else rows.push({ y: line.y, lines: [line] });
  }
  return rows;
}

function piecesOf({ lines }: Row, body: number): Piece[] {
  return lines.flatMap(({ cells, y, size, font }) => {
    const place = `${Math.round(y)} ${rounded(size)} ${font}`;
    return cells.flatMap(cell =>
      cell.text.split(/\s[|·•–—]\s/).map(part => ({
        text: part.trim(),
        places: placesOf(cell).map(at => `${place} ${at}`),
        isLarge: isLarge(size, body),
      })),
    );
  });
}

const placesOf = ({ x, end }: PdfCell): string[] => [
  `left ${Math.round(x)}`,
  `right ${Math.round(end)}`,
  `middle ${Math.round(x + end)}`,
];
