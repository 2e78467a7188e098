/**
 * The process that reads files whose readers may hang or grow: one after another for the process
 * that started it, with which it ends.
 */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { Sent } from './isolated.ts';
import { REUSED_BYTES, residentBytes, watchProcess } from './process-watch.ts';

/** Memory of the thread that watches, in MiB. */
const WATCH = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 };
const LARGE_BYTES = 4 * 1024 * 1024;

if (isMainThread) serve();
else watchProcess(parentPort!);

function serve(): void {
  const watch = new Worker(new URL(import.meta.url), { execArgv: [], resourceLimits: WATCH });
  let chunks: Uint8Array[] = [];
  process.on('disconnect', () => process.exit());
  process.on('message', (sent: Sent) => {
    if (sent instanceof Uint8Array) chunks.push(sent);
    else {
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      chunks = [];
      // The pieces of a large file go before it is read.
      if (bytes.length > LARGE_BYTES) globalThis.gc?.();
      void answer(sent, bytes, watch);
    }
  });
}

/** Sends all that a file holds, then the resident bytes of this process. */
async function answer(
  { format, path, id, limits }: Exclude<Sent, Uint8Array>,
  bytes: Uint8Array,
  watch: Worker,
): Promise<void> {
  watch.postMessage(bytes.length);
  try {
    const [{ formatNamed }, { memorySource }] = await Promise.all([
      import('../formats.ts'),
      import('./source.ts'),
    ]);
    const source = { ...memorySource(path, bytes), id };
    for await (const found of formatNamed(format).read(source, limits)) process.send!({ found });
  } catch (error) {
    const { name, message } = error as Error;
    process.send!({ failed: { name: String(name), message: String(message) } });
  }
  watch.postMessage(undefined);
  if (residentBytes() > REUSED_BYTES) globalThis.gc?.();
  process.send!({ isLarge: residentBytes() > REUSED_BYTES });
}
