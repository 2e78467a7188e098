/**
 * Tells whether the process that holds a lock runs.
 *
 * A process id means something only in its PID namespace: two containers that share a volume, and
 * even a host name, cannot see each other's processes. A holder of another namespace or machine
 * counts as alive as long as it gives signs of life; a lock that is written without signs, for
 * ever.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { defined } from '../../core/defined.ts';
import { parseJson } from '../../core/text/bounded-json.ts';
import { errno } from '../../platform/errno.ts';

/** Interval of the signs of life of a holder, in milliseconds. */
export const SIGN_MS = 2000;
/** Silence after which a holder that cannot be seen counts as dead, in milliseconds. */
export const SILENT_MS = 30_000;

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /**
   * Start time of the process in the system's format, so that a reused process id is not mistaken
   * for the holder.
   */
  readonly began: string;
  /** PID namespace; the empty string where the system has none; missing in locks of 0.9. */
  readonly namespace?: string;
  /** Interval of its signs of life, in milliseconds; missing if it gives none. */
  readonly signs?: number;
}

/** Returns the holder of a lock file; undefined if the lock is free or its file was cut. */
export function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, host, began, namespace, signs } = parseJson(text) as Partial<Holder>;
    if (typeof pid !== 'number') return undefined;
    return defined({
      pid,
      host: String(host),
      began: String(began),
      namespace: typeof namespace === 'string' ? namespace : undefined,
      signs: typeof signs === 'number' ? signs : undefined,
    });
  } catch {
    return undefined;
  }
}

/** Returns this process as a holder. */
export function thisHolder(): Holder {
  return {
    pid: process.pid,
    host: hostname(),
    began: began(process.pid),
    namespace: namespace(),
    signs: SIGN_MS,
  };
}

/** Returns true if the process ids of a holder are those that this process sees. */
export function isVisible({ host, namespace: other }: Holder): boolean {
  return host === hostname() && (other === undefined || other === namespace());
}

/**
 * Returns true if the holder runs. `silence`: milliseconds since its last sign of life, asked only
 * for a holder that cannot be seen; undefined if the disk does not know.
 */
export async function isAlive(
  holder: Holder,
  silence: () => Promise<number | undefined>,
): Promise<boolean> {
  if (isVisible(holder)) return runs(holder.pid) && began(holder.pid) === holder.began;
  if (holder.signs === undefined) return true;
  const silent = await silence();
  return silent === undefined || silent < SILENT_MS;
}

/** Returns true if a process of this namespace runs. */
export function runs(pid: number): boolean {
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

/** Returns the identity of this process's PID namespace; the empty string except on Linux. */
export function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
