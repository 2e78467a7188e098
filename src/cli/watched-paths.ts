/**
 * Waits for changes of files and folders by looking at their sizes and times. Notices of the system
 * miss changes, as in folders that are new, and network drives give none.
 */

import { type WalkOptions, walk } from '../documents/files/walk.ts';
import { monotonicClock, sleep } from '../platform/clock.ts';
import type { Output } from './output.ts';
import { printable } from './wrap.ts';

/** The least time between two looks, in milliseconds. */
const PAUSE_MS = 500;
/** A pause is so many times as long as a look: looking takes 2 % of the time. */
const PAUSE_TIMES = 50;
/** Looks at an unending change, such as a log, before it counts as a change. */
const LOOKS = 10;

export class WatchedPaths {
  private readonly paths: readonly string[];
  private readonly options: WalkOptions;
  private readonly signal: AbortSignal;
  private seen = '';
  private pause = PAUSE_MS;

  private constructor(paths: readonly string[], options: WalkOptions, signal: AbortSignal) {
    this.paths = paths;
    this.options = options;
    this.signal = signal;
  }

  /** Tells of changes from now on. */
  static async open(
    paths: readonly string[],
    options: WalkOptions,
    signal: AbortSignal,
  ): Promise<WatchedPaths> {
    const watched = new WatchedPaths(paths, options, signal);
    watched.seen = await watched.look();
    return watched;
  }

  /**
   * Calls `work` after each change until an abort, and warns of its failures: a file that is half
   * written is whole at the next change.
   */
  async follow(output: Output, work: () => Promise<unknown>): Promise<void> {
    output.note(`Watching ${this.paths.map(printable).join(', ')} until Ctrl-C`);
    while (await this.next())
      try {
        await work();
      } catch (error) {
        if (this.signal.aborted) return;
        output.warn((error as Error).message);
      }
  }

  /**
   * Resolves to true once something has changed since the last call and the changes pause; to false
   * at an abort.
   */
  private async next(): Promise<boolean> {
    try {
      let now = this.seen;
      while (now === this.seen) now = await this.later();
      for (let looks = 0, before = ''; now !== before && looks < LOOKS; looks++) {
        before = now;
        now = await this.later();
      }
      this.seen = now;
      return true;
    } catch (error) {
      if (this.signal.aborted) return false;
      throw error;
    }
  }

  private async later(): Promise<string> {
    await sleep(this.pause, this.signal);
    return this.look();
  }

  /** Returns a text that differs where a file came, went or changed. */
  private async look(): Promise<string> {
    const began = monotonicClock();
    const files: string[] = [];
    for (const path of this.paths)
      try {
        for await (const file of walk(path, this.options)) {
          this.signal.throwIfAborted();
          if ('ignored' in file) continue;
          const state = 'skipped' in file ? [file.skipped] : [file.source.size, file.modified];
          files.push(JSON.stringify([path, file.below, ...state]));
        }
      } catch (error) {
        if (this.signal.aborted) throw error;
        // A path that vanished may come back.
        files.push(JSON.stringify([path]));
      }
    this.pause = Math.max(PAUSE_MS, PAUSE_TIMES * (monotonicClock() - began));
    return files.join('\n');
  }
}
