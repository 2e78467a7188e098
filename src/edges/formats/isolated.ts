/**
 * Runs a library over one file in a thread of its own, with a limit of memory and of silence: a
 * file that makes the library hang or grow ends alone.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Most memory of the thread, in MiB, beside the bytes of the file. */
const HEAP_MIB = 320;
/** Longest wait for the next message. */
const SILENCE_MS = 60_000;

/** Thrown if the thread did not end by itself; the message continues "it ...". */
export class Isolated extends Error {}

/** A function that the thread runs. It sees its parameters and nothing around it. */
export type Task<T> = (
  library: unknown,
  bytes: Uint8Array,
  post: (message: T) => void,
) => Promise<void>;

interface Envelope<T> {
  readonly message?: T;
  readonly failed?: { readonly name: string; readonly message: string };
  readonly done?: true;
}

/**
 * Yields the messages of a task. Throws `Isolated` if it takes too long or too much memory, and an
 * `Error` with the name and message of what it throws.
 */
export async function* runIsolated<T>(
  task: Task<T>,
  library: string,
  bytes: Uint8Array,
  silenceMs: number = SILENCE_MS,
): AsyncGenerator<T, void, void> {
  const code = `(${runTask.toString()})(${task.toString()})`;
  const worker = new Worker(code, {
    eval: true,
    workerData: { library, bytes },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    stdout: true,
    stderr: true,
    execArgv: [],
  });
  const inbox = new Inbox<Envelope<T>>();
  worker.on('message', (envelope: Envelope<T>) => inbox.put(envelope));
  worker.on('error', error => inbox.fail(deathOf(error)));
  worker.on('exit', () => inbox.fail(new Isolated('ended early')));
  try {
    for (;;) {
      const envelope = await inbox.next(silenceMs);
      if (envelope.done) return;
      if (envelope.failed)
        throw Object.assign(new Error(envelope.failed.message), { name: envelope.failed.name });
      yield envelope.message!;
    }
  } finally {
    await worker.terminate();
  }
}

function deathOf(error: unknown): Error {
  const { code } = error as { readonly code?: unknown };
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new Isolated(`needs more than ${HEAP_MIB} MiB of memory`)
    : error instanceof Error
      ? error
      : new Error(String(error));
}

/** Runs in the thread; nothing outside this function exists there. */
async function runTask(
  task: (library: unknown, bytes: unknown, post: (message: unknown) => void) => Promise<void>,
): Promise<void> {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  try {
    const library: unknown = await import(workerData.library);
    await task(library, workerData.bytes, message => parentPort!.postMessage({ message }));
    parentPort!.postMessage({ done: true });
  } catch (error) {
    const { name, message } = error as Error;
    parentPort!.postMessage({ failed: { name: String(name), message: String(message) } });
  }
}

/** Messages that arrived and were not read yet. */
class Inbox<T> {
  private readonly waiting: T[] = [];
  private error: Error | undefined;
  private wake: (() => void) | undefined;

  put(message: T): void {
    this.waiting.push(message);
    this.wake?.();
  }

  fail(error: Error): void {
    this.error ??= error;
    this.wake?.();
  }

  async next(silenceMs: number): Promise<T> {
    if (this.waiting.length === 0 && this.error === undefined)
      await new Promise<void>(resolve => {
        const timer = setTimeout(() => {
          this.error ??= new Isolated(`did not go on for ${silenceMs / 1000} s`);
          resolve();
        }, silenceMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    const message = this.waiting.shift();
    if (message !== undefined) return message;
    throw this.error!;
  }
}

/**
 * Returns the address of an optional package, as multihop resolves it, else as the working folder
 * does; undefined if it is not installed.
 */
export function packageAddress(name: string): string | undefined {
  try {
    return import.meta.resolve(name);
  } catch {
    try {
      return pathToFileURL(createRequire(join(process.cwd(), 'package.json')).resolve(name)).href;
    } catch {
      return undefined;
    }
  }
}
