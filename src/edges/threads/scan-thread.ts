/** A second thread that scans along what is searched by vectors: started when the first index is large enough, ended with the process. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type ScanThread, type SharedRows, scanWith } from '../../indexes/vector/shared-scan.ts';
import { thisPackage } from '../package-root.ts';

/** What the thread is given when it starts. */
export interface ScanBell {
  /** How often it was rung, and for which rows the last time. */
  readonly bell: Int32Array<SharedArrayBuffer>;
}

/** Rows to scan along; without them: those of this number are gone. */
export interface ScanMessage {
  readonly id: number;
  readonly shared?: SharedRows;
}

/**
 * Has a second thread of this process scan along from now on, where the machine has two processors; false: no longer. What is found is the same, to
 * the bit. Indexes that were opened before stay as they are. Returns whether there is such a thread.
 */
export function useScanThread(use = true): boolean {
  const possible = use && availableParallelism() > 1;
  scanWith(possible ? scanThread() : undefined);
  return possible;
}

let known: ScanThread | undefined;

/** The one of this process, which starts with the first rows that it is told of. */
export const scanThread = (): ScanThread => (known ??= lazyThread());

function lazyThread(): ScanThread {
  const bell = new Int32Array(new SharedArrayBuffer(8));
  let worker: Worker | undefined;
  let failed = false;
  let shared = 0;
  const gone = new FinalizationRegistry((id: number) => post({ id }));
  const post = (message: ScanMessage): void => worker?.postMessage(message);
  const start = (): Worker | undefined => {
    try {
      const made = new Worker(workerFile(), { workerData: { bell } });
      // Without it the asking thread finds everything by itself.
      for (const end of ['error', 'exit']) made.on(end, () => (failed = true));
      made.unref();
      return made;
    } catch {
      failed = true;
      return undefined;
    }
  };
  return {
    share(rows, owner) {
      worker ??= failed ? undefined : start();
      if (!worker || failed) return undefined;
      const id = ++shared;
      post({ id, shared: rows });
      gone.register(owner, id);
      const wake = (): void => {
        Atomics.store(bell, 1, id);
        Atomics.add(bell, 0, 1);
        Atomics.notify(bell, 0);
      };
      return { wake, wait };
    },
  };
}

/** The build puts this file into some chunk, the worker where its entry says. */
function workerFile(): URL {
  if (import.meta.url.endsWith('.ts')) return new URL('./scan-worker.ts', import.meta.url);
  return pathToFileURL(join(thisPackage().folder, 'dist', 'edges', 'threads', 'scan-worker.js'));
}

/** A thread that has begun and is not heard of for so long is given up: it is dead, or its machine is busier than it helps. */
const PATIENCE_MS = 1000;

function wait(numbers: Int32Array, at: number, value: number): boolean {
  const until = performance.now() + PATIENCE_MS;
  while (Atomics.load(numbers, at) === value) {
    const left = until - performance.now();
    if (left <= 0) return false;
    Atomics.wait(numbers, at, value, left);
  }
  return true;
}
