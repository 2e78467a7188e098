/**
 * The fast search: inner products in f32 or of 7- or 8-bit codes in WebAssembly say between which
 * bounds each row scores; only the rows that may be among the best k are scored exactly. So what is
 * found is what the exhaustive search finds, to the bit.
 */
import type { ScoredItem } from '../top.ts';
import { type Bounds, codeBounds, floatBounds } from './bounds.ts';
import { Candidates } from './candidates.ts';
import { type Centre, centredBounds, type Direction, isOrdinary } from './centred.ts';
import { QUERIES_A_PASS, ROWS_TOGETHER } from './kernel.ts';
import type { Rows } from './rows.ts';
import {
  BLOCK_ROWS,
  LIMIT_BYTES,
  MOST_QUERIES,
  RIDERS_FROM,
  type ScanMemory,
} from './scan-memory.ts';

export interface ScanQuery {
  /** As long as a row with its padding. */
  readonly padded: Float32Array;
  /** At least its Euclidean length. */
  readonly norm: number;
}

/** Rows that are scored in one call, in the room of the products: a number and a score each. */
const EXACT_AT_ONCE: number = (BLOCK_ROWS * QUERIES_A_PASS * 4) / 16;

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

/**
 * A filter of a query that is asked over everything too: it takes its rows from the products that
 * are there.
 */
export interface Rider {
  /** The place of the query among the queries. */
  readonly query: number;
  readonly allowed: Uint8Array;
}

interface Riding extends Asked {
  readonly slot: number;
  readonly allowed: Uint8Array;
  readonly limit: number;
  /** Its first row that was not reached yet. */
  next: number;
}

export class Scan {
  private readonly rows: Rows;
  private readonly memory: ScanMemory;
  /** Of each row what multiplies the slope: its length, or that of what its codes leave over. */
  private readonly errors: Float32Array;
  /** The greatest length of a row or of its codes. */
  private readonly reach: number;
  /** Of centred rows. */
  private readonly centre: Direction | undefined;
  /** The memory before the queries: products and limits. */
  private readonly floats: Float32Array;
  private readonly wholes: Int32Array;

  /** `residuals` with codes only, `centre` with centred ones. */
  constructor(
    rows: Rows,
    memory: ScanMemory,
    residuals: Float32Array | undefined,
    centre?: Centre,
  ) {
    // Its residuals are in the memory, among the errors.
    this.centre = centre && { mean: centre.mean, direction: centre.direction, reach: centre.reach };
    this.rows = rows;
    this.memory = memory;
    this.errors = new Float32Array(memory.kernel.buffer, memory.errors, rows.size);
    this.errors.set(centre?.residuals ?? residuals ?? rows.norms);
    this.floats = new Float32Array(memory.kernel.buffer, 0, memory.queries / 4);
    this.wholes = new Int32Array(memory.kernel.buffer, 0, memory.queries / 4);
    let reach = 0;
    for (let row = 0; row < rows.size; row++)
      reach = Math.max(reach, rows.norms[row]! + (residuals?.[row] ?? 0));
    this.reach = centre?.reach ?? reach;
  }

  /**
   * Whether the bounds hold for this query: nothing overflows f32. A query of zeros says nothing
   * about the rows.
   */
  holds({ norm }: ScanQuery): boolean {
    if (this.centre) return isOrdinary(norm) && isOrdinary(this.reach);
    return norm > 0 && this.reach < 2 ** 90 && norm * this.reach < 2 ** 126;
  }

  /**
   * The best k of the allowed rows for each query that `holds`, and then for each rider, at most
   * `MOST_RIDERS`, which need that all are allowed.
   */
  search(
    queries: readonly ScanQuery[],
    allowed: Uint8Array | undefined,
    k: number,
    riders: readonly Rider[] = [],
  ): ScoredItem[][] {
    const found: ScoredItem[][] = [];
    const ridden: ScoredItem[][] = [];
    for (let first = 0; first < queries.length; first += MOST_QUERIES) {
      const asked = queries
        .slice(first, first + MOST_QUERIES)
        .map((query, slot) => this.load(query, slot, k));
      const riding = riders.map((rider, index) =>
        this.ride(asked[rider.query - first], rider, index, k),
      );
      this.collect(
        asked,
        allowed,
        riding.filter(one => one !== undefined),
      );
      for (const { candidates, query } of asked)
        found.push(candidates.best(items => this.exactly(query, items)));
      for (const [index, rider] of riding.entries())
        if (rider) ridden[index] = rider.candidates.best(items => this.exactly(rider.query, items));
    }
    return [...found, ...ridden];
  }

