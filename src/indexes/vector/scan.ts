/**
 * The fast search: inner products in f32 or of 8-bit codes in WebAssembly say between which bounds each row scores; only the rows that may
 * be among the best k are scored exactly. So what is found is what the exhaustive search finds, to the bit.
 */
import type { Found } from '../top.ts';
import { type Bounds, codeBounds, floatBounds } from './bounds.ts';
import { Candidates } from './candidates.ts';
import { QUERIES_A_PASS, ROWS_TOGETHER } from './kernel.ts';
import type { Rows } from './rows.ts';
import { BLOCK_ROWS, LIMIT_BYTES, MOST_QUERIES, type ScanMemory } from './scan-memory.ts';

export interface ScanQuery {
  /** As long as a row with its padding. */
  readonly padded: Float32Array;
  /** At least its Euclidean length. */
  readonly norm: number;
}

/** A query on its way through the rows. */
interface Asked {
  readonly query: ScanQuery;
  readonly bounds: Bounds;
  readonly candidates: Candidates;
  /** k rows score at least this. */
  threshold: number;
  /** Where the kernel reads the threshold, less what f32 may round: a position in `Scan.floats`. */
  readonly cut: number;
}

export class Scan {
  private readonly rows: Rows;
  private readonly memory: ScanMemory;
  /** Of each row what multiplies the slope: its length, or that of what its codes leave over. */
  private readonly errors: Float32Array;
  /** The greatest length of a row or of its codes. */
  private readonly reach: number;
  /** The memory before the queries: products and limits. */
  private readonly floats: Float32Array;

  /** `residuals` with codes only. */
  constructor(rows: Rows, memory: ScanMemory, residuals: Float32Array | undefined) {
    this.rows = rows;
    this.memory = memory;
    this.errors = new Float32Array(memory.kernel.buffer, memory.errors, rows.size);
    this.errors.set(residuals ?? rows.norms);
    this.floats = new Float32Array(memory.kernel.buffer, 0, memory.queries / 4);
    let reach = 0;
    for (let row = 0; row < rows.size; row++) reach = Math.max(reach, rows.norms[row]! + (residuals?.[row] ?? 0));
    this.reach = reach;
  }

  /** Whether the bounds hold for this query: nothing overflows f32. A query of zeros says nothing about the rows. */
  holds({ norm }: ScanQuery): boolean {
    return norm > 0 && this.reach < 2 ** 90 && norm * this.reach < 2 ** 126;
  }

  /** The best k of the allowed rows for each query that `holds`. */
  search(queries: readonly ScanQuery[], allowed: Uint8Array | undefined, k: number): Found[][] {
    const found: Found[][] = [];
    for (let first = 0; first < queries.length; first += MOST_QUERIES) {
      const asked = queries.slice(first, first + MOST_QUERIES).map((query, slot) => this.load(query, slot, k));
      this.collect(asked, allowed);
      for (const { candidates, query } of asked) found.push(candidates.best(this.exactly(query)));
    }
    return found;
  }

  /** The score of exact-score.ts, to the bit. */
  private exactly({ padded }: ScanQuery): (item: number) => number {
    const { kernel, exactQuery, vectors, vectorBytes } = this.memory;
    new Float64Array(kernel.buffer, exactQuery, padded.length).set(padded);
    return item => kernel.exact(exactQuery, vectors + item * vectorBytes, vectorBytes);
  }

  /** Puts a query where the kernel finds it. */
  private load(query: ScanQuery, slot: number, k: number): Asked {
    const { floats, reach } = this;
    const { kernel, queries, queryBytes, scales, limits } = this.memory;
    const { padded, norm } = query;
    const at = queries + slot * queryBytes;
    const bounds =
      scales === undefined
        ? floatBounds(padded, norm, reach, new Float32Array(kernel.buffer, at, padded.length))
        : codeBounds(padded, norm, reach, new Int16Array(kernel.buffer, at, padded.length));
    const lane = slot % QUERIES_A_PASS;
    const limit = (limits + ((slot - lane) / QUERIES_A_PASS) * LIMIT_BYTES) / 4;
    const cut = limit + QUERIES_A_PASS + lane;
    // Other lanes of the pass may have no query: nothing reaches Infinity.
    if (lane === 0) floats.fill(Number.POSITIVE_INFINITY, cut, cut + QUERIES_A_PASS);
    floats[limit + lane] = bounds.slope / bounds.unit;
    floats[cut] = Number.NEGATIVE_INFINITY;
    return { query, bounds, candidates: new Candidates(k), threshold: Number.NEGATIVE_INFINITY, cut };
  }

