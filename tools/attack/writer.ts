/**
 * Writes to a store by `openStore` until it is killed: `writer.ts LIBRARY STORE NOTES SEED PART`.
 * First syncs the folder of notes, then puts and removes documents. Prints a dot for each write
 * that was acknowledged.
 */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { applied, nextOperation, randomFor } from './operations.ts';

type Words = [library: string, folder: string, notes: string, seed: string, part: string];
const [library, folder, notes, seed, part] = process.argv.slice(2) as Words;
const { openStore } = (await import(library)) as typeof import('../../src/index.ts');
const random = randomFor(Number(seed), Number(part));
// Written synchronously and unbuffered, so that every printed dot was acknowledged.
const acknowledge = (): number => writeSync(1, '.');

let store = await openStore(folder);
await store.ingest({ paths: [notes], sync: true });
acknowledge();
// A killed process leaves no cache of its compiled code, by which the next one starts sooner.
if (Number(part) % 10 === 0) flushCompileCache();
let held = new Map(
  (await store.documents({ limit: 1000 })).documents.map(document => [document.id, document]),
);
for (;;) {
  const operation = nextOperation(random, new Set(held.keys()));
  if (operation.reopen) {
    await store.close();
    store = await openStore(folder);
  }
  if (operation.remove.length > 0) await store.remove(operation.remove);
  else await store.ingest(operation.put);
  held = applied(held, operation);
  acknowledge();
}
