/**
 * Documents whose texts and outlines are parsed at first use, from the lines that a store writes:
 * most documents of a store are never shown, and many fit into memory as bytes only.
 */
import type { Document } from '../../core/corpus/document.ts';
import type { Pause } from '../../platform/clock.ts';
import { checkDocument, documentLine, parseLine } from './segment.ts';

/** The parts of a document that are kept beside its line; 1 if it has an outline. */
export type Head = readonly [
  id: string,
  title: string,
  metadata: Document['metadata'],
  outlined: 0 | 1,
];

/** Lines of documents, each by its number from 0, which are parsed when first used. */
interface Lines {
  /** Returns a line, line feed included. */
  read(at: number): Uint8Array;
  /** Throws `PortError('store-damaged')` if the line is no document. */
  parsed(at: number): Document;
  /** Returns equal lines of which none is kept parsed. */
  again(): Lines;
}

/** Characters after which a generation of parsed documents ends, unless stated. */
const KEEP_PARSED = 1 << 24;
/** Characters that a document counts beside those of its text. */
const PARSED = 1024;

/**
 * The lines of a file. Keeps two generations of documents parsed, those of the last uses: texts of
 * all would fill any memory.
 */
export class LateLines implements Lines {
  readonly read: (at: number) => Uint8Array;
  private readonly path: string;
  private readonly most: number;
  private recent = new Map<number, Document>();
  private before = new Map<number, Document>();
  private kept = 0;

  /**
   * `read` returns a line by its number from 0, line feed included; `most`: characters after which
   * a generation ends.
   */
  constructor(path: string, read: (at: number) => Uint8Array, most: number = KEEP_PARSED) {
    [this.path, this.read, this.most] = [path, read, most];
  }

  parsed(at: number): Document {
    const known = this.recent.get(at);
    if (known) return known;
    const document = this.before.get(at) ?? parsedLine(this.read(at), this.path, at + 1);
    if (this.kept > this.most) {
      [this.before, this.recent] = [this.recent, new Map()];
      this.kept = 0;
    }
    this.kept += document.text.length + PARSED;
    this.recent.set(at, document);
    return document;
  }

  again(): Lines {
    return new LateLines(this.path, this.read, this.most);
  }
}

/** One line that was written, in memory. */
class WrittenLine implements Lines {
  private readonly line: Uint8Array;
  private document: Document | undefined;

  constructor(line: Uint8Array) {
    this.line = line;
  }

  read(): Uint8Array {
    return this.line;
  }

  parsed(): Document {
    this.document ??= parsedLine(this.line, WRITTEN, 1);
    return this.document;
  }

  again(): Lines {
    return new WrittenLine(this.line);
  }
}

const LINES = Symbol('lines');
const NUMBER = Symbol('number');

interface LateDocument extends Document {
  readonly [LINES]: Lines;
  readonly [NUMBER]: number;
}

/**
 * One getter for all documents: an object with a getter of its own takes several times the memory,
 * because it shares its shape with no other.
 */
const late = (field: 'text' | 'outline'): PropertyDescriptor & ThisType<LateDocument> => ({
  enumerable: true,
  configurable: true,
  get() {
    return this[LINES].parsed(this[NUMBER])[field];
  },
});
const [TEXT, OUTLINE] = [late('text'), late('outline')];

const isLate = (document: Document): document is LateDocument => LINES in document;

/** Returns the head of a document; parses nothing. */
export function headOf(document: Document): Head {
  const { id, title, metadata } = document;
  const outlined = isLate(document) ? 'outline' in document : document.outline;
  return [id, title, metadata, outlined ? 1 : 0];
}

/** Returns the document of a line, by the line's number from 0. */
export function lateDocument(
  [id, title, metadata, outlined]: Head,
  lines: Lines,
  number: number,
): Document {
  // The order of fields is that of a parsed line, so that both print alike.
  const document = Object.defineProperty({ id, title }, 'text', TEXT) as {
    -readonly [K in keyof Document]: Document[K];
  };
  document.metadata = metadata;
  Object.defineProperty(document, LINES, { value: lines });
  Object.defineProperty(document, NUMBER, { value: number });
  return outlined === 0 ? document : Object.defineProperty(document, 'outline', OUTLINE);
}

/**
 * A document as the line that a store will write: of a batch that is being read only bytes are in
 * memory. Texts and headings of a reader are often slices, each of which keeps the whole file that
 * it was read from.
 */
export class DraftDocument implements Document {
  readonly id: string;
  readonly title: string;
  readonly metadata: Document['metadata'];
  readonly line: Uint8Array;
  private readonly outlined: 0 | 1;
  private parsed: Document | undefined;

  /** Throws `InputError('bad-document')`. */
  constructor(document: Document) {
    this.line = bytesOf(`${documentLine(checkDocument(document))}\n`);
    // Parsed, so that no slice keeps a file.
    const head = JSON.parse(JSON.stringify(headOf(document))) as Head;
    [this.id, this.title, this.metadata, this.outlined] = head;
  }

  get text(): string {
    return this.whole.text;
  }

  get outline(): Document['outline'] {
    return this.whole.outline;
  }

  /** Returns the document that a store keeps, without its text in memory. */
  kept(): Document {
    const { id, title, metadata, outlined, line } = this;
    return lateDocument([id, title, metadata, outlined], new WrittenLine(line), 0);
  }

  private get whole(): Document {
    this.parsed ??= parsedLine(this.line, WRITTEN, 1);
    return this.parsed;
  }
}

const WRITTEN = 'a written line';

/** Returns a document that a batch may hold: the given one if it is a draft already. */
export const draftOf = (document: Document): DraftDocument =>
  document instanceof DraftDocument ? document : new DraftDocument(document);

/** Returns the lines that documents were read from; undefined if one was read without a table. */
export function linesOf(documents: readonly Document[]): Uint8Array[] | undefined {
  const lines: Uint8Array[] = [];
  for (const document of documents) {
    if (!isLate(document)) return undefined;
    lines.push(lineOf(document));
  }
  return lines;
}

/** Returns the lines to write of documents, line feeds included. */
export async function segmentPieces(
  documents: readonly Document[],
  pause: Pause,
): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for (const document of documents) {
    const known = isLate(document);
    pieces.push(known ? lineOf(document) : bytesOf(`${documentLine(document)}\n`));
    await pause();
  }
  return pieces;
}

/**
 * Returns equal documents of which nothing is parsed yet: what reads all of them, and drops the
 * list, leaves no texts in memory.
 */
export function reopened(documents: readonly Document[]): readonly Document[] {
  const again = new Map<Lines, Lines>();
  return documents.map(document => {
    if (!isLate(document)) return document;
    const lines = document[LINES];
    const reread = again.get(lines) ?? lines.again();
    again.set(lines, reread);
    return lateDocument(headOf(document), reread, document[NUMBER]);
  });
}

const lineOf = (document: LateDocument): Uint8Array => document[LINES].read(document[NUMBER]);

/** Copies a text to memory of its own: a slice of Node's shared pool would keep all of the pool. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function parsedLine(line: Uint8Array, path: string, number: number): Document {
  const text = Buffer.from(line.buffer, line.byteOffset, line.length - 1).toString('utf8');
  return parseLine(path, number, text);
}
