/** The operations of a TreeHop kernel. */

/** Places are indices into `floats`; strides are floats from one row to the next. */
export interface MatrixKernel {
  readonly floats: Float32Array;
  /**
   * out[l, r] = left row l · right row r; both have rows of `width`, adjacent. `rightRows` and
   * `width` are multiples of 8.
   */
  dots(
    left: number,
    rows: number,
    right: number,
    rightRows: number,
    width: number,
    out: number,
    outStride: number,
  ): void;
  /**
   * out[i, j] = Σ over k < terms of a[i, k] b[k, j]. `a` is packed: in fours of rows, of each k
   * four adjacent floats. `columns` is a multiple of 8; `panel` is room for 8 · terms floats.
   */
  products(
    a: number,
    rows: number,
    terms: number,
    b: number,
    bStride: number,
    columns: number,
    out: number,
    outStride: number,
    panel: number,
  ): void;
  /**
   * One step for the `count` weights from 0 on; gradients, first and second moments follow, each
   * `gap` floats after the last.
   */
  adamW(gap: number, count: number, factors: AdamWFactors): void;
}

/** w = w·decay; m = β₁m + rest₁g; v = β₂v + rest₂g²; w = w - rate·m / (√v / root + ε). */
export interface AdamWFactors {
  readonly decay: number;
  readonly beta1: number;
  readonly rest1: number;
  readonly beta2: number;
  readonly rest2: number;
  readonly rate: number;
  readonly root: number;
  readonly epsilon: number;
}
