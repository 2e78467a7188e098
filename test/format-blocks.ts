/** Reads one text as a document and prints its blocks, for tests of formats. */
import type { Document } from '../src/corpus/document.ts';
import { readSource } from '../src/edges/formats/read-documents.ts';
import { DEFAULT_LIMITS, memorySource } from '../src/edges/formats/source.ts';

/** Reads a file that makes one document. Throws if it is skipped. */
export async function readPage(path: string, content: string | Uint8Array): Promise<Document> {
  let reason = 'nothing was read';
  const source = memorySource(path, content);
  for await (const found of readSource(source, true, undefined, DEFAULT_LIMITS))
    if (found.type === 'document') return found.document;
    else reason = found.reason;
  throw new Error(reason);
}

/** Returns each block as "line kind [headings] text". */
export function shownBlocks({ text, outline = [] }: Document): string[] {
  return outline.map(({ start, heading, kind = 'prose', line }, at) => {
    const end = outline[at + 1]?.start ?? text.length;
    return `${line} ${kind} [${heading.join(' > ')}] ${text.slice(start, end).trimEnd()}`;
  });
}

/** Returns microseconds of processor time that reading a text takes. */
export async function timeOf(path: string, text: string): Promise<number> {
  const start = process.cpuUsage().user;
  await readPage(path, text).catch(() => undefined);
  return process.cpuUsage().user - start;
}

/**
 * Tells whether reading takes time in proportion to the text: 16 times the text less than 100 times
 * as long (quadratic work would take 256 times as long), or a third of a second.
 */
export async function isLinear(path: string, piece: string): Promise<boolean> {
  await timeOf(path, piece.repeat(1000));
  const small = await timeOf(path, piece.repeat(2000));
  const large = await timeOf(path, piece.repeat(32_000));
  return large < 100 * small + 300_000;
}
