/**
 * Searches rows by products of the kernel: inner products in f32, or of 7- or 8-bit codes, bound
 * the score of each row. Only rows whose upper bound reaches the k-th best lower bound are scored
 * in float64, so the results equal those of the exhaustive search to the bit.
 */
import type { ScoredItem } from '../../../core/ranking/top.ts';
import { type Bounds, codeBounds, floatBounds } from './bounds.ts';
import { Candidates } from './candidates.ts';
import { type Centre, centredBounds, type Direction, isOrdinary } from './centred.ts';
import { QUERIES_A_PASS, ROWS_TOGETHER } from './kernel.ts';
import { endOfSpan, nextAllowed } from './row-spans.ts';
import type { Rows } from './rows.ts';
import {
  BLOCK_ROWS,
  LIMIT_BYTES,
  MOST_QUERIES,
  RIDERS_FROM,
  type ScanMemory,
} from './scan-memory.ts';
import type { LoadedQuery, LoadedRider, Rider, ScanQuery } from './scan-queries.ts';

/** Rows scored per kernel call: the products' memory holds a number and a score for each. */
const EXACT_AT_ONCE: number = (BLOCK_ROWS * QUERIES_A_PASS * 4) / 16;

export class Scan {
  private readonly rows: Rows;
  private readonly memory: ScanMemory;
  /** Per row the factor of the slope: the row's length, or the length of its codes' residual. */
  private readonly errors: Float32Array;
  /** The greatest length of a row, or of its codes. */
  private readonly reach: number;
  /** Set if the rows are centred. */
  private readonly centre: Direction | undefined;
  /** Views of the memory before the queries: products and limits. */
  private readonly floats: Float32Array;
  private readonly wholes: Int32Array;

