/** PDF: the file is one document whose blocks have pages; read by the optional package `unpdf`. */
import type { Format } from '../../format.ts';
import { bytesFormat, type Facts } from '../../whole-file.ts';
import { largestText, writePdf } from './blocks.ts';
import { characterMaps, UNMAPPED_TEXT } from './character-maps.ts';
import { inReadingOrder } from './columns.ts';
import { fieldLines, noteLines, type PdfAnnotation, type PdfField } from './fields.ts';
import { lineEnds } from './line-ends.ts';
import { type PdfItem, type PdfLine, pageLines } from './lines.ts';
import { notesOf, withoutRunningLines } from './running-lines.ts';

export const pdf: Format = bytesFormat({
  name: 'pdf',
  extensions: ['pdf'],
  needs: { package: 'unpdf', as: 'PDF' },
  summary: 'PDF with page numbers; needs the package unpdf; headings by the size of their font',
  async write(bytes, { writer, library }) {
    const read = new PdfReading();
    try {
      await readPages(library as Unpdf, bytes, read);
    } catch (error) {
      return refusal(error as Error);
    }
    const { pages, ...leftOut } = withoutRunningLines(read.lines);
    const lines = pages.flatMap((page, at) => [...inReadingOrder(page), ...read.beyond(at + 1)]);
    const ended = await lineEnds(lines.flatMap(({ text, row }) => row?.cells.flat() ?? text));
    writePdf(writer, lines, ended);
    if (writer.size === 0) return read.emptiness();
    const facts = factsOf(read, largestText(lines, ended));
    const notes = [...read.notes, ...notesOf(leftOut)];
    if (leftOut.lines.length === 0) return { ...facts, notes };
    return { ...facts, leftOutText: leftOut.lines.map(({ text }) => text).join('\n'), notes };
  },
});

/** Says why the library refuses a file. */
function refusal({ name, message }: Error): string {
  if (name === 'PasswordException') return 'an encrypted PDF: save it without its password';
  return `not a valid PDF: ${message.replace(/\s+/g, ' ').slice(0, 100)}`;
}

/** Gathers the pages and facts of a document. */
class PdfReading {
  info: Readonly<Record<string, unknown>> = {};
  pages = 0;
  readonly lines: PdfLine[][] = [];
  readonly notes: string[] = [];
  private readonly filled = new Map<number, PdfLine[]>();
  private broken = 0;

  /** Adds fields of forms and notes, which are no text of a page. */
  fill(lines: readonly PdfLine[]): void {
    for (const line of lines) {
      const own = this.filled.get(line.page);
      if (own) own.push(line);
      else this.filled.set(line.page, [line]);
    }
  }

  /** Returns the fields and notes of a page. */
  beyond(page: number): readonly PdfLine[] {
    return this.filled.get(page) ?? [];
  }

  /** Adds the next page; one that cannot be read has no items. */
  add(items: readonly PdfItem[] | undefined): void {
    this.lines.push(pageLines({ page: this.lines.length + 1, items: items ?? [] }));
    if (items === undefined) this.broken++;
  }

  /** Notes that fonts lack the maps by which their text is read. */
  lackMaps(): void {
    if (this.notes.length === 0) this.notes.push(UNMAPPED_TEXT);
  }

  /** Says why no page has text. */
  emptiness(): string {
    if (this.notes.length > 0) return `a PDF without text that can be read: ${this.notes[0]}`;
    return this.broken > 0
      ? `a PDF whose ${this.pages} pages cannot be read`
      : `a PDF without text (${this.pages} pages): scanned pages need optical character recognition`;
  }

  /** Counts the pages without text, in words; undefined if there are none. */
  missing(): string | undefined {
    const empty = this.lines.filter(
      (lines, at) => lines.length === 0 && this.beyond(at + 1).length === 0,
    ).length;
    return empty === 0 ? undefined : `${empty} of ${this.pages} pages hold no text`;
  }
}

function factsOf(read: PdfReading, largest: string): Facts {
  const text = (name: string): string =>
    String(read.info[name] ?? '')
      .trim()
      .toWellFormed();
  const day = /^D:(\d{4})(\d{2})(\d{2})/.exec(text('CreationDate'));
  return {
    titles: [text('Title').replace(/^Microsoft \w+ - /, ''), largest],
    metadata: {
      author: text('Author') || undefined,
      description: text('Subject') || undefined,
      published_at: day ? `${day[1]}-${day[2]}-${day[3]}` : undefined,
      pages: read.pages,
      incomplete: read.missing(),
    },
  };
}

/** The part of `unpdf` that is used. */
interface Unpdf {
  getDocumentProxy(bytes: Uint8Array, options: object): Promise<UnpdfDocument>;
}

interface UnpdfDocument {
  readonly numPages: number;
  readonly loadingTask: { destroy(): Promise<void> };
  getMetadata(): Promise<{ readonly info: object }>;
  getFieldObjects(): Promise<Readonly<Record<string, readonly PdfField[]>> | null>;
  getPage(number: number): Promise<{
    getTextContent(): Promise<{ readonly items: readonly UnpdfItem[] }>;
    getAnnotations(): Promise<readonly PdfAnnotation[]>;
    cleanup(): void;
  }>;
}

interface UnpdfItem {
  readonly str?: string;
  readonly transform?: readonly number[];
  readonly width?: number;
  readonly fontName?: string;
  readonly hasEOL?: boolean;
}

/** Takes the bytes away from their owner. */
async function readPages(library: Unpdf, bytes: Uint8Array, read: PdfReading): Promise<void> {
  const { buffer, byteOffset, length } = bytes;
  // The library refuses a `Buffer`.
  const plain = new Uint8Array(buffer, byteOffset, length);
  const BinaryDataFactory = characterMaps(() => read.lackMaps());
  const document = await library.getDocumentProxy(plain, { verbosity: 0, BinaryDataFactory });
  try {
    read.pages = document.numPages;
    const { info } = await document.getMetadata().catch(() => ({ info: {} }));
    read.info = info as Readonly<Record<string, unknown>>;
    const fields = await document.getFieldObjects().catch(() => null);
    read.fill(fieldLines(Object.values(fields ?? {}).flat()));
    for (let number = 1; number <= document.numPages; number++)
      read.add(await itemsOf(document, number, read).catch(() => undefined));
  } finally {
    await document.loadingTask.destroy();
  }
}

async function itemsOf(
  document: UnpdfDocument,
  number: number,
  read: PdfReading,
): Promise<PdfItem[]> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  // Reading the notes of all pages would take as long as reading their text.
  if (items.length === 0) read.fill(noteLines(await page.getAnnotations(), number));
  page.cleanup();
  return items.map(itemOf);
}

/** Returns a piece with its place along its baseline and across it. */
function itemOf({ str = '', transform = [], width = 0, fontName, hasEOL }: UnpdfItem): PdfItem {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
  // Nearly all text is upright.
  const isUpright = b === 0 && a > 0;
  const scale = isUpright ? 1 : Math.hypot(a, b) || 1;
  const along = isUpright ? x : (x * a + y * b) / scale;
  return {
    text: str,
    x: along,
    end: along + width,
    y: isUpright ? y : (y * a - x * b) / scale,
    size: c === 0 ? Math.abs(d) : Math.hypot(c, d),
    font: fontName ?? '',
    angle: isUpright ? 0 : Math.round((Math.atan2(b, a) * 180) / Math.PI),
    endsLine: hasEOL ?? false,
  };
}
