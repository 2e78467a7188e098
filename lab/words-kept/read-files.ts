/** Reads files as `ingest` does, and says for each what was read and how long it took. */
import { performance } from 'node:perf_hooks';
import { readDocuments } from '../../src/documents/read-documents.ts';

export interface ReadFile {
  readonly path: string;
  /** Titles, texts, metadata and stated ids of all documents of the file. */
  readonly text: string;
  readonly titles: readonly string[];
  /** Reasons why the file, or parts of it, were left out. */
  readonly skipped: readonly string[];
  readonly ms: number;
}

/** Yields the files of folders in the order in which they are read. */
export async function* readFiles(folders: readonly string[]): AsyncGenerator<ReadFile> {
  let file: { path: string; texts: string[]; titles: string[]; skipped: string[] } | undefined;
  // A file is read between the last event of the file before and its own last event.
  let began = performance.now();
  let last = began;
  const ended = (): ReadFile => {
    const { path, texts, titles, skipped } = file!;
    const ms = last - began;
    began = last;
    return { path, text: texts.join('\n'), titles, skipped, ms };
  };
  for await (const event of readDocuments(folders)) {
    const path = event.type === 'document' ? pathOf(event.from) : event.path;
    if (file && file.path !== path) yield ended();
    last = performance.now();
    if (file?.path !== path) file = { path, texts: [], titles: [], skipped: [] };
    if (event.type === 'skipped') file.skipped.push(event.reason);
    else {
      const { id, title, text, metadata } = event.document;
      file.titles.push(title);
      file.texts.push(title, text, JSON.stringify(metadata));
      // A record may state its id.
      if (event.from !== path) file.texts.push(id);
    }
  }
  if (file) yield ended();
}

/** Returns the path in "path", "path:line" and "path[index]". */
const pathOf = (from: string): string => from.replace(/(?::\d+|\[\d+\])$/, '');
