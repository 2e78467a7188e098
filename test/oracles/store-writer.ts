/**
 * Writes to a store until it is done or killed: `store-writer.ts FOLDER PREFIX COUNT BATCH`. Prints
 * each acknowledged id.
 */
import { writeSync } from 'node:fs';
import { freeCall } from '../../src/core/trace/call.ts';
import { Store } from '../../src/stores/disk/store.ts';

const [folder, prefix, count, batch] = process.argv.slice(2) as [string, string, string, string];
const store = await Store.open(folder, { create: true });
for (let first = 0; first < Number(count); first += Number(batch)) {
  const documents = Array.from(
    { length: Math.min(Number(batch), Number(count) - first) },
    (_, index) => ({
      id: `${prefix}-${String(first + index).padStart(5, '0')}`,
      title: '',
      text: `Document ${first + index} of ${prefix} about a ferry.`,
      metadata: { writer: prefix },
    }),
  );
  await store.put(documents, freeCall());
  // Writes synchronously and unbuffered, so that every printed id was acknowledged.
  writeSync(1, documents.map(({ id }) => `${id}\n`).join(''));
}
await store.close();
