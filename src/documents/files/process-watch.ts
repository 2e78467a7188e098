/**
 * Watches the process that reads files: resident memory, processor time and time of each file. It
 * runs in a thread of its own there, so that neither a busy reader nor a busy parent delays it.
 */
import { readFileSync, writeSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';

/** Most resident memory of the process in MiB, with what is in swap, and what each MiB adds. */
const MEMORY_MIB = 384;
const MEMORY_MIB_PER_MIB = 4;
/** Processor time of a file in seconds, and what each MiB adds. */
const CPU_SECONDS = 10;
const CPU_SECONDS_PER_MIB = 2;
/** Time of a file for each second of processor time: other programs may use the machine too. */
const SECONDS_PER_CPU_SECOND = 20;
/** Memory can grow by some 40 MiB in this time. */
const POLL_MS = 10;
const MIB = 1024 * 1024;

/** Precedes the reason on the standard error output. */
export const ENDED = 'multihop: reading it ';

/** A process larger than this in bytes begins the next file with too little memory left. */
export const REUSED_BYTES: number = (MEMORY_MIB * MIB) / 2;

/** Watches from a message with the size of a file until one without. */
export function watchProcess(port: MessagePort): void {
  const parent = process.ppid;
  let timer: NodeJS.Timeout | undefined;
  port.on('message', (bytes: number | undefined) => {
    clearInterval(timer);
    if (bytes === undefined) return;
    const seconds = Math.ceil(CPU_SECONDS + (CPU_SECONDS_PER_MIB * bytes) / MIB);
    const memory = Math.ceil(MEMORY_MIB + (MEMORY_MIB_PER_MIB * bytes) / MIB);
    const [cpu, since] = [cpuSeconds(), performance.now() / 1000];
    timer = setInterval(() => {
      if (residentBytes() > memory * MIB) endProcess(`takes more than ${memory} MiB of memory`);
      else if (cpuSeconds() - cpu > seconds)
        endProcess(`takes more than ${seconds} s of processor time`);
      else if (performance.now() / 1000 - since > seconds * SECONDS_PER_CPU_SECOND)
        endProcess(`takes more than ${seconds * SECONDS_PER_CPU_SECOND} s`);
      else if (process.ppid !== parent) endProcess('has nobody to wait for it');
    }, POLL_MS);
  });
}

function endProcess(reason: string): void {
  try {
    writeSync(2, `\n${ENDED}${reason}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Returns resident bytes, on Linux with those in swap. */
export function residentBytes(): number {
  if (process.platform !== 'linux') return process.memoryUsage.rss();
  const status = readFileSync('/proc/self/status', 'latin1');
  const kilobytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  return (kilobytes('VmRSS') + kilobytes('VmSwap')) * 1024;
}
