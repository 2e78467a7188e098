/** PDF: the file is one document whose blocks have pages; read by the optional package `unpdf`. */
import type { Metadata } from '../../corpus/document.ts';
import { readHead } from './decode.ts';
import { type DetectedFormat, type Format, fileDocument } from './format.ts';
import { Isolated, packageAddress, runIsolated } from './isolated.ts';
import { largestText, writePdf } from './pdf-blocks.ts';
import {
  type PdfItem,
  type PdfLine,
  type PdfPage,
  pageLines,
  withoutRunningLines,
} from './pdf-lines.ts';
import { type Limits, printBytes, type Source } from './source.ts';

export const pdf: Format = {
  name: 'pdf',
  extensions: ['pdf'],
  summary: 'PDF with page numbers; needs the package unpdf; headings by the size of their font',
  async *read(source, limits) {
    const library = packageAddress('unpdf');
    if (library === undefined)
      yield { type: 'skipped', reason: 'PDF needs the package unpdf: npm install unpdf' };
    else yield await readPdf(source, limits, library);
  },
};

/** A message of the thread: the document's facts once, then each page. */
interface PdfMessage {
  readonly info?: Readonly<Record<string, unknown>>;
  readonly pages?: number;
  readonly page?: PdfPage & { readonly broken: boolean };
}

async function readPdf(source: Source, limits: Limits, library: string): Promise<DetectedFormat> {
  const skipped = (reason: string): DetectedFormat => ({ type: 'skipped', reason });
  if (source.size > limits.documentBytes)
    return skipped(`larger than ${printBytes(limits.documentBytes)}`);
  const bytes = await readHead(source, limits.documentBytes + 1);
  if (bytes.length > limits.documentBytes)
    return skipped(`larger than ${printBytes(limits.documentBytes)}`);
  const read = new PdfReading();
  let ended = '';
  try {
    for await (const message of runIsolated(readPages, library, new Uint8Array(bytes)))
      read.add(message);
  } catch (error) {
    if (!(error instanceof Isolated) && read.lines.length === 0)
      return skipped(refusal(error as Error));
    ended = `the library ${(error as Error).message}`;
  }
  const lines = withoutRunningLines(read.lines);
  const writer = writePdf(source.id, lines);
  if (writer.size === 0) return skipped(ended || read.emptiness());
  const title = String(read.info['Title'] ?? '').replace(/^Microsoft \w+ - /, '');
  const incomplete =
    ended === '' ? read.missing() : `read up to page ${read.lines.length}: ${ended}`;
  const metadata = {
    ...factsOf(read.info),
    pages: read.pages,
    ...(incomplete ? { incomplete } : {}),
  };
  return fileDocument(source, writer.finish([title.toWellFormed(), largestText(lines)]), metadata);
}

/** Says why the library refuses a file. */
function refusal({ name, message }: Error): string {
  if (name === 'PasswordException') return 'an encrypted PDF: save it without its password';
  return `not a valid PDF: ${message.replace(/\s+/g, ' ').slice(0, 100)}`;
}

/** Pages as they come. */
class PdfReading {
  info: Readonly<Record<string, unknown>> = {};
  pages = 0;
  readonly lines: PdfLine[][] = [];
  private broken = 0;

  add({ info, pages, page }: PdfMessage): void {
    if (info) this.info = info;
    if (pages) this.pages = pages;
    if (page) {
      this.lines.push(pageLines(page));
      if (page.broken) this.broken++;
    }
  }

  /** Says why no page has text. */
  emptiness(): string {
    return this.broken > 0
      ? `a PDF whose ${this.pages} pages cannot be read`
      : `a PDF without text (${this.pages} pages): scanned pages need optical character recognition`;
  }

  /** Counts the pages without text, in words; empty if there are none. */
  missing(): string {
    const empty = this.lines.filter(lines => lines.length === 0).length;
    return empty === 0 ? '' : `${empty} of ${this.pages} pages hold no text`;
  }
}

const FACTS: Readonly<Record<string, string>> = { author: 'Author', description: 'Subject' };

function factsOf(info: Readonly<Record<string, unknown>>): Metadata {
  const metadata: Record<string, string> = {};
  for (const [field, name] of Object.entries(FACTS)) {
    const value = info[name];
    if (typeof value === 'string' && value.trim() !== '')
      metadata[field] = value.trim().toWellFormed();
  }
  const day = /^D:(\d{4})(\d{2})(\d{2})/.exec(String(info['CreationDate'] ?? ''));
  if (day) metadata['published_at'] = `${day[1]}-${day[2]}-${day[3]}`;
  return metadata;
}

/** The part of `unpdf` that is used. */
interface Unpdf {
  getDocumentProxy(
    bytes: Uint8Array,
    options: object,
  ): Promise<{
    readonly numPages: number;
    getMetadata(): Promise<{ readonly info: object }>;
    getPage(number: number): Promise<{
      getTextContent(): Promise<{
        readonly items: readonly {
          readonly str?: string;
          readonly transform?: readonly number[];
          readonly hasEOL?: boolean;
        }[];
      }>;
      cleanup(): void;
    }>;
  }>;
}

/** Runs in the thread; nothing outside this function exists there. */
async function readPages(
  library: unknown,
  bytes: Uint8Array,
  post: (message: PdfMessage) => void,
): Promise<void> {
  const document = await (library as Unpdf).getDocumentProxy(bytes, { verbosity: 0 });
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  post({ pages: document.numPages, info: JSON.parse(JSON.stringify(info)) });
  for (let number = 1; number <= document.numPages; number++) {
    let items: PdfItem[] = [];
    let broken = false;
    try {
      const page = await document.getPage(number);
      const content = await page.getTextContent();
      items = content.items.map(({ str = '', transform = [], hasEOL = false }) => {
        const [, , c = 0, d = 0, x = 0, y = 0] = transform;
        return [str, x, y, Math.hypot(c, d), hasEOL];
      });
      page.cleanup();
    } catch {
      broken = true;
    }
    post({ page: { page: number, items, broken } });
  }
}
