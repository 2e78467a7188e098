/**
 * InfoNCE of many queries against all vectors of a pool: two matrix products instead of a loop over
 * negatives.
 *
 * The loss and its gradient are those of info-nce.ts with every row of the pool as a key: L = Ĥ K̂ᵀ
 * / τ, p = softmax of each row of L over what is not excluded, ∂loss/∂Ĥ = (p - [positive]) K̂ / τ.
 * The logits of at most 128 queries are held at once; p is made block by block of the pool.
 */
import type { Room, Rows } from '../../../src/models/tree-hop/activations.ts';
import { padded, STEP, strideOf } from '../../../src/models/tree-hop/kernel.ts';
import type { MatrixKernel } from '../../../src/models/tree-hop/matrix-kernel.ts';
import { lengthOf } from './info-nce.ts';

/** Queries at once: their logits take 4 bytes for each row of the pool. */
const QUERIES = 128;
/** Rows of the pool for one product: eight columns of them stay in the first-level cache. */
const KEYS = 512;

/** The places of a pool, and of values computed with it, in a kernel's memory. */
export interface PoolPlaces {
  readonly d: number;
  /** Rows of the pool. */
  readonly count: number;
  readonly keys: Rows;
  readonly directions: Rows;
  readonly logits: Rows;
  readonly sums: Rows;
  readonly packed: number;
  readonly panel: number;
}

export function placePool(room: Room, d: number, count: number, mostRows: number): PoolPlaces {
  const [queries, width] = [Math.min(QUERIES, mostRows), strideOf(d)];
  return {
    d,
    count,
    keys: room.take(padded(count), width),
    directions: room.take(queries, width),
    sums: room.take(queries, width),
    logits: room.take(queries, strideOf(count)),
    packed: room.take(queries + 4, KEYS).at,
    panel: room.take(STEP, KEYS).at,
  };
}

/**
 * Some rows of a batch: which row of the pool each should find, and which are no negatives of it;
 * gold that is excluded is no positive.
 */
export interface PoolTargets {
  readonly positives: Int32Array;
  readonly excluded: readonly (readonly number[])[];
}

export interface PoolTerms extends PoolTargets {
  readonly temperature: number;
  readonly states: Rows;
  readonly rows: number;
  /** The place of ∂loss/∂h times `factor`; undefined if not needed. */
  readonly gradient: { readonly to: Rows; readonly factor: number } | undefined;
}

export class PoolInfoNce {
  readonly #kernel: MatrixKernel;
  readonly #places: PoolPlaces;
  readonly #lengths = new Float64Array(QUERIES);
  readonly #greatest = new Float64Array(QUERIES);
  readonly #totals = new Float64Array(QUERIES);
  readonly #gathered: Float64Array;

  /** `vectors`: the pool, of any length; a copy of length 1 is kept. */
  constructor(kernel: MatrixKernel, places: PoolPlaces, vectors: Float32Array) {
    this.#kernel = kernel;
    this.#places = places;
    const { d, count, keys } = places;
    for (let row = 0; row < count; row++)
      normalised(vectors, row * d, kernel.floats, keys.at + row * keys.stride, d);
    this.#gathered = new Float64Array(QUERIES * d);
  }

  /** The loss of each row. */
  losses(terms: PoolTerms): Float64Array {
    const losses = new Float64Array(terms.rows);
    for (let from = 0; from < terms.rows; from += QUERIES)
      this.#some(terms, from, Math.min(QUERIES, terms.rows - from), losses);
    return losses;
  }