  /**
   * Copies row errors into the kernel's memory. Pass `residuals` with 8-bit codes and `centre` with
   * centred ones.
   */
  constructor(
    rows: Rows,
    memory: ScanMemory,
    residuals: Float32Array | undefined,
    centre?: Centre,
  ) {
    // The residuals are copied to the errors below.
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
   * Returns true if the bounds hold for this query: no product overflows f32. A query of zeros is
   * not scanned, because its products cannot order rows.
   */
  holds({ norm }: ScanQuery): boolean {
    if (this.centre) return isOrdinary(norm) && isOrdinary(this.reach);
    return norm > 0 && this.reach < 2 ** 90 && norm * this.reach < 2 ** 126;
  }

  /**
   * Returns the best k allowed rows of each query, which must satisfy `holds`, followed by those of
   * each rider (at most `MOST_RIDERS`). Riders require that `allowed` is undefined.
   */
  search(
    queries: readonly ScanQuery[],
    allowed: Uint8Array | undefined,
    k: number,
    riders: readonly Rider[] = [],
  ): ScoredItem[][] {
    const results: ScoredItem[][] = [];
    const riderResults: ScoredItem[][] = [];
    for (let first = 0; first < queries.length; first += MOST_QUERIES) {
      const loaded = queries
        .slice(first, first + MOST_QUERIES)
        .map((query, slot) => this.load(query, slot, k));
      const riding = riders.map((rider, index) =>
        this.loadRider(loaded[rider.query - first], rider, index, k),
      );
      this.collect(
        loaded,
        allowed,
        riding.filter(scan => scan !== undefined),
      );
      for (const { candidates, query } of loaded)
        results.push(candidates.best(items => this.exactly(query, items)));
      for (const [index, rider] of riding.entries())
        if (rider)
          riderResults[index] = rider.candidates.best(items => this.exactly(rider.query, items));
    }
    return [...results, ...riderResults];
  }

  /** Prepares a rider; returns undefined if its query is not loaded. */
  private loadRider(
    loaded: LoadedQuery | undefined,
    { query, allowed }: Rider,
    index: number,
    k: number,
  ): LoadedRider | undefined {
    if (!loaded) return undefined;
    const { floats } = this;
    const slot = query % MOST_QUERIES;
    const limit = this.memory.limits + (RIDERS_FROM + index) * LIMIT_BYTES;
    const cut = limit / 4 + QUERIES_A_PASS + (slot % QUERIES_A_PASS);
    // A cut of Infinity rejects every row; only the rider's own lane gets a finite one.
    floats.fill(
      Number.POSITIVE_INFINITY,
      limit / 4 + QUERIES_A_PASS,
      limit / 4 + 2 * QUERIES_A_PASS,
    );
    floats[cut - QUERIES_A_PASS] = loaded.bounds.slope / loaded.bounds.unit;
    floats[cut] = Number.NEGATIVE_INFINITY;
    const next = nextAllowed(allowed, 0, this.rows.size);
    return {
      ...loaded,
      candidates: new Candidates(k),
      threshold: Number.NEGATIVE_INFINITY,
      cut,
      slot,
      allowed,
      limit,
      next,
    };
  }

  /** Returns the scores of exact-score.ts, to the bit. */
  exactly({ padded }: ScanQuery, items: readonly number[]): Float64Array {
    const { kernel, exactQuery, products, vectors, vectorBytes } = this.memory;
    new Float64Array(kernel.buffer, exactQuery, padded.length).set(padded);
    // Overwrites the products, which are not needed while rows are scored.
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

  /** Writes a query and its limits into the kernel's memory. */
  private load(query: ScanQuery, slot: number, k: number): LoadedQuery {
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
    // A cut of Infinity rejects every row in lanes without a query.
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

  /**
   * Writes a query for centred rows. `terms` is the index of its portion; its shift follows the
   * four portions.
   */
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

  /**
   * Scans block by block, all queries in turn, so that each row is fetched from main memory once.
   */
  private collect(
    loaded: readonly LoadedQuery[],
    allowed: Uint8Array | undefined,
    riding: readonly LoadedRider[],
  ): void {
    const { size } = this.rows;
    for (
      let from = nextAllowed(allowed, 0, size), to = 0;
      from < size;
      from = nextAllowed(allowed, to, size)
    ) {
      from -= from % ROWS_TOGETHER;
      to = endOfSpan(allowed, from, Math.min(size, from + BLOCK_ROWS));
      for (let slot = 0; slot < loaded.length; slot += QUERIES_A_PASS) {
        const count = Math.min(QUERIES_A_PASS, loaded.length - slot);
        const alone = count === 1 && !this.centre && riding.length === 0;
        this.multiply(slot, count, alone, from, to);
        if (alone) this.selectOne(loaded, slot, from, to, allowed);
        else this.selectFour(loaded, slot, count, from, to, allowed);
        for (const rider of riding)
          if (rider.slot >= slot && rider.slot < slot + QUERIES_A_PASS)
            this.selectRider(rider, from, to);
      }
    }
  }

  /**
   * Computes products of `count` queries from a slot on with the rows [from, to): four numbers a
   * row, or one if the query is alone.
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

  /** Offers the rows that may be among the best of one query. */
  private selectOne(
    loaded: readonly LoadedQuery[],
    slot: number,
    from: number,
    to: number,
    allowed: Uint8Array | undefined,
  ): void {
    const { kernel, products, errors, limits } = this.memory;
    const limit = limits + (slot / QUERIES_A_PASS) * LIMIT_BYTES;
    const query = loaded[slot]!;
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

  /** Offers the rows that may be among the best of any of up to four queries. */
  private selectFour(
    loaded: readonly LoadedQuery[],
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
        for (let i = 0; i < count; i++) this.offer(loaded[slot + i]!, row, at / 4 + i, allowed);
    }
  }

  /** Offers the rows that may be among the best of a rider, span by span of its allowed rows. */
  private selectRider(rider: LoadedRider, block: number, end: number): void {
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
   * Adds a row to the candidates, unless it is not allowed or cannot be among the best. `at` is the
   * index of its product in `floats`.
   */
  private offer(
    loaded: LoadedQuery,
    row: number,
    at: number,
    allowed: Uint8Array | undefined,
  ): void {
    const { floats, errors } = this;
    const { offset, unit, slope, constant, margin } = loaded.bounds;
    const score = offset + floats[at]! * unit;
    const error = errors[row]! * slope + constant;
    if (score + error < loaded.threshold || (allowed !== undefined && allowed[row] !== 1)) return;
    loaded.threshold = loaded.candidates.take(row, score - error, score + error);
    floats[loaded.cut] = (loaded.threshold - offset - constant - margin) / unit;
  }
}
