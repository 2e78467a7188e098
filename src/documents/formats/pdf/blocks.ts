/** Blocks of a PDF: headings by their fonts, paragraphs by the space between lines. */
import type { BlockWriter } from '../../blocks/block-writer.ts';
import { TableGrid, type TableRow } from '../../blocks/table-grid.ts';
import { bodySize, headingLevels, isHeading, isLarge } from './headings.ts';
import type { EndedLine } from './line-ends.ts';
import { type PdfLine, type PdfRow, rounded } from './lines.ts';

/** Returns the text in the largest font of the first page, which is its title by all signs. */
export function largestText(lines: readonly PdfLine[], ended: EndedLine): string {
  const first = lines.filter(({ page }) => page === lines[0]?.page);
  const largest = Math.max(0, ...first.map(({ size }) => rounded(size)));
  const title = first.filter(line => rounded(line.size) === largest).slice(0, 3);
  return isLarge(largest, bodySize(lines)) ? joined(title, ended) : '';
}

const BULLET = /^(?:[•▪◦‣●○■–*-]|\d{1,3}[.)])\s+\S/;

/** Writes the lines of all pages. */
export function writePdf(writer: BlockWriter, lines: readonly PdfLine[], ended: EndedLine): void {
  const body = bodySize(lines);
  const levels = headingLevels(lines, body);
  let table: OpenTable | undefined;
  for (const part of parts(lines, body)) {
    const [first] = part as [PdfLine];
    if (table && table.key !== first.row?.table) {
      table.end();
      table = undefined;
    }
    if (first.row) {
      table ??= new OpenTable(writer, first.row.table, ended);
      table.add(first.row, first.page);
      continue;
    }
    const text = joined(part, ended);
    const facts = { page: first.page };
    if (isHeading(first, body)) writer.heading(levels.get(rounded(first.size)) ?? 1, text, facts);
    else if (BULLET.test(text))
      writer.block(text.replace(/^[•▪◦‣●○■–*-]\s+/, '- '), { ...facts, kind: 'list-item' });
    else writer.block(text, facts);
  }
  table?.end();
}

/** Writes the rows of a table as they come. */
class OpenTable {
  readonly key: object;
  private readonly writer: BlockWriter;
  private readonly ended: EndedLine;
  private readonly grid = new TableGrid();
  private page = 1;

  constructor(writer: BlockWriter, key: object, ended: EndedLine) {
    this.writer = writer;
    this.key = key;
    this.ended = ended;
  }

  add({ cells, isHead }: PdfRow, page: number): void {
    const texts = cells.map(lines => ({ text: joinedTexts(lines, this.ended) }));
    this.page = page;
    this.write(this.grid.row(texts, 1, isHead));
  }

  end(): void {
    this.write(this.grid.end());
  }

  private write(rows: readonly TableRow[]): void {
    for (const { text, kind } of rows) this.writer.block(text, { kind, page: this.page });
  }
}

/** Yields the lines of each block. */
function* parts(
  lines: readonly PdfLine[],
  body: number,
): Generator<readonly PdfLine[], void, void> {
  let open: PdfLine[] = [];
  for (const line of lines) {
    const last = open.at(-1);
    if (last !== undefined && (last.row || line.row || separates(last, line, open[0]!, body))) {
      yield open;
      open = [];
    }
    open.push(line);
  }
  if (open.length > 0) yield open;
}

function separates(last: PdfLine, line: PdfLine, first: PdfLine, body: number): boolean {
  const heading = isHeading(first, body);
  if (heading !== isHeading(line, body)) return true;
  if (heading && rounded(last.size) !== rounded(line.size)) return true;
  if (BULLET.test(line.text)) return true;
  const unfinished = !/[.!?:;]["”’)\]]?$/.test(last.text);
  const goesOn = unfinished && /^\p{Ll}/u.test(line.text);
  // A line of the next page or of the next column.
  if (line.page !== last.page || line.y > last.y + last.size) return !goesOn;
  const gap = last.y - line.y;
  const height = Math.max(last.size, line.size, 1);
  return gap > height * 1.7 && !(goesOn && gap < height * 2.2);
}

/** Joins the texts of lines. */
export function joined(lines: readonly PdfLine[], ended: EndedLine): string {
  return joinedTexts(
    lines.map(({ text }) => text),
    ended,
  );
}

function joinedTexts(texts: readonly string[], ended: EndedLine): string {
  const last = texts.length - 1;
  return texts.map((text, at) => (at < last ? ended(text, texts[at + 1]!) : text)).join('');
}
