/** Packs the documents of files and folders into one file: `pack.ts OUT PATH...`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Document } from 'multihop';
import { readDocuments } from 'multihop/formats';
import { packDocuments } from './packed-file.ts';

const [, , out, ...paths] = process.argv;
if (out === undefined || paths.length === 0) throw new Error('usage: pack.ts OUT PATH...');

const documents: Document[] = [];
for await (const event of readDocuments(paths))
  if (event.type === 'document') documents.push(event.document);
  else console.warn(`${event.path} is skipped: ${event.reason}`);
const bytes = await packDocuments(documents);
await mkdir(dirname(out), { recursive: true });
await writeFile(out, bytes);
console.log(`${documents.length} documents in ${bytes.length} bytes`);
