/** Serialises the writes of one store within this process, and by a lock among processes. */
import { PortError } from '../../core/errors.ts';
import type { Disk } from './disk.ts';
import { writeFailure } from './store-errors.ts';
import { type HeldLock, type LockOptions, underLock } from './write-lock.ts';

/**
 * Reads the newest generation; called under the lock, before each write. `anew`: whatever is known
 * of it.
 */
export type Refresh = (options: { readonly anew: boolean }) => Promise<void>;

export class WriteTurns {
  private readonly disk: Disk;
  private readonly folder: string;
  private readonly waitMs: number | undefined;
  private readonly refresh: Refresh;
  /** True after a write failed: the state of the disk is unknown until all of it is read anew. */
  private failed = false;
  private last: Promise<unknown> = Promise.resolve();
  private held: HeldLock | undefined;
  /** The lock of a write that failed, which may not have been released. */
  private unreleased: HeldLock | undefined;

  constructor(disk: Disk, folder: string, waitMs: number | undefined, refresh: Refresh) {
    this.disk = disk;
    this.folder = folder;
    this.waitMs = waitMs;
    this.refresh = refresh;
  }

  /** Runs a write under the lock, after all that were queued before. */
  queue<T>(options: LockOptions, work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(() => this.locked(options, work));
    this.last = turn.catch(() => {});
    return turn;
  }

  /** Throws `PortError('store-locked')` if the lock of the running write is lost. */
  async check(): Promise<void> {
    await this.held?.check();
  }

  /** Notes beside the lock that a generation is committed. */
  async note(generation: number): Promise<void> {
    await this.held?.note(generation);
  }

  /** Runs a write under the lock; reads the store anew after one that failed (`store-failed`). */
  async locked<T>(options: LockOptions, work: () => Promise<T>): Promise<T> {
    const { disk, folder, waitMs } = this;
    let lock: HeldLock | undefined;
    try {
      // A disk that failed may have kept the lock of this process, which it would wait for.
      await this.unreleased?.release().catch(() => {});
      const waiting = waitMs === undefined ? options : { ...options, waitMs };
      const result = await underLock(disk, folder, waiting, async taken => {
        this.held = lock = taken;
        await this.refresh({ anew: this.failed });
        this.failed = false;
        return await work();
      });
      this.unreleased = undefined;
      return result;
    } catch (error) {
      this.unreleased = lock ?? this.unreleased;
      const failure = writeFailure(folder, error);
      if (PortError.is(failure) && failure.code === 'store-failed') this.failed = true;
      throw failure;
    }
  }
}
