/**
 * One writer at a time, over processes: numbered lock files of which the one with the highest
 * number counts.
 *
 * Whoever wants to write creates the next number with `link`, which fails when the name is taken,
 * so of many takers one wins. A lock is given back by marking its file as free, never by deleting
 * it, so that a number is not used twice by a taker that looked long ago.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { PortError } from '../../errors.ts';
import { monotonicClock, sleep } from '../clock.ts';
import type { Disk } from './disk.ts';
import { errno } from './store-errors.ts';

export const LOCK_PATTERN: RegExp = /^lock-(\d{8})$/;
/** A lock on its way to its name: written before the lock is held. */
export const LOCK_DRAFT_PATTERN: RegExp = /^lock\.(\d+)-\d+\.tmp$/;
export const LOCK_WAIT_MS = 5000;

interface Holder {
  readonly pid: number;
  readonly host: string;
  /**
   * When the process began, in the system's own words: a number that was given to another process
   * is not taken for it.
   */
  readonly began: string;
}

export interface HeldLock {
  /** A lock that cannot be given back is free when its process ends. */
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
  for (;;) {
    options.signal?.throwIfAborted();
    const top = await highest(disk, folder);
    const holder = top === 0 ? undefined : await holderOf(disk, folder, top);
    if (!holder || !isAlive(holder)) {
      const held = await tryTake(disk, folder, top + 1);
      if (held) return held;
    } else if (monotonicClock() >= until)
      throw locked(folder, top, holder, options.waitMs ?? LOCK_WAIT_MS);
    // Uneven waiting, so that many who wait do not ask in step.
    await sleep(3 + ((process.pid * 7 + drafts++ * 13) % 17), options.signal);
  }
}

async function tryTake(disk: Disk, folder: string, number: number): Promise<HeldLock | undefined> {
  const path = join(folder, lockName(number));
  const draft = await writeDraft(disk, folder, JSON.stringify(self()));
  // What gives the lock back is written before it is taken, for the disk may be full by then.
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
  // A number below the highest was free only because it was tidied away: it is no lock.
  if ((await highest(disk, folder)) > number) {
    await disk.remove(path);
    await disk.remove(free);
    return undefined;
  }
  await tidy(disk, folder, number);
  return {
    release: () => disk.rename(free, path),
  };
}

async function writeDraft(disk: Disk, folder: string, text: string): Promise<string> {
  const draft = join(folder, `lock.${process.pid}-${drafts++}.tmp`);
  await disk.write(draft, [Buffer.from(text)], { sync: false });
  return draft;
}

/** Removes lower locks and the drafts of processes that are gone. */
async function tidy(disk: Disk, folder: string, number: number): Promise<void> {
  for (const name of await disk.list(folder)) {
    const lower = LOCK_PATTERN.test(name) && Number(LOCK_PATTERN.exec(name)![1]) < number;
    const left = LOCK_DRAFT_PATTERN.test(name) && !runs(Number(LOCK_DRAFT_PATTERN.exec(name)![1]));
    if (lower || left) await disk.remove(join(folder, name)).catch(() => {});
  }
}

const lockName = (number: number): string => `lock-${String(number).padStart(8, '0')}`;

async function highest(disk: Disk, folder: string): Promise<number> {
  const numbers = (await disk.list(folder)).map(name => Number(LOCK_PATTERN.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}

/** Undefined: free, or cut by a power failure, which nobody outlived. */
async function holderOf(disk: Disk, folder: string, number: number): Promise<Holder | undefined> {
  try {
    const value = JSON.parse(
      Buffer.from(await disk.read(join(folder, lockName(number)))).toString('utf8'),
    ) as Partial<Holder>;
    return typeof value.pid === 'number'
      ? { pid: value.pid, host: String(value.host), began: String(value.began) }
      : undefined;
  } catch {
    return undefined;
  }
}

function self(): Holder {
  return { pid: process.pid, host: hostname(), began: began(process.pid) };
}

/** Another machine's processes cannot be seen from here: they count as alive. */
function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  return runs(holder.pid) && began(holder.pid) === holder.began;
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errno(error) === 'EPERM';
  }
}

/**
 * Linux: start time of the process since boot, and the boot. Elsewhere empty: the number alone must
 * do.
 */
function began(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}@${boot}`;
  } catch {
    return '';
  }
}

function locked(folder: string, number: number, { pid, host }: Holder, waited: number): PortError {
  const elsewhere = host === hostname() ? '' : ` on "${host}"`;
  return new PortError(
    'store',
    'store-locked',
    `The store "${folder}" is being written by process ${pid}${elsewhere}`,
    {
      retryable: true,
      expected: `the lock within ${waited / 1000} s`,
      hint:
        elsewhere === ''
          ? 'Wait until it is done.'
          : `Wait until it is done. If it no longer runs, delete "${join(folder, lockName(number))}".`,
    },
  );
}

/** Takes the lock, works, gives it back. The first error is the one that counts. */
export async function underLock<T>(
  disk: Disk,
  folder: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await takeLock(disk, folder, options);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await lock.release().catch(() => {});
    throw error;
  }
  await lock.release();
  return result;
}
