/**
 * Locks a store for one writer across processes, by numbered lock files of which the highest
 * counts.
 *
 * A writer creates the next number with `link`, which fails if the name exists, so that only one of
 * several writers succeeds. A lock is released by marking its file as free, never by deleting it,
 * so that a slow writer cannot reuse an old number. A holder touches its file every two seconds,
 * for writers that cannot see its process (`lock-holder.ts`).
 */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { PortError } from '../../core/errors.ts';
import { monotonicClock, sleep } from '../../platform/clock.ts';
import { errno } from '../../platform/errno.ts';
import type { Disk } from './disk.ts';
import {
  type Holder,
  isAlive,
  isVisible,
  namespace,
  parseHolder,
  runs,
  SIGN_MS,
  SILENT_MS,
  thisHolder,
} from './lock-holder.ts';

export const LOCK_PATTERN: RegExp = /^lock-(\d{8})$/;
/** Draft of a lock, written before the lock is taken: who wrote it, and its process id. */
export const LOCK_DRAFT_PATTERN: RegExp = /^lock\.(?:([0-9a-f]{8})-)?(\d+)-\d+\.tmp$/;
/** Most bytes of a lock that are read. */
const LOCK_BYTES = 4096;
export const LOCK_WAIT_MS = 5000;

export interface HeldLock {
  /**
   * Throws `PortError('store-locked')` if another writer has taken the lock, because this process
   * was suspended for so long that it counted as dead.
   */
  check(): Promise<void>;
  /**
   * Lets the released lock say which generation was committed last, so that an older `store.json`
   * put back is noticed. A failure is ignored: the commit stands.
   */
  note(generation: number): Promise<void>;
  /** Releases the lock; may be called again if that fails. The end of the process frees it too. */
  release(): Promise<void>;
}