  /** undefined for a rider of a query that is not loaded. */
  private ride(
    asked: Asked | undefined,
    { query, allowed }: Rider,
    index: number,
    k: number,
  ): Riding | undefined {
    if (!asked) return undefined;
    const { floats } = this;
    const slot = query % MOST_QUERIES;
    const limit = this.memory.limits + (RIDERS_FROM + index) * LIMIT_BYTES;
    const cut = limit / 4 + QUERIES_A_PASS + (slot % QUERIES_A_PASS);
    // Nothing reaches Infinity but the rider's own lane.
    floats.fill(
      Number.POSITIVE_INFINITY,
      limit / 4 + QUERIES_A_PASS,
      limit / 4 + 2 * QUERIES_A_PASS,
    );
    floats[cut - QUERIES_A_PASS] = asked.bounds.slope / asked.bounds.unit;
    floats[cut] = Number.NEGATIVE_INFINITY;
    const next = nextAllowed(allowed, 0, this.rows.size);
    return {
      ...asked,
      candidates: new Candidates(k),
      threshold: Number.NEGATIVE_INFINITY,
      cut,
      slot,
      allowed,
      limit,
      next,
    };
  }

  /** The scores of exact-score.ts, to the bit. */
  exactly({ padded }: ScanQuery, items: readonly number[]): Float64Array {
    const { kernel, exactQuery, products, vectors, vectorBytes } = this.memory;
    new Float64Array(kernel.buffer, exactQuery, padded.length).set(padded);
    // No products are wanted while rows are scored.
    const numbers = new Int32Array(kernel.buffer, products, EXACT_AT_ONCE);
    const out = products + 4 * EXACT_AT_ONCE;
    const made = new Float64Array(kernel.buffer, out, EXACT_AT_ONCE);
    const scores = new Float64Array(items.length);
    for (let first = 0; first < items.length; first += EXACT_AT_ONCE) {
      const count = Math.min(EXACT_AT_ONCE, items.length - first);
      for (let at = 0; at < count; at++) numbers[at] = items[first + at]!;
      kernel.exact(exactQuery, vectors, vectorBytes, products, count, out);
      for (let at = 0; at < count; at++) scores[first + at] = made[at]!;
    }
    return scores;
  }

  /** Puts a query where the kernel finds it. */
  private load(query: ScanQuery, slot: number, k: number): Asked {
    const { floats, reach } = this;
    const { kernel, queries, queryBytes, scales, limits } = this.memory;
    const { padded, norm } = query;
    const at = queries + slot * queryBytes;
    const lane = slot % QUERIES_A_PASS;
    const limit = (limits + ((slot - lane) / QUERIES_A_PASS) * LIMIT_BYTES) / 4;
    const bounds = this.centre
      ? this.loadCentred(query, this.centre, at, limit + 2 * QUERIES_A_PASS + lane)
      : scales === undefined
        ? floatBounds(padded, norm, reach, new Float32Array(kernel.buffer, at, padded.length))
        : codeBounds(padded, norm, reach, new Int16Array(kernel.buffer, at, padded.length));
    const cut = limit + QUERIES_A_PASS + lane;
    // Other lanes of the pass may have no query: nothing reaches Infinity.
    if (lane === 0) floats.fill(Number.POSITIVE_INFINITY, cut, cut + QUERIES_A_PASS);
    floats[limit + lane] = bounds.slope / bounds.unit;
    floats[cut] = Number.NEGATIVE_INFINITY;
    return {
      query,
      bounds,
      candidates: new Candidates(k),
      threshold: Number.NEGATIVE_INFINITY,
      cut,
    };
  }

  /** `terms`: where its portion stands, and its shift behind the portions. */
  private loadCentred(
    { padded, norm }: ScanQuery,
    centre: Direction,
    at: number,
    terms: number,
  ): Bounds {
    const bounds = centredBounds(
      padded,
      norm,
      centre,
      new Int8Array(this.memory.kernel.buffer, at, padded.length),
    );
    this.floats[terms] = bounds.portion;
    this.wholes[terms + QUERIES_A_PASS] = bounds.shift;
    return bounds;
  }

  /** Block by block, all queries in turn, so that a row is fetched from main memory once. */
  private collect(
    asked: readonly Asked[],
    allowed: Uint8Array | undefined,
    riding: readonly Riding[],
  ): void {
    const { size } = this.rows;
    for (
      let from = nextAllowed(allowed, 0, size), to = 0;
      from < size;
      from = nextAllowed(allowed, to, size)
    ) {
      from -= from % ROWS_TOGETHER;
      to = endOfSpan(allowed, from, Math.min(size, from + BLOCK_ROWS));
      for (let slot = 0; slot < asked.length; slot += QUERIES_A_PASS) {
        const count = Math.min(QUERIES_A_PASS, asked.length - slot);
        const alone = count === 1 && !this.centre && riding.length === 0;
        this.multiply(slot, count, alone, from, to);
        if (alone) this.selectOne(asked, slot, from, to, allowed);
        else this.selectFour(asked, slot, count, from, to, allowed);
        for (const rider of riding)
          if (rider.slot >= slot && rider.slot < slot + QUERIES_A_PASS)
            this.selectRider(rider, from, to);
      }
    }
  }

