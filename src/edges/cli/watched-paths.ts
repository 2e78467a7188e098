/** Waits for changes of files and folders, by the system's notices or, without them, by time. */
import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { sleep } from '../clock.ts';

/** Milliseconds without a change after which a burst of changes, such as a checkout, is over. */
const QUIET_MS = 200;
/** The longest that an unending burst is waited for. */
const LONGEST_MS = 5000;
/** Milliseconds between two looks where the system gives no notices, as on network drives. */
const POLL_MS = 5000;

export class WatchedPaths implements Disposable {
  private readonly watchers: FSWatcher[] = [];
  private readonly signal: AbortSignal;
  /** Number of changes so far, and of those that `next` has told of. */
  private changes = 0;
  private told = 0;
  private polls = false;
  private wake: () => void = () => {};

  /** Notices changes from now on, until it is disposed of. */
  constructor(paths: readonly string[], signal: AbortSignal) {
    this.signal = signal;
    for (const path of paths) this.begin(path);
  }

  /** True if the system gives no notices of some path. */
  get isPolling(): boolean {
    return this.polls;
  }

  /**
   * Resolves to true once something has changed since the last call, and the changes pause; to
   * false at an abort.
   */
  async next(): Promise<boolean> {
    try {
      if (this.changes === this.told) await this.change();
      for (let waited = 0, seen = -1; seen !== this.changes && waited < LONGEST_MS; ) {
        seen = this.changes;
        await sleep(QUIET_MS, this.signal);
        waited += QUIET_MS;
      }
      this.told = this.changes;
      return true;
    } catch (error) {
      if (this.signal.aborted) return false;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    for (const watcher of this.watchers) watcher.close();
  }

  private begin(path: string): void {
    try {
      const isFile = lstatSync(path).isFile();
      // Editors replace a file, and a watch of the old one would see nothing of the new one.
      const watcher = isFile ? watch(dirname(path)) : watch(path, { recursive: true });
      const only = isFile ? basename(path) : undefined;
      watcher.on('change', (_, name) => {
        if (only === undefined || name === null || String(name) === only) this.noticed();
      });
      watcher.on('error', () => {
        this.polls = true;
        this.noticed();
      });
      this.watchers.push(watcher);
    } catch {
      this.polls = true;
    }
  }

  private noticed(): void {
    this.changes++;
    this.wake();
  }

  /** Waits for a change, or for the time of the next look. */
  private async change(): Promise<void> {
    this.signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      // The timer also keeps the process alive, which watchers of vanished folders do not.
      const timer = setInterval(() => this.polls && this.noticed(), POLL_MS);
      const stop = (): void => {
        clearInterval(timer);
        reject(this.signal.reason);
      };
      this.signal.addEventListener('abort', stop, { once: true });
      this.wake = () => {
        clearInterval(timer);
        this.signal.removeEventListener('abort', stop);
        resolve();
      };
    });
  }
}
