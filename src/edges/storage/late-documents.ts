/**
 * Documents whose texts and outlines are parsed at first use, from the lines that a store writes:
 * most documents of a store are never shown, and many fit into memory as bytes only.
 */
import type { Document } from '../../corpus/document.ts';
import type { Pause } from '../clock.ts';
import { checkDocument, documentLine, parseLine } from './segment.ts';

/** The parts of a document that are kept beside its line; 1 if it has an outline. */
export type Head = readonly [
  id: string,
  title: string,
  metadata: Document['metadata'],
  outlined: 0 | 1,
];

/** Returns the line of a document, line feed included. */
export type ReadLine = () => Uint8Array;

const LINE = Symbol('line');

/** The line of a document, which is parsed once. */
class Line {
  readonly head: Head;
  readonly read: ReadLine;
  private readonly path: string;
  private readonly number: number;
  private parsed: Document | undefined;

  constructor(head: Head, read: ReadLine, path: string, number: number) {
    [this.head, this.read, this.path, this.number] = [head, read, path, number];
  }

  get whole(): Document {
    this.parsed ??= parsedLine(this.read(), this.path, this.number);
    return this.parsed;
  }

  /** Returns the document of which nothing is parsed yet. */
  again(): Document {
    return lateDocument(this.head, this.read, this.path, this.number);
  }
}

interface LateDocument extends Document {
  readonly [LINE]: Line;
}

/**
 * One getter for all documents: an object with a getter of its own takes several times the memory,
 * because it shares its shape with no other.
 */
const late = (field: 'text' | 'outline'): PropertyDescriptor & ThisType<LateDocument> => ({
  ...{ enumerable: true, configurable: true },
  get() {
    return this[LINE].whole[field];
  },
});
const [TEXT, OUTLINE] = [late('text'), late('outline')];

const sourceOf = (document: Document): Line | undefined =>
  (document as { readonly [LINE]?: Line })[LINE];

/** Returns the head of a document; parses nothing. */
export function headOf(document: Document): Head {
  const known = sourceOf(document)?.head;
  if (known) return known;
  const { id, title, metadata, outline } = document;
  return [id, title, metadata, outline ? 1 : 0];
}

/**
 * Returns the document of a line, which is parsed once; `path` and `number` name the line where it
 * throws `PortError('store-damaged')`.
 */
export function lateDocument(head: Head, read: ReadLine, path: string, number: number): Document {
  const [id, title, metadata, outlined] = head;
  // The order of fields is that of a parsed line, so that both print alike.
  const begun = Object.defineProperty({ id, title }, 'text', TEXT);
  const document = Object.assign(begun, { metadata }) as Document;
  Object.defineProperty(document, LINE, { value: new Line(head, read, path, number) });
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
    return lateDocument([id, title, metadata, outlined], () => line, WRITTEN, 1);
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
    const source = sourceOf(document);
    if (!source) return undefined;
    lines.push(source.read());
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
    pieces.push(sourceOf(document)?.read() ?? bytesOf(`${documentLine(document)}\n`));
    await pause();
  }
  return pieces;
}

/**
 * Returns equal documents of which nothing is parsed yet: what reads all of them, and drops the
 * list, leaves no texts in memory.
 */
export const reopened = (documents: readonly Document[]): readonly Document[] =>
  documents.map(document => sourceOf(document)?.again() ?? document);

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
