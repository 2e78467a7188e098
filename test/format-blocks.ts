/** Reads one text as a document and prints its blocks, for tests of formats. */
import type { Document } from '../src/core/corpus/document.ts';
import { readSource } from '../src/documents/files/read-source.ts';
import { ReadingProcesses } from '../src/documents/files/reading-processes.ts';
import { DEFAULT_LIMITS, memorySource } from '../src/documents/files/source.ts';

/** Ends with the process of the test. */
const isolated = new ReadingProcesses();

/** Reads a file that makes one document. Throws if it is skipped. */
export async function readPage(path: string, content: string | Uint8Array): Promise<Document> {
  let reason = 'nothing was read';
  const source = memorySource(path, content);
  for await (const found of readSource(source, true, undefined, DEFAULT_LIMITS, isolated))
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
