/** Reads files in a separate process, which is reused until a file ends it. */
import { type ChildProcess, fork } from 'node:child_process';
import { on } from 'node:events';
import type { Socket } from 'node:net';
import type { DetectedFormat, Format } from '../format.ts';
import { ENDED } from './process-watch.ts';
import type { Limits, Source } from './source.ts';

/** Memory of objects in MiB: their garbage is collected before the process meets its limit. */
const HEAP_MIB = 192;

/** Sent to the process: the bytes of a file in pieces, then what to do with them. */
export type Sent =
  | Uint8Array
  | {
      readonly format: string;
      readonly path: string;
      readonly id: string;
      readonly limits: Limits;
    };

type Answer =
  | { readonly found: DetectedFormat }
  | { readonly failed: { readonly name: string; readonly message: string } }
  | { readonly isLarge: boolean };

/** Thrown for a file that ended its process, with the reason. */
export class Ended extends Error {}

/** Reads one file after another; the process begins with the first and ends when it is disposed. */
export class ReadingProcess implements AsyncDisposable {
  private child: ChildProcess | undefined;

  /** Yields what the format reads. Throws `Ended`. */
  async *read(
    { name: format }: Format,
    source: Source,
    limits: Limits,
  ): AsyncGenerator<DetectedFormat, void, void> {
    if (!this.child?.connected) this.child = started();
    const { child } = this;
    setHeld(child, true);
    let errors = '';
    const note = (text: string): void => void (errors = (errors + text).slice(-4096));
    child.stderr!.on('data', note);
    const answers = on(child, 'message', { close: ['close'] });
    let isReusable = false;
    try {
      await sendFile(child, source, limits);
      const { path, id } = source;
      await send(child, { format, path, id, limits });
      for await (const [answer] of answers as AsyncIterable<[Answer]>)
        if ('found' in answer) yield answer.found;
        else if ('failed' in answer) throw Object.assign(new Error(), answer.failed);
        else {
          isReusable = !answer.isLarge;
          return;
        }
      throw new Ended(reasonOf(errors));
    } finally {
      child.stderr!.off('data', note);
      if (isReusable) setHeld(child, false);
      else await this[Symbol.asyncDispose]();
    }
  }

  /** Ends the process, and waits until it is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    await new Promise(resolve => {
      child.once('exit', resolve);
      child.kill('SIGKILL');
    });
  }
}

function started(): ChildProcess {
  // The build puts this file into a chunk beside the folder of the rooms.
  const path = import.meta.url.endsWith('.ts')
    ? './reading-process.ts'
    : './documents/reading-process.js';
  const child = fork(new URL(path, import.meta.url), {
    execArgv: [
      `--max-old-space-size=${HEAP_MIB}`,
      '--max-semi-space-size=8',
      '--expose-gc',
      '--no-warnings',
    ],
    env: shared(['NODE_OPTIONS', 'LD_LIBRARY_PATH', 'TZ']),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // A message that cannot be sent shows as the end of the process.
  child.on('error', () => {});
  return child;
}

/** Returns what a process needs to start: no key or token is among it. */
function shared(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Keeps this process from ending while it waits for the other, or no longer. */
function setHeld(child: ChildProcess, held: boolean): void {
  const change = held ? 'ref' : 'unref';
  child[change]();
  child.channel?.[change]();
  (child.stderr as Socket)[change]();
}

/** Sends the beginning of a file, one byte more than is read at most. */
async function sendFile(child: ChildProcess, source: Source, limits: Limits): Promise<void> {
  let left = limits.documentBytes + 1;
  for await (const chunk of source.stream()) {
    await send(child, chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0 || !child.connected) return;
  }
}

/** Waits until a message is on its way, so that few are in memory. */
function send(child: ChildProcess, message: Sent): Promise<void> {
  return new Promise(resolve => void child.send(message, () => resolve()));
}

function reasonOf(errors: string): string {
  const at = errors.lastIndexOf(ENDED);
  const limit = at < 0 ? '' : errors.slice(at + ENDED.length).trim();
  if (limit !== '') return `reading it ${limit}`;
  return /out of memory/i.test(errors)
    ? `reading it takes more than ${HEAP_MIB} MiB of memory for objects`
    : 'its reader ended by a fault';
}
