/** Tells what an ingest of files would do to a store, and writes nothing. */
import type { Document } from '../../corpus/document.ts';
import { planPut } from '../../retrieval/plan-put.ts';
import { nodeDisk } from '../storage/disk.ts';
import { readManifest } from '../storage/generation.ts';
import { Store } from '../storage/store.ts';
import type { FileReading } from './file-reading.ts';

/** Ids of documents, each list in the order of the reading. */
export interface IngestPreview {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Documents of vanished files, which only `sync` removes. */
  readonly vanished: readonly string[];
  /** Number of documents that stay as they are. */
  readonly unchanged: number;
}

/** Reads all files; the folder may have no store yet. */
export async function previewIngest(reading: FileReading, folder: string): Promise<IngestPreview> {
  const stored = await storedDocuments(folder);
  const added: string[] = [];
  const changed: string[] = [];
  let unchanged = 0;
  for await (const document of reading.documents()) {
    const { written, replaced } = planPut([document], id => stored.get(id));
    if (written.length === 0) unchanged++;
    else (replaced.size > 0 ? changed : added).push(document.id);
  }
  const gone = (await reading.vanishedIds()).filter(id => stored.has(id));
  return { added, changed, vanished: gone.sort(), unchanged: unchanged + reading.unchanged };
}

async function storedDocuments(folder: string): Promise<ReadonlyMap<string, Document>> {
  if (!(await readManifest(nodeDisk, folder))) return new Map();
  const { documents } = await (await Store.open(folder)).snapshot();
  return new Map(documents.map(document => [document.id, document]));
}
