/**
 * The fast search: inner products in f32 or of 8-bit codes in WebAssembly say between which bounds each row scores; only the rows that may
 * be among the best k are scored exactly. So what is found is what the exhaustive search finds, to the bit.
 *
 * Floats. A sum of products rounded m times on any path differs from the true one by at most g |q| |r|, g = m u / (1 - m u), u = 2^-24
 * (N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 3.1, with Cauchy-Schwarz). Here m = stride / 8 + 4. A product that
 * underflows errs by at most 2^-150 more.
 *
 * Codes. Row r = s c + e and query q = t p + f with whole c and p, so q.r = s t (p.c) + q.e + s f.c: the kernel's whole sum is exact, and the
 * rest is at most |q| |e| + |f| |s c|. The lengths |e| and |f| are measured. The kernel rounds twice in f32 when it scales the sum.
 *
 * 1e-11 |q| |r| covers the float64 arithmetic of the bounds and of the exact score, up to 65,536 dimensions.
 */
import type { Found } from '../lexical/top.ts';
import { Candidates } from './candidates.ts';
import { QUERIES_A_PASS, ROWS_TOGETHER } from './kernel.ts';
import { quantiseQuery } from './quantise.ts';
import type { Rows } from './rows.ts';
import { BLOCK_ROWS, MOST_QUERIES, type ScanMemory } from './scan-memory.ts';

export interface ScanQuery {
  /** As long as a row with its padding. */
  readonly padded: Float32Array;
  /** At least its Euclidean length. */
  readonly norm: number;
}

/** A row scores `product` * unit, give or take errors[row] * slope + constant. */
interface Bounds {
  readonly unit: number;
  readonly slope: number;
  readonly constant: number;
}

const FLOAT64_MARGIN = 1e-11;

export class Scan {
  private readonly rows: Rows;
  private readonly memory: ScanMemory;
  /** Of each row what multiplies the slope: its length, or that of what its codes leave over. */
  private readonly errors: Float32Array;
  /** The greatest length of a row or of its codes. */
  private readonly reach: number;
  private readonly products: Float32Array;

  /** `residuals` with codes only. */
  constructor(rows: Rows, memory: ScanMemory, residuals: Float32Array | undefined) {
    this.rows = rows;
    this.memory = memory;
    this.errors = residuals ?? rows.norms;
    this.products = new Float32Array(memory.kernel.buffer, memory.products, BLOCK_ROWS * QUERIES_A_PASS);
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
      const together = queries.slice(first, first + MOST_QUERIES);
      const candidates = this.collect(together, allowed, k);
      candidates.forEach((each, i) => {
        found.push(each.best(this.rows, together[i]!.padded));
      });
    }
    return found;
  }

  /** Block by block, all queries in turn, so that a row is fetched from main memory once. */
  private collect(queries: readonly ScanQuery[], allowed: Uint8Array | undefined, k: number): Candidates[] {
    const { size } = this.rows;
    const bounds = queries.map((query, slot) => this.load(query, slot));
    const candidates = queries.map(() => new Candidates(k));
    const thresholds = new Float64Array(queries.length).fill(Number.NEGATIVE_INFINITY);
    for (let from = nextAllowed(allowed, 0, size), to = 0; from < size; from = nextAllowed(allowed, to, size)) {
      from -= from % ROWS_TOGETHER;
      to = endOfSpan(allowed, from, Math.min(size, from + BLOCK_ROWS));
      for (let slot = 0; slot < queries.length; slot += QUERIES_A_PASS) {
        const asked = Math.min(QUERIES_A_PASS, queries.length - slot);
        this.multiply(slot, asked, from, to);
        for (let i = 0; i < asked; i++) {
          const q = slot + i;
          const step = asked === 1 ? 1 : QUERIES_A_PASS;
          thresholds[q] = this.select(bounds[q]!, candidates[q]!, thresholds[q]!, i, step, from, to, allowed);
        }
      }
    }
    return candidates;
  }

  /** Puts a query where the kernel finds it. */
  private load({ padded, norm }: ScanQuery, slot: number): Bounds {
    const { kernel, queries, queryBytes, codes } = this.memory;
    const { stride } = this.rows;
    const { reach } = this;
    const at = queries + slot * queryBytes;
    if (codes === undefined) {
      new Float32Array(kernel.buffer, at, stride).set(padded);
      const roundings = (stride / 8 + 4) * 2 ** -24;
      return { unit: 1, slope: norm * (roundings / (1 - roundings) + FLOAT64_MARGIN), constant: stride * 2 ** -149 };
    }
    const { unit, residual } = quantiseQuery(padded, new Int16Array(kernel.buffer, at, stride));
    const constant = residual * reach + (2 ** -22 + FLOAT64_MARGIN) * (norm + residual) * reach + unit * 2 ** -149;
    return { unit, slope: norm, constant };
  }

  /** Products of `asked` queries from a slot on with the rows [from, to): one number a row, or four. */
  private multiply(slot: number, asked: number, from: number, to: number): void {
    const { kernel, queries, queryBytes, rows, rowBytes, products, codes } = this.memory;
    const query = queries + slot * queryBytes;
    const at = rows + from * rowBytes;
    if (codes === undefined) (asked === 1 ? kernel.floats1 : kernel.floats4)(query, at, to - from, rowBytes, products);
    else {
      const quads = Math.ceil((to - from) / ROWS_TOGETHER);
      (asked === 1 ? kernel.codes1 : kernel.codes4)(query, at, quads, rowBytes, codes.scales + 4 * from, products);
    }
  }

  /** Takes the allowed rows that may be among the best; returns the new threshold. */
  private select(
    { unit, slope, constant }: Bounds,
    candidates: Candidates,
    threshold: number,
    at: number,
    step: number,
    from: number,
    to: number,
    allowed: Uint8Array | undefined,
  ): number {
    const { products, errors } = this;
    for (let row = from; row < to; row++, at += step) {
      const score = products[at]! * unit;
      const error = errors[row]! * slope + constant;
      if (score + error < threshold || (allowed !== undefined && allowed[row] !== 1)) continue;
      threshold = candidates.take(row, score - error, score + error);
    }
    return threshold;
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
