/** Exact inner products of queries with every row: one pass over contiguous rows. */
import { type Found, Top } from '../indexes/lexical/top.ts';

export interface VectorQuery {
  readonly vector: Float32Array;
  /** 1 where the item may be returned, one byte an item. Applied before top-k. */
  readonly allowed?: Uint8Array;
}

export class ExactScan {
  readonly dimensions: number;
  /** The number of items. */
  readonly size: number;
  private readonly rows: Float32Array;

  constructor(rows: Float32Array, dimensions: number) {
    this.rows = rows;
    this.dimensions = dimensions;
    this.size = dimensions === 0 ? 0 : rows.length / dimensions;
  }

  /** The best k items of each query, score descending, then item ascending. */
  search(queries: readonly VectorQuery[], k: number): Found[][] {
    return queries.map(({ vector, allowed }) => {
      if (k === 0) return [];
      const top = new Top(k);
      for (let item = 0; item < this.size; item++) if (allowed?.[item] !== 0) top.offer(item, this.score(vector, item));
      return top.found();
    });
  }

  /** A copy. */
  vector(item: number): Float32Array {
    return this.rows.slice(item * this.dimensions, (item + 1) * this.dimensions);
  }

  private score(vector: Float32Array, item: number): number {
    let sum = 0;
    for (let j = 0, at = item * this.dimensions; j < this.dimensions; j++, at++) sum += vector[j]! * this.rows[at]!;
    return sum;
  }
}
