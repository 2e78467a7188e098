/** Defines the queries of a scan, as received and as loaded into the memory of the kernel. */
import type { Bounds } from './bounds.ts';
import type { Candidates } from './candidates.ts';

export interface ScanQuery {
  /** The vector, padded with zeros to the stride of a row. */
  readonly padded: Float32Array;
  /** An upper bound of its Euclidean length. */
  readonly norm: number;
}

/** A query in the kernel's memory, with its candidates so far. */
export interface LoadedQuery {
  readonly query: ScanQuery;
  readonly bounds: Bounds;
  readonly candidates: Candidates;
  /** A lower bound of the k-th best score. */
  threshold: number;
  /** Index into `Scan.floats` of the threshold that the kernel reads, less f32 rounding. */
  readonly cut: number;
}

/**
 * A filtered search whose query is also searched without a filter: it selects from the same
 * products.
 */
export interface Rider {
  /** Index of its query among the queries. */
  readonly query: number;
  readonly allowed: Uint8Array;
}

export interface LoadedRider extends LoadedQuery {
  readonly slot: number;
  readonly allowed: Uint8Array;
  readonly limit: number;
  /** The first row that it has not reached yet. */
  next: number;
}