  /**
   * Products of `count` queries from a slot on with the rows [from, to): four numbers a row, or one
   * where the query is alone.
   */
  private multiply(slot: number, count: number, alone: boolean, from: number, to: number): void {
    const { kernel, queries, queryBytes, rows, rowBytes, products, scales } = this.memory;
    const query = queries + slot * queryBytes;
    const at = rows + from * rowBytes;
    if (this.memory.centred) {
      const { kernel, shares } = this.memory.centred;
      const terms =
        this.memory.limits + (slot / QUERIES_A_PASS) * LIMIT_BYTES + 2 * QUERIES_A_PASS * 4;
      const quads = Math.ceil((to - from) / ROWS_TOGETHER);
      const product =
        count === 1 ? kernel.centred1 : count === 2 ? kernel.centred2 : kernel.centred4;
      product(query, at, quads, rowBytes, scales! + 4 * from, shares + 4 * from, terms, products);
    } else if (scales === undefined)
      (alone ? kernel.floats1 : kernel.floats4)(query, at, to - from, rowBytes, products);
    else {
      const quads = Math.ceil((to - from) / ROWS_TOGETHER);
      (alone ? kernel.codes1 : kernel.codes4)(
        query,
        at,
        quads,
        rowBytes,
        scales + 4 * from,
        products,
      );
    }
  }

  /** Takes the allowed rows that may be among the best of one query. */
  private selectOne(
    asked: readonly Asked[],
    slot: number,
    from: number,
    to: number,
    allowed: Uint8Array | undefined,
  ): void {
    const { kernel, products, errors, limits } = this.memory;
    const limit = limits + (slot / QUERIES_A_PASS) * LIMIT_BYTES;
    const query = asked[slot]!;
    for (let row = from; row < to; ) {
      const at = kernel.reach1(
        products + 4 * (row - from),
        products + 4 * (to - from),
        errors + 4 * row,
        limit,
      );
      row = from + (at - products) / 4;
      for (const end = Math.min(to, row + 4); row < end; row++)
        this.offer(query, row, products / 4 + row - from, allowed);
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
      if (row < to)
        for (let i = 0; i < count; i++) this.offer(asked[slot + i]!, row, at / 4 + i, allowed);
    }
  }

  /** The same for a rider, from one span of its own rows to the next. */
  private selectRider(rider: Riding, block: number, end: number): void {
    const { kernel, products, errors } = this.memory;
    const { allowed, limit } = rider;
    const lane = rider.slot % QUERIES_A_PASS;
    while (rider.next < end) {
      const to = endOfSpan(allowed, rider.next, end);
      for (let row = rider.next; row < to; row++) {
        const at = kernel.reach4(
          products + 16 * (row - block),
          products + 16 * (to - block),
          errors + 4 * row,
          limit,
        );
        row = block + (at - products) / 16;
        if (row < to) this.offer(rider, row, at / 4 + lane, allowed);
      }
      rider.next = nextAllowed(allowed, to, this.rows.size);
    }
  }

  /**
   * Takes a row whose product is at a position of `floats`, unless it is not allowed or cannot be
   * among the best.
   */
  private offer(asked: Asked, row: number, at: number, allowed: Uint8Array | undefined): void {
    const { floats, errors } = this;
    const { offset, unit, slope, constant, margin } = asked.bounds;
    const score = offset + floats[at]! * unit;
    const error = errors[row]! * slope + constant;
    if (score + error < asked.threshold || (allowed !== undefined && allowed[row] !== 1)) return;
    asked.threshold = asked.candidates.take(row, score - error, score + error);
    floats[asked.cut] = (asked.threshold - offset - constant - margin) / unit;
  }
}

/** The first allowed row from one on, or `size`. */
function nextAllowed(allowed: Uint8Array | undefined, from: number, size: number): number {
  if (allowed === undefined) return from;
  const next = from < size ? allowed.indexOf(1, from) : -1;
  return next < 0 ? size : next;
}

/**
 * Where a span of rows ends before `most`: at a gap of at least this many that are not allowed,
 * since a call costs as much as a few rows.
 */
const GAP = 8;

function endOfSpan(allowed: Uint8Array | undefined, from: number, most: number): number {
  if (allowed === undefined) return most;
  let last = from;
  for (let row = from; row < most && row - last <= GAP; row++) if (allowed[row] === 1) last = row;
  return last + 1;
}