  #some(terms: PoolTerms, from: number, count: number, losses: Float64Array): void {
    const { floats } = this.#kernel;
    const { logits } = this.#places;
    this.#logits(terms, from, count);
    this.#totals.fill(0);
    this.#gathered.fill(0);
    for (let first = 0; first < this.#places.count; first += KEYS) {
      const keys = Math.min(KEYS, this.#places.count - first);
      for (let row = 0; row < count; row++)
        this.#powers(row, first, keys, terms.temperature, terms.positives[from + row]!);
      if (terms.gradient) this.#gather(count, first, keys);
    }
    for (let row = 0; row < count; row++) {
      const logit =
        (floats[logits.at + row * logits.stride + terms.positives[from + row]!]! -
          this.#greatest[row]!) /
        terms.temperature;
      losses[from + row] = Math.log(this.#totals[row]!) - logit;
      if (terms.gradient) this.#write(terms, from, row, Math.exp(logit) / this.#totals[row]! - 1);
    }
  }

  /** The cosines of some states with the whole pool, and the greatest of each. */
  #logits({ states, excluded }: PoolTerms, from: number, count: number): void {
    const { floats } = this.#kernel;
    const { d, keys, directions, logits, count: all } = this.#places;
    for (let row = 0; row < count; row++)
      this.#lengths[row] = normalised(
        floats,
        states.at + (from + row) * states.stride,
        floats,
        directions.at + row * directions.stride,
        d,
      );
    this.#kernel.dots(
      directions.at,
      count,
      keys.at,
      padded(all),
      keys.stride,
      logits.at,
      logits.stride,
    );
    for (let row = 0; row < count; row++) {
      const at = logits.at + row * logits.stride;
      for (const key of excluded[from + row]!) floats[at + key] = Number.NEGATIVE_INFINITY;
      let greatest = Number.NEGATIVE_INFINITY;
      for (let key = 0; key < all; key++)
        if (floats[at + key]! > greatest) greatest = floats[at + key]!;
      this.#greatest[row] = greatest;
    }
  }

  /**
   * exp of the logits of one row, packed for the product; the positive's stays out, since p - 1 of
   * it would lose its digits.
   */
  #powers(row: number, first: number, keys: number, temperature: number, positive: number): void {
    const { floats } = this.#kernel;
    const { logits, packed } = this.#places;
    const [at, to] = [
      logits.at + row * logits.stride + first,
      packed + (row - (row % 4)) * keys + (row % 4),
    ];
    const [greatest, scale] = [this.#greatest[row]!, 1 / temperature];
    let total = this.#totals[row]!;
    for (let key = 0; key < keys; key++) {
      const power = Math.exp((floats[at + key]! - greatest) * scale);
      total += power;
      floats[to + 4 * key] = power;
    }
    this.#totals[row] = total;
    if (positive >= first && positive < first + keys) floats[to + 4 * (positive - first)] = 0;
  }

  /**
   * Adds powers x keys of one block of the pool. Rows of the last four that are none hold what was
   * there; their sums are not written.
   */
  #gather(count: number, first: number, keys: number): void {
    const { floats } = this.#kernel;
    const { d, keys: pool, sums, packed, panel } = this.#places;
    const [at, columns] = [pool.at + first * pool.stride, pool.stride];
    this.#kernel.products(
      packed,
      count,
      keys,
      at,
      pool.stride,
      columns,
      sums.at,
      sums.stride,
      panel,
    );
    for (let row = 0; row < count; row++)
      for (let i = 0; i < d; i++)
        this.#gathered[row * d + i]! += floats[sums.at + row * sums.stride + i]!;
  }

  /** From ∂loss/∂ĥ to ∂loss/∂h; `rest` is p - 1 of the positive. */
  #write(
    { gradient, positives, temperature }: PoolTerms,
    from: number,
    row: number,
    rest: number,
  ): void {
    const { floats } = this.#kernel;
    const { d, keys, directions } = this.#places;
    const { to, factor } = gradient!;
    const [key, direction] = [
      keys.at + positives[from + row]! * keys.stride,
      directions.at + row * directions.stride,
    ];
    const total = this.#totals[row]!;
    let along = 0;
    for (let i = 0; i < d; i++) {
      const value = this.#gathered[row * d + i]! / total + rest * floats[key + i]!;
      this.#gathered[row * d + i] = value;
      along += value * floats[direction + i]!;
    }
    const [at, scale] = [
      to.at + (from + row) * to.stride,
      factor / (temperature * this.#lengths[row]!),
    ];
    for (let i = 0; i < d; i++)
      floats[at + i] = scale * (this.#gathered[row * d + i]! - along * floats[direction + i]!);
  }
}

/** Writes the direction of a vector and gives its length. */
function normalised(
  values: Float32Array,
  at: number,
  floats: Float32Array,
  to: number,
  d: number,
): number {
  const length = lengthOf({ values, at }, d);
  for (let i = 0; i < d; i++) floats[to + i] = values[at + i]! / length;
  return length;
}