  /** Block by block, all queries in turn, so that a row is fetched from main memory once. */
  private collect(asked: readonly Asked[], allowed: Uint8Array | undefined): void {
    const { size } = this.rows;
    for (let from = nextAllowed(allowed, 0, size), to = 0; from < size; from = nextAllowed(allowed, to, size)) {
      from -= from % ROWS_TOGETHER;
      to = endOfSpan(allowed, from, Math.min(size, from + BLOCK_ROWS));
      for (let slot = 0; slot < asked.length; slot += QUERIES_A_PASS) {
        const count = Math.min(QUERIES_A_PASS, asked.length - slot);
        this.multiply(slot, count === 1, from, to);
        if (count === 1) this.selectOne(asked, slot, from, to, allowed);
        else this.selectFour(asked, slot, count, from, to, allowed);
      }
    }
  }

  /** Products of one query, or of four from a slot on, with the rows [from, to): one number a row, or four. */
  private multiply(slot: number, alone: boolean, from: number, to: number): void {
    const { kernel, queries, queryBytes, rows, rowBytes, products, scales } = this.memory;
    const query = queries + slot * queryBytes;
    const at = rows + from * rowBytes;
    if (scales === undefined) (alone ? kernel.floats1 : kernel.floats4)(query, at, to - from, rowBytes, products);
    else {
      const quads = Math.ceil((to - from) / ROWS_TOGETHER);
      (alone ? kernel.codes1 : kernel.codes4)(query, at, quads, rowBytes, scales + 4 * from, products);
    }
  }

  /** Takes the allowed rows that may be among the best of one query. */
  private selectOne(asked: readonly Asked[], slot: number, from: number, to: number, allowed: Uint8Array | undefined): void {
    const { kernel, products, errors, limits } = this.memory;
    const limit = limits + (slot / QUERIES_A_PASS) * LIMIT_BYTES;
    const query = asked[slot]!;
    for (let row = from; row < to; ) {
      const at = kernel.reach1(products + 4 * (row - from), products + 4 * (to - from), errors + 4 * row, limit);
      row = from + (at - products) / 4;
      for (const end = Math.min(to, row + 4); row < end; row++) this.offer(query, row, products / 4 + row - from, allowed);
    }
  }

  /** The same for up to four queries. */
  private selectFour(
    asked: readonly Asked[],
    slot: number,
    count: number,
    from: number,
    to: number,
    allowed: Uint8Array | undefined,
  ): void {
    const { kernel, products, errors, limits } = this.memory;
    const limit = limits + (slot / QUERIES_A_PASS) * LIMIT_BYTES;
    const end = products + 16 * (to - from);
    for (let row = from; row < to; row++) {
      const at = kernel.reach4(products + 16 * (row - from), end, errors + 4 * row, limit);
      row = from + (at - products) / 16;
      if (row < to) for (let i = 0; i < count; i++) this.offer(asked[slot + i]!, row, at / 4 + i, allowed);
    }
  }

  /** Takes a row whose product is at a position of `floats`, unless it is not allowed or cannot be among the best. */
  private offer(asked: Asked, row: number, at: number, allowed: Uint8Array | undefined): void {
    const { floats, errors } = this;
    const { unit, slope, constant, margin } = asked.bounds;
    const score = floats[at]! * unit;
    const error = errors[row]! * slope + constant;
    if (score + error < asked.threshold || (allowed !== undefined && allowed[row] !== 1)) return;
    asked.threshold = asked.candidates.take(row, score - error, score + error);
    floats[asked.cut] = (asked.threshold - constant - margin) / unit;
  }
}

/** The first allowed row from one on, or `size`. */
function nextAllowed(allowed: Uint8Array | undefined, from: number, size: number): number {
  if (allowed === undefined) return from;
  const next = from < size ? allowed.indexOf(1, from) : -1;
  return next < 0 ? size : next;
}

/** Where a span of rows ends before `most`: at a gap of at least this many that are not allowed, since a call costs as much as a few rows. */
const GAP = 8;

function endOfSpan(allowed: Uint8Array | undefined, from: number, most: number): number {
  if (allowed === undefined) return most;
  let last = from;
  for (let row = from; row < most && row - last <= GAP; row++) if (allowed[row] === 1) last = row;
  return last + 1;
}
