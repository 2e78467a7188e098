/** Writes the store that a load is measured on, by the real `multihop ingest`. */
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND } from './children.ts';
import { loadDocuments } from './real-documents.ts';

export interface StoreSize {
  readonly folder: string;
  /** The folder of the data sets. */
  readonly data: string;
  /** Documents. */
  readonly size: number;
  readonly say: (line: string) => void;
}

/** Returns the folder of a store; one that a run before wrote is taken. */
export function writtenStore({ folder, data, size, say }: StoreSize): string {
  const store = join(folder, `${size}.store`);
  if (existsSync(store)) return store;
  say(`writing a store of ${size} documents`);
  const [path, unfinished] = [join(folder, 'documents.jsonl'), join(folder, 'unfinished.store')];
  rmSync(unfinished, { recursive: true, force: true });
  const lines = Array.from(loadDocuments(data, size), document => `${JSON.stringify(document)}\n`);
  writeFileSync(path, lines.join(''));
  const words = ['ingest', path, '--store', unfinished, '--quiet'];
  const done = spawnSync(process.execPath, [COMMAND, ...words], { stdio: ['ignore', 2, 2] });
  if (done.status !== 0) throw new Error('multihop ingest failed');
  rmSync(path);
  renameSync(unfinished, store);
  return store;
}
