/** Serialises the writes of one store within this process, and by a lock among processes. */
import { PortError } from '../../errors.ts';
import type { Disk } from './disk.ts';
import { writeFailure } from './store-errors.ts';
import { type HeldLock, type LockOptions, underLock } from './write-lock.ts';

export class WriteTurns {
  private readonly disk: Disk;
  private readonly folder: string;
  private readonly waitMs: number | undefined;
  private readonly refresh: () => Promise<void>;
  /** Failure of an earlier write: the state of the disk is unknown until the store is reopened. */
  private failed: unknown;
  private last: Promise<unknown> = Promise.resolve();
  private held: HeldLock | undefined;

  /** `refresh` reads the newest generation; it is called under the lock, before each write. */
  constructor(
    disk: Disk,
    folder: string,
    waitMs: number | undefined,
    refresh: () => Promise<void>,
  ) {
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

  /**
   * Runs a write under the lock. Throws `PortError('store-failed')` once any write has failed with
   * that code.
   */
  async locked<T>(options: LockOptions, work: () => Promise<T>): Promise<T> {
    const { disk, folder, waitMs } = this;
    if (this.failed !== undefined)
      throw new PortError(
        'store',
        'store-failed',
        `The store "${folder}" failed while writing and must be opened again`,
        { cause: this.failed },
      );
    try {
      const waiting = waitMs === undefined ? options : { ...options, waitMs };
      return await underLock(disk, folder, waiting, async lock => {
        this.held = lock;
        await this.refresh();
        return await work();
      });
    } catch (error) {
      const failure = writeFailure(folder, error);
      if (PortError.is(failure) && failure.code === 'store-failed') this.failed = failure;
      throw failure;
    }
  }
}
