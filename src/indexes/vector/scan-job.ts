/** What two threads tell each other about a search of shared rows: it stands in the memory of the rows, behind them. */
import type { Found } from '../top.ts';
import { paddedTo } from './kernel.ts';
import type { Rider, ScanQuery } from './scan.ts';
import { MOST_QUERIES, MOST_RIDERS } from './scan-limits.ts';
import type { Span } from './spans.ts';

/** More are found by one thread alone. */
export const MOST_SHARED_HITS = 512;
/** Rows that a thread takes at once: a fraction of a millisecond's work. */
const ROWS_TAKEN = 2048;

/** What one search asks. */
export interface Asked {
  readonly queries: readonly ScanQuery[];
  readonly allowed: Uint8Array | undefined;
  readonly k: number;
  readonly riders: readonly Rider[];
}

/** Stops this thread while a number has this value, and says whether it has another; not for ever. */
export type Wait = (numbers: Int32Array, at: number, value: number) => boolean;

/** Nobody asks; a search waits for the other thread; that thread works; it is done; it could not. */
export const IDLE = 0;
export const OFFERED = 1;
export const TAKEN = 2;
export const FINISHED = 3;
export const FAILED = 4;

const [STATE, NEXT, QUERIES, RIDERS, HITS, FILTERED, NUMBERS] = [0, 1, 2, 3, 4, 5, 8];
const LISTS = MOST_QUERIES + MOST_RIDERS;

/** Bytes from the beginning of the job, in the order of alignment. */
function placesOf(size: number, stride: number) {
  const norms = NUMBERS * 4;
  const scores = norms + MOST_QUERIES * 8;
  const items = scores + LISTS * MOST_SHARED_HITS * 8;
  const counts = items + LISTS * MOST_SHARED_HITS * 4;
  const riding = counts + LISTS * 4;
  const padded = riding + MOST_RIDERS * 4;
  const masks = padded + MOST_QUERIES * stride * 4;
  return { norms, scores, items, counts, riding, padded, masks, end: masks + (1 + MOST_RIDERS) * size };
}

/** What a job takes of the memory, for so many rows of `stride` floats. */
export const jobBytes = (size: number, stride: number): number => paddedTo(8, placesOf(size, stride).end);

export class ScanJob {
  private readonly size: number;
  private readonly stride: number;
  private readonly numbers: Int32Array;
  private readonly norms: Float64Array;
  private readonly scores: Float64Array;
  private readonly items: Int32Array;
  private readonly counts: Int32Array;
  private readonly riding: Int32Array;
  private readonly padded: Float32Array;
  private readonly masks: Uint8Array;

  /** `at`: where it stands in the memory, a multiple of 8. */
  constructor(buffer: ArrayBuffer, at: number, size: number, stride: number) {
    const places = placesOf(size, stride);
    this.size = size;
    this.stride = stride;
    this.numbers = new Int32Array(buffer, at, NUMBERS);
    this.norms = new Float64Array(buffer, at + places.norms, MOST_QUERIES);
    this.scores = new Float64Array(buffer, at + places.scores, LISTS * MOST_SHARED_HITS);
    this.items = new Int32Array(buffer, at + places.items, LISTS * MOST_SHARED_HITS);
    this.counts = new Int32Array(buffer, at + places.counts, LISTS);
    this.riding = new Int32Array(buffer, at + places.riding, MOST_RIDERS);
    this.padded = new Float32Array(buffer, at + places.padded, MOST_QUERIES * stride);
    this.masks = new Uint8Array(buffer, at + places.masks, (1 + MOST_RIDERS) * size);
  }

  get state(): number {
    return Atomics.load(this.numbers, STATE);
  }

  set state(state: number) {
    Atomics.store(this.numbers, STATE, state);
    Atomics.notify(this.numbers, STATE);
  }

  /** Whether it was in the first state, and is in the second now. */
  change(from: number, to: number): boolean {
    return Atomics.compareExchange(this.numbers, STATE, from, to) === from;
  }

  /** Whether it came into another state before the other thread was given up. */
  left(state: number, wait: Wait): boolean {
    return this.state !== state || wait(this.numbers, STATE, state);
  }

  /** Only while it is idle. */
  write({ queries, allowed, k, riders }: Asked): void {
    const { numbers, norms, padded, masks, riding, size, stride } = this;
    for (const [at, query] of queries.entries()) {
      norms[at] = query.norm;
      padded.set(query.padded, at * stride);
    }
    if (allowed) masks.set(allowed);
    for (const [at, rider] of riders.entries()) {
      riding[at] = rider.query;
      masks.set(rider.allowed, (1 + at) * size);
    }
    numbers.set([queries.length, riders.length, k, Number(allowed !== undefined)], QUERIES);
    Atomics.store(numbers, NEXT, 0);
  }

  /** What was written: views of the memory. */
  read(): Asked {
    const { numbers, norms, padded, riding, stride } = this;
    const queries = Array.from({ length: numbers[QUERIES]! }, (_, at) => ({
      padded: padded.subarray(at * stride, (at + 1) * stride),
      norm: norms[at]!,
    }));
    const riders = Array.from({ length: numbers[RIDERS]! }, (_, at) => ({ query: riding[at]!, allowed: this.mask(1 + at) }));
    return { queries, allowed: numbers[FILTERED] === 1 ? this.mask(0) : undefined, k: numbers[HITS]!, riders };
  }

  /** The next rows that no thread has taken; undefined where none are left. */
  take(): Span | undefined {
    const from = Atomics.add(this.numbers, NEXT, ROWS_TAKEN);
    return from < this.size ? { from, to: Math.min(this.size, from + ROWS_TAKEN) } : undefined;
  }

  writeFound(lists: readonly (readonly Found[])[]): void {
    for (const [list, found] of lists.entries()) {
      this.counts[list] = found.length;
      for (const [at, { item, score }] of found.entries()) {
        this.items[list * MOST_SHARED_HITS + at] = item;
        this.scores[list * MOST_SHARED_HITS + at] = score;
      }
    }
  }

  readFound(list: number): Found[] {
    const first = list * MOST_SHARED_HITS;
    return Array.from({ length: this.counts[list]! }, (_, at) => ({ item: this.items[first + at]!, score: this.scores[first + at]! }));
  }

  private mask(index: number): Uint8Array {
    return this.masks.subarray(index * this.size, (index + 1) * this.size);
  }
}
