/**
 * Locks a store for one writer across processes, by numbered lock files of which the highest
 * counts.
 *
 * A writer creates the next number with `link`, which fails if the name exists, so that only one of
 * several writers succeeds. A lock is released by marking its file as free, never by deleting it,
 * so that a slow writer cannot reuse an old number.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { PortError } from '../../errors.ts';
import { monotonicClock, sleep } from '../clock.ts';
import type { Disk } from './disk.ts';
import { errno } from './store-errors.ts';

export const LOCK_PATTERN: RegExp = /^lock-(\d{8})$/;
/** Draft of a lock, written before the lock is taken. */
export const LOCK_DRAFT_PATTERN: RegExp = /^lock\.(\d+)-\d+\.tmp$/;
export const LOCK_WAIT_MS = 5000;

interface Holder {
  readonly pid: number;
  readonly host: string;
  /**
   * Start time of the process in the system's format, so that a reused process id is not mistaken
   * for the holder.
   */
  readonly began: string;
}

export interface HeldLock {
  /** Releases the lock; if that fails, the lock is free when its process ends. */
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
    // Waits unevenly, so that waiting writers do not retry in step.
    await sleep(3 + ((process.pid * 7 + drafts++ * 13) % 17), options.signal);
  }
}

async function tryTake(disk: Disk, folder: string, number: number): Promise<HeldLock | undefined> {
  const path = join(folder, lockName(number));
  const draft = await writeDraft(disk, folder, JSON.stringify(self()));
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
  // A number below the highest was free only because its file was removed: it is no lock.
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

/** Removes lower locks and the drafts of dead processes. */
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

/**
 * Returns the holder; undefined if the lock is free, or cut by a power failure, which no holder
 * survives.
 */
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

/**
 * Returns true if the holder runs. Processes of other machines count as alive, because they cannot
 * be seen.
 */
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
 * Returns on Linux the boot and the start time of the process since then; elsewhere the empty
 * string, so that only the process id is compared.
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

/**
 * Takes the lock, works, and releases it. An error of the work takes precedence over one of the
 * release.
 */
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
