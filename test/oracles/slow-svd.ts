/**
 * Computes the singular value decomposition by one-sided Jacobi rotations of pairs of columns until
 * all are orthogonal. Slow and plain; the reference for src/search/indexes/lsa.
 */

export interface SlowSvd {
  /** Descending. */
  readonly values: readonly number[];
  /** `right[j]` is the unit right singular vector of value j; those of value 0 are arbitrary. */
  readonly right: readonly (readonly number[])[];
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/**
 * Returns the decomposition of a matrix of rows (Hestenes, Inversion of Matrices by
 * Biorthogonalization and Related Results, 1958; Golub and Van Loan, Matrix Computations, section
 * 8.6.3).
 */
export function slowSvd(matrix: readonly (readonly number[])[]): SlowSvd {
  const width = matrix[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, j) => matrix.map(row => row[j]!));
  const turned = Array.from({ length: width }, (_, j) =>
    Array.from({ length: width }, (__, i) => (i === j ? 1 : 0)),
  );
  const scale = columns.reduce((sum, column) => sum + dot(column, column), 0);
  for (let sweep = 0, moved = true; moved; sweep++) {
    if (sweep > 200) throw new Error('Jacobi does not end');
    moved = false;
    for (let p = 0; p < width; p++) {
      for (let q = p + 1; q < width; q++) {
        const [alpha, beta, gamma] = [
          dot(columns[p]!, columns[p]!),
          dot(columns[q]!, columns[q]!),
          dot(columns[p]!, columns[q]!),
        ];
        // Columns at the level of rounding errors have no defined angle.
        if (Math.abs(gamma) <= Math.max(1e-14 * Math.sqrt(alpha * beta), 1e-20 * scale)) continue;
        moved = true;
        const zeta = (beta - alpha) / (2 * gamma);
        const tangent = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
        const cosine = 1 / Math.sqrt(1 + tangent * tangent);
        for (const vectors of [columns, turned]) turn(vectors, p, q, cosine, cosine * tangent);
      }
    }
  }
  const values = columns.map(column => Math.sqrt(dot(column, column)));
  const order = values.map((_, j) => j).sort((a, b) => values[b]! - values[a]!);
  return { values: order.map(j => values[j]!), right: order.map(j => turned[j]!) };
}

function turn(vectors: number[][], p: number, q: number, cosine: number, sine: number): void {
  const [a, b] = [vectors[p]!, vectors[q]!];
  vectors[p] = a.map((value, i) => cosine * value - sine * b[i]!);
  vectors[q] = a.map((value, i) => sine * value + cosine * b[i]!);
}

/**
 * Returns an upper bound of the sine of the largest angle between the spans of two equally large
 * sets of orthonormal vectors: the Frobenius norm of (1 - B Bᵀ) A.
 */
export function sineOfLargestAngle(
  a: readonly (readonly number[])[],
  b: readonly (readonly number[])[],
): number {
  let squares = 0;
  for (const vector of a) {
    const inside = b.map(other => dot(vector, other));
    const rest = vector.map(
      (value, i) => value - inside.reduce((sum, share, j) => sum + share * b[j]![i]!, 0),
    );
    squares += dot(rest, rest);
  }
  return Math.sqrt(squares);
}
