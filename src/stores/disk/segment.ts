/**
 * Stores some of a store's documents as JSON lines, one document per line; a file never changes
 * once written.
 */
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import {
  outlineDigest,
  outlineProblem,
  type PackedOutline,
  packedProblem,
  packOutline,
  withPackedOutline,
} from '../../core/corpus/outline.ts';
import { InputError } from '../../core/errors.ts';
import { sha256 } from '../../platform/sha256.ts';
import { damaged } from './store-errors.ts';

/** Returns a document's line without the line end; the order of keys is fixed. */
export function documentLine({ id, title, text, metadata, outline }: Document): string {
  const packed = outline === undefined ? {} : { outline: packOutline(outline) };
  return JSON.stringify({ id, title, text, metadata, ...packed });
}

/** Returns the lines of a file, line feeds included; a last line without one is left out. */
export function linesIn(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; ; start += lines.at(-1)!.length) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0) return lines;
    lines.push(bytes.subarray(start, end + 1));
  }
}

/** Parses a file of documents. Throws `PortError('store-damaged')`, naming file and line. */
export function parseSegment(path: string, bytes: Uint8Array): Document[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const documents: Document[] = [];
  for (let start = 0; start < buffer.length; ) {
    const end = buffer.indexOf(0x0a, start);
    if (end < 0) throw damaged(path, `line ${documents.length + 1} has no end`);
    documents.push(parseLine(path, documents.length + 1, buffer.toString('utf8', start, end)));
    start = end + 1;
  }
  return documents;
}

/** Parses a line without its end; throws like `parseSegment`. */
export function parseLine(path: string, line: number, text: string): Document {
  try {
    const parsed = JSON.parse(text);
    return documentOf(parsed);
  } catch (error) {
    throw damaged(path, `line ${line} is not a document`, error);
  }
}

/** Returns the document of a parsed line. Throws if it is none. */
export function documentOf(line: Document & { readonly outline?: unknown }): Document {
  const { outline: packed, ...rest } = line;
  const document = checkDocument(rest);
  if (packed === undefined) return document;
  const problem = packedProblem(packed, document.text.length);
  if (problem !== undefined) throw new TypeError(`its outline has ${problem}`);
  return withPackedOutline(document, packed as unknown as PackedOutline);
}

/**
 * Returns a document that survives storage unchanged. Throws `InputError('bad-document')` for any
 * other.
 */
export function checkDocument(document: Document): Document {
  const fail = (expected: string, received: unknown): never => {
    const name = typeof document?.id === 'string' ? `The document "${document.id}"` : 'A document';
    throw new InputError('bad-document', name, {
      expected,
      received: (JSON.stringify(received) ?? String(received)).slice(0, 80),
    });
  };
  if (typeof document !== 'object' || document === null)
    fail('{ id, title, text, metadata }', document);
  const { id, title, text, metadata } = document;
  if (typeof id !== 'string' || id === '') fail('an id that is not empty', id);
  if (typeof title !== 'string') fail('a title as text', title);
  if (typeof text !== 'string') fail('a text', text);
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    fail('metadata as an object', metadata);
  for (const [field, value] of Object.entries(metadata))
    if (!isStorable(value))
      fail(`"${field}" as a text, a finite number, true, false or a list of texts`, value);
  const problem = outlineProblem(document);
  if (problem !== undefined) fail(problem, document.outline);
  return document;
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (Array.isArray(value) && value.every(item => typeof item === 'string'))
  );
}

/**
 * Returns a digest that is equal for two stores with equal documents and chunkers, whatever their
 * history.
 */
export function corpusDigest(documents: readonly Document[], chunker: string): string {
  const lines = documents.map(document => sha256(digestLine(document)));
  return sha256(`${chunkers.canonical(chunker)}\n`, lines.sort().join('\n'));
}

function digestLine(document: Document): string {
  const { id, title, text, metadata } = document;
  const fields = Object.keys(metadata)
    .sort()
    .map(field => [field, metadata[field]]);
  return JSON.stringify([id, title, text, fields, ...outlineDigest(document)]);
}
