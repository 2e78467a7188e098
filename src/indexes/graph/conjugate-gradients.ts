/**
 * Solves (I - damping N) y = b for a symmetric N by conjugate gradients (Hestenes and Stiefel 1952,
 * doi 10.6028/jres.049.044), step by step. Eigenvalues of N lie between -1 and 1.
 */

/** A symmetric matrix by its entries, in compressed rows. */
export interface SymmetricRows {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

export class ConjugateGradients {
  readonly solution: Float64Array;
  steps = 0;
  /** Squared length of the residual b - (I - damping N) y. */
  residual: number;
  private readonly rest: Float64Array;
  private readonly direction: Float64Array;
  private readonly product: Float64Array;
  private readonly rows: SymmetricRows;
  private readonly damping: number;

  constructor(rows: SymmetricRows, damping: number, right: Float64Array) {
    [this.rows, this.damping] = [rows, damping];
    this.solution = new Float64Array(right.length);
    this.rest = right;
    this.direction = right.slice();
    this.product = new Float64Array(right.length);
    this.residual = right.reduce((sum, value) => sum + value * value, 0);
  }

  step(): void {
    this.steps += 1;
    if (this.residual === 0) return;
    const { solution, rest, direction, product } = this;
    const along = this.residual / this.multiply();
    let residual = 0;
    for (let at = 0; at < rest.length; at++) {
      solution[at]! += along * direction[at]!;
      const left = rest[at]! - along * product[at]!;
      rest[at] = left;
      residual += left * left;
    }
    const keep = residual / this.residual;
    this.residual = residual;
    for (let at = 0; at < rest.length; at++) direction[at] = rest[at]! + keep * direction[at]!;
  }

  /** Sets `product` to (I - damping N) direction; returns their inner product. */
  private multiply(): number {
    const { direction, product, damping } = this;
    const { starts, columns, values } = this.rows;
    let inner = 0;
    let at = 0;
    for (let row = 0; row < product.length; row++) {
      let sum = 0;
      for (const end = starts[row + 1]!; at < end; at++)
        sum += values[at]! * direction[columns[at]!]!;
      const value = direction[row]!;
      const own = value - damping * sum;
      product[row] = own;
      inner += value * own;
    }
    return inner;
  }
}