export interface LockOptions {
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

let drafts = 0;

/** Waits for the lock. Throws `PortError('store-locked')` naming the process that holds it. */
export async function takeLock(
  disk: Disk,
  folder: string,
  options: LockOptions = {},
): Promise<HeldLock> {
  const until = monotonicClock() + (options.waitMs ?? LOCK_WAIT_MS);
  const silence = silenceOf(disk, folder);
  for (;;) {
    options.signal?.throwIfAborted();
    const top = await highest(disk, folder);
    const holder = top === 0 ? undefined : await holderOf(disk, folder, top);
    if (!holder || !(await isAlive(holder, () => silence(top)))) {
      const held = await tryTake(disk, folder, top + 1);
      if (held) return held;
    } else if (monotonicClock() >= until)
      throw locked(folder, top, holder, options.waitMs ?? LOCK_WAIT_MS);
    // Waits unevenly, so that waiting writers do not retry in step.
    await sleep(3 + ((process.pid * 7 + drafts++ * 13) % 17), options.signal);
  }
}

async function tryTake(disk: Disk, folder: string, number: number): Promise<HeldLock | undefined> {
  const path = join(folder, lockName(number));
  const draft = await writeDraft(disk, folder, JSON.stringify(thisHolder()));
  // The file that releases the lock is written before the lock is taken, because the disk may be
  // full later.
  let free: string | undefined;
  try {
    free = await writeDraft(disk, folder, '{"free":true}');
    await disk.link(draft, path);
  } catch (error) {
    if (free !== undefined) await disk.remove(free).catch(() => {});
    if (errno(error) === 'EEXIST') return undefined;
    throw error;
  } finally {
    await disk.remove(draft).catch(() => {});
  }
  try {
    // A number below the highest was free only because its file was removed: it is no lock.
    if ((await highest(disk, folder)) > number) {
      // The holder of the highest number removes files of lower ones, perhaps this one first.
      for (const file of [path, free])
        await disk.remove(file).catch(error => {
          if (errno(error) !== 'ENOENT') throw error;
        });
      return undefined;
    }
    await tidy(disk, folder, number);
  } catch (error) {
    await disk.rename(free, path).catch(() => {});
    throw error;
  }
  return heldLock(disk, folder, { number, path, free });
}

interface TakenLock {
  readonly number: number;
  readonly path: string;
  /** The file that releases the lock. */
  readonly free: string;
}

function heldLock(disk: Disk, folder: string, { number, path, free }: TakenLock): HeldLock {
  const stop = signsOfLife(disk, path);
  return {
    async check() {
      const top = await highest(disk, folder);
      if (top !== number) throw lost(folder);
    },
    async note(generation) {
      const text = JSON.stringify({ free: true, generation });
      try {
        await disk.rename(await writeDraft(disk, folder, text), free);
      } catch (error) {
        if (errno(error) === '') throw error;
      }
    },
    release() {
      stop();
      return disk.rename(free, path);
    },
  };
}

/** Touches the lock now and then. Returns the end of it. */
function signsOfLife(disk: Disk, path: string): () => void {
  const timer = setInterval(() => {
    // A sign that fails is given again; without any the holder counts as dead, and notices it.
    disk.touch?.(path).catch(() => {});
  }, SIGN_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Returns how to ask for the milliseconds since a lock was touched, by the clock of the disk:
 * undefined if that is not known. An answer is kept for a second, since each writes a file.
 */
function silenceOf(disk: Disk, folder: string): (number: number) => Promise<number | undefined> {
  let kept: { readonly number: number; readonly at: number; readonly silent: number } | undefined;
  return async number => {
    if (!disk.modified) return undefined;
    if (kept?.number === number && monotonicClock() - kept.at < 1000) return kept.silent;
    const draft = await writeDraft(disk, folder, '{"free":true}');
    try {
      const now = await disk.modified(draft);
      const silent = now - (await disk.modified(join(folder, lockName(number))));
      kept = { number, at: monotonicClock(), silent };
      return silent;
    } catch (error) {
      // Released and removed meanwhile: the next look finds that.
      if (errno(error) === 'ENOENT') return undefined;
      throw error;
    } finally {
      await disk.remove(draft).catch(() => {});
    }
  };
}

async function writeDraft(disk: Disk, folder: string, text: string): Promise<string> {
  const draft = join(folder, `lock.${machineMark()}-${process.pid}-${drafts++}.tmp`);
  await disk.write(draft, [Buffer.from(text)], { sync: false });
  return draft;
}

/** Returns eight hex digits that name the machine and the PID namespace. */
const machineMark = (): string =>
  createHash('sha256').update(`${hostname()} ${namespace()}`).digest('hex').slice(0, 8);

/** Removes lower locks, and the drafts of dead processes that this one can see. */
async function tidy(disk: Disk, folder: string, number: number): Promise<void> {
  for (const name of await disk.list(folder)) {
    const lower = LOCK_PATTERN.test(name) && Number(LOCK_PATTERN.exec(name)![1]) < number;
    const draft = LOCK_DRAFT_PATTERN.exec(name);
    const left = draft?.[1] === machineMark() && !runs(Number(draft[2]));
    if (lower || left) await disk.remove(join(folder, name)).catch(() => {});
  }
}

const lockName = (number: number): string => `lock-${String(number).padStart(8, '0')}`;

async function highest(disk: Disk, folder: string): Promise<number> {
  const numbers = (await disk.list(folder)).map(name => Number(LOCK_PATTERN.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}

/** Returns the generation that the last writer noted when it released the lock, if it is known. */
export async function notedGeneration(disk: Disk, folder: string): Promise<number | undefined> {
  try {
    const bytes = await disk.read(join(folder, lockName(await highest(disk, folder))), LOCK_BYTES);
    const { generation } = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
      generation?: unknown;
    };
    return typeof generation === 'number' ? generation : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the holder; undefined if the lock is free, or cut by a power failure, which no holder
 * survives.
 */
async function holderOf(disk: Disk, folder: string, number: number): Promise<Holder | undefined> {
  try {
    const bytes = await disk.read(join(folder, lockName(number)), LOCK_BYTES);
    return parseHolder(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

function locked(folder: string, number: number, holder: Holder, waited: number): PortError {
  const { pid, host, signs } = holder;
  const elsewhere =
    host !== hostname() ? ` on "${host}"` : isVisible(holder) ? '' : ' of another container';
  const end =
    signs === undefined
      ? `If it no longer runs, delete "${join(folder, lockName(number))}".`
      : `If it no longer runs, the lock is free ${SILENT_MS / 1000} s after its end.`;
  return new PortError(
    'store',
    'store-locked',
    `The store "${folder}" is being written by process ${pid}${elsewhere}`,
    {
      retryable: true,
      expected: `the lock within ${waited / 1000} s`,
      hint: elsewhere === '' ? 'Wait until it is done.' : `Wait until it is done. ${end}`,
    },
  );
}

function lost(folder: string): PortError {
  return new PortError(
    'store',
    'store-locked',
    `Another process writes the store "${folder}" now`,
    {
      retryable: true,
      expected: `a sign of life of this process every ${SILENT_MS / 1000} s`,
      hint: 'This process was suspended while it wrote; nothing of that write is stored. Run it again.',
    },
  );
}

/**
 * Takes the lock, works, and releases it. An error of the work takes precedence over one of the
 * release.
 */
export async function underLock<T>(
  disk: Disk,
  folder: string,
  options: LockOptions,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  const lock = await takeLock(disk, folder, options);
  let result: T;
  try {
    result = await work(lock);
  } catch (error) {
    await lock.release().catch(() => {});
    throw error;
  }
  await lock.release();
  return result;
}
