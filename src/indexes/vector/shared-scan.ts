/**
 * A scan in which another thread joins: both take rows in turn until none are left, and each finds the best of those it took, to the bit. Who comes
 * too late takes none, so that nobody waits for a thread that sleeps.
 */
import { type Found, Top } from '../top.ts';
import { centredKernelIn, type KernelMemory } from './kernel.ts';
import { type Rider, Scan, type Scanned, type ScanQuery } from './scan.ts';
import { FAILED, FINISHED, IDLE, MOST_SHARED_HITS, OFFERED, ScanJob, TAKEN, type Wait } from './scan-job.ts';
import { MOST_QUERIES } from './scan-limits.ts';
import { besideOf, type ScanMemory, type ScanPlaces } from './scan-memory.ts';

/** All that a thread has to be told once to scan rows along: it can be posted. */
export interface SharedRows extends Scanned {
  readonly stride: number;
  readonly memory: KernelMemory;
  readonly places: ScanPlaces;
}

/** Another thread that scans along: the command line starts one; the core knows none. */
export interface ScanThread {
  /** Tells it of rows, until nothing holds `owner` any more; undefined where it cannot be had. */
  share(rows: SharedRows, owner: object): ScanPartner | undefined;
}

/** The other thread, as the search of some rows knows it. */
export interface ScanPartner {
  /** Has it look whether a search waits for it. */
  readonly wake: () => void;
  readonly wait: Wait;
}

let thread: ScanThread | undefined;

/** Has indexes that are made or opened from now on scanned by this thread too; undefined: by the thread that asks alone. What is found is the same. */
export function scanWith(given: ScanThread | undefined): void {
  thread = given;
}

/** From so many numbers on a scan is long enough to be shared. */
const SHARED_FROM: number = 2 ** 22;

/** Whether the memory of so many rows should be one that threads can share. */
export const isShared = (size: number, stride: number): boolean => thread !== undefined && size * stride >= SHARED_FROM;

export class SharedScan {
  private readonly scan: Scan;
  private readonly job: ScanJob;
  private partner: ScanPartner | undefined;

  private constructor(scan: Scan, job: ScanJob, partner: ScanPartner) {
    this.scan = scan;
    this.job = job;
    this.partner = partner;
  }

  /** undefined where no other thread can be had for these rows. */
  static of(scan: Scan, memory: ScanMemory, stride: number): SharedScan | undefined {
    const { scanned } = scan;
    const { kernel, centred, beside, ...places } = memory;
    if (!thread || !centred?.kernel.shared || !beside) return undefined;
    const rows = { ...scanned, stride, memory: centred.kernel.shared, places: { ...places, shares: centred.shares, beside } };
    const partner = thread.share(rows, scan);
    return partner && new SharedScan(scan, new ScanJob(kernel.buffer, beside.job, scanned.size, stride), partner);
  }

  /** As `Scan.search`. */
  search(queries: readonly ScanQuery[], allowed: Uint8Array | undefined, k: number, riders: readonly Rider[] = []): Found[][] {
    const { job, scan, partner } = this;
    if (!partner || k > MOST_SHARED_HITS || queries.length > MOST_QUERIES) return scan.search(queries, allowed, k, riders);
    job.write({ queries, allowed, k, riders });
    job.state = OFFERED;
    partner.wake();
    const own = scan.search(queries, allowed, k, riders, () => job.take());
    if (job.change(OFFERED, IDLE)) return own;
    if (!job.left(TAKEN, partner.wait) || job.state !== FINISHED) {
      // What it has taken is lost, and it may still write: it is not asked again.
      this.partner = undefined;
      return scan.search(queries, allowed, k, riders);
    }
    const found = own.map((list, at) => bestOfBoth(list, job.readFound(at), k));
    job.state = IDLE;
    return found;
  }
}

/** Of two lists in order, which share no item. */
function bestOfBoth(some: readonly Found[], others: readonly Found[], k: number): Found[] {
  const top = new Top(k);
  for (const { item, score } of some) top.offer(item, score);
  for (const { item, score } of others) top.offer(item, score);
  return top.found();
}

/** The other thread's part: it looks whether a search of these rows waits for it, and joins in. */
export function scanAlong({ stride, memory, places, ...scanned }: SharedRows): () => void {
  const kernel = centredKernelIn(memory, true);
  if (!kernel) return () => {};
  const scan = new Scan(scanned, besideOf(places, kernel));
  const job = new ScanJob(kernel.buffer, places.beside.job, scanned.size, stride);
  return () => {
    if (!job.change(OFFERED, TAKEN)) return;
    try {
      const { queries, allowed, k, riders } = job.read();
      job.writeFound(scan.search(queries, allowed, k, riders, () => job.take()));
      job.state = FINISHED;
    } catch {
      job.state = FAILED;
    }
  };
}
