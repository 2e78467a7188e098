/**
 * Computes eigenvalues and eigenvectors of a dense symmetric matrix by Householder's reduction to
 * tridiagonal form, followed by QL steps with implicit shifts.
 *
 * Golub and Van Loan, Matrix Computations, 4th edition, sections 8.3.1 and 8.3.3; Dubrulle, Martin
 * and Wilkinson, The Implicit QL Algorithm, 1968.
 */

import type { Steps } from '../../../core/steps.ts';

export interface Eigen {
  /** Descending. */
  readonly values: Float64Array;
  /** n × n, row by row; column `j` is the unit eigenvector of value `j`. */
  readonly vectors: Float64Array;
}

interface Tridiagonal {
  readonly n: number;
  /** d: the diagonal. */
  readonly diagonal: Float64Array;
  /** e: `below[i]` is the entry between i and i + 1; the last is 0. */
  readonly below: Float64Array;
  /**
   * Row `j` holds the j-th column of Q, where A = Q T Qᵀ, so that rotations access memory in order.
   */
  readonly basis: Float64Array;
}

/** Returns about how much work the steps of `symmetricEigen` yield. */
export const eigenWork = (n: number): number => 4 * n ** 3;

/**
 * Returns all eigenpairs of an n × n matrix, whose upper and lower half are assumed equal. O(n³).
 */
export function* symmetricEigen(matrix: Float64Array, n: number): Steps<Eigen> {
  // The largest entry becomes 1, so that squares neither underflow nor overflow.
  let largest = 0;
  for (const entry of matrix) largest = Math.max(largest, Math.abs(entry));
  const unit = largest > 0 ? largest : 1;
  const reduced = yield* tridiagonalise(
    matrix.map(entry => entry / unit),
    n,
  );
  yield* diagonalise(reduced);
  const { diagonal, basis } = reduced;
  const order = Array.from(diagonal.keys()).sort((a, b) => diagonal[b]! - diagonal[a]! || a - b);
  const vectors = new Float64Array(n * n);
  for (const [column, from] of order.entries())
    for (let row = 0; row < n; row++) vectors[row * n + column] = basis[from * n + row]!;
  return { values: Float64Array.from(order, from => diagonal[from]! * unit), vectors };
}

/** Reduces `a` to tridiagonal form, overwriting it. */
function* tridiagonalise(a: Float64Array, n: number): Steps<Tridiagonal> {
  const basis = new Float64Array(n * n);
  for (let i = 0; i < n; i++) basis[i * n + i] = 1;
  const below = new Float64Array(n);
  const [v, p] = [new Float64Array(n), new Float64Array(n)];
  for (let k = 0; k + 1 < n; k++) {
    const { entry, beta } = reflector(a, n, k, v);
    below[k] = entry;
    if (beta === 0) continue;
    reflectBothSides(a, n, k + 1, v, beta, p);
    reflectBasis(basis, n, k + 1, v, beta, p);
    yield 4 * n * (n - k);
  }
  return { n, diagonal: Float64Array.from({ length: n }, (_, i) => a[i * n + i]!), below, basis };
}

/** Least square, relative to a largest entry of 1: far below rounding, far above underflow. */
const NEGLIGIBLE = 1e-60;

/**
 * Computes v such that H = 1 - beta v vᵀ maps column k below the diagonal to (entry, 0, ..., 0);
 * beta is 0 if it has that form already.
 */
function reflector(
  a: Float64Array,
  n: number,
  k: number,
  v: Float64Array,
): { entry: number; beta: number } {
  let rest = 0;
  for (let i = k + 1; i < n; i++) {
    v[i] = a[i * n + k]!;
    if (i > k + 1) rest += v[i]! ** 2;
  }
  const first = v[k + 1]!;
  if (rest <= NEGLIGIBLE) return { entry: first, beta: 0 };
  const length = Math.sqrt(first * first + rest);
  // Opposite signs, so that nothing cancels.
  const entry = first > 0 ? -length : length;
  v[k + 1] = first - entry;
  return { entry, beta: 2 / (v[k + 1]! ** 2 + rest) };
}

/**
 * Computes A = H A H from row and column `from` on: A - v wᵀ - w vᵀ, with p = beta A v and w = p -
 * (beta / 2)(pᵀ v) v.
 */
function reflectBothSides(
  a: Float64Array,
  n: number,
  from: number,
  v: Float64Array,
  beta: number,
  p: Float64Array,
): void {
  let along = 0;
  for (let i = from; i < n; i++) {
    let sum = 0;
    for (let j = from; j < n; j++) sum += a[i * n + j]! * v[j]!;
    p[i] = beta * sum;
    along += p[i]! * v[i]!;
  }
  for (let i = from; i < n; i++) p[i]! -= (beta / 2) * along * v[i]!;
  for (let i = from; i < n; i++) {
    const [vi, wi] = [v[i]!, p[i]!];
    for (let j = from; j < n; j++) a[i * n + j]! -= vi * p[j]! + wi * v[j]!;
  }
}

function reflectBasis(
  basis: Float64Array,
  n: number,
  from: number,
  v: Float64Array,
  beta: number,
  sums: Float64Array,
): void {
  sums.fill(0);
  for (let i = from; i < n; i++) for (let j = 0; j < n; j++) sums[j]! += v[i]! * basis[i * n + j]!;
  for (let i = from; i < n; i++) {
    const factor = beta * v[i]!;
    for (let j = 0; j < n; j++) basis[i * n + j]! -= factor * sums[j]!;
  }
}

/** Far more steps than any tested matrix needs. */
const MOST_STEPS = 200;

/** Makes T diagonal, value by value, and rotates the basis accordingly. */
function* diagonalise(t: Tridiagonal): Steps<void> {
  const { n, diagonal, below } = t;
  let scale = 0;
  for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(diagonal[i]!) + Math.abs(below[i]!));
  for (let first = 0; first < n; first++) {
    for (let step = 0; ; step++) {
      const last = endOfBlock(t, first, scale);
      if (last === first) break;
      if (step === MOST_STEPS) throw new Error(`No eigenvalue after ${MOST_STEPS} steps`);
      implicitStep(t, first, last);
      yield 2 * n * (last - first);
    }
  }
}

/**
 * Returns the end of the block that begins at `first`: the first index whose entry below the
 * diagonal is negligible beside its neighbours.
 */
function endOfBlock({ n, diagonal, below }: Tridiagonal, first: number, scale: number): number {
  for (let i = first; i + 1 < n; i++) {
    const neighbours = Math.abs(diagonal[i]!) + Math.abs(diagonal[i + 1]!);
    if (Math.abs(below[i]!) <= Number.EPSILON * Math.max(neighbours, Number.EPSILON * scale))
      return i;
  }
  return n - 1;
}

/** Applies one QL step with Wilkinson's shift to rows `first` to `last`. */
function implicitStep(
  { n, diagonal: d, below: e, basis }: Tridiagonal,
  first: number,
  last: number,
): void {
  const half = (d[first + 1]! - d[first]!) / (2 * e[first]!);
  const root = Math.sqrt(half * half + 1);
  let g = d[last]! - d[first]! + e[first]! / (half + (half < 0 ? -root : root));
  let [sine, cosine, shift] = [1, 1, 0];
  for (let i = last - 1; i >= first; i--) {
    const f = sine * e[i]!;
    const b = cosine * e[i]!;
    const r = Math.sqrt(f * f + g * g);
    e[i + 1] = r;
    if (r === 0) {
      // The block splits here; the next steps take its parts one by one.
      d[i + 1]! -= shift;
      e[last] = 0;
      return;
    }
    sine = f / r;
    cosine = g / r;
    g = d[i + 1]! - shift;
    const t = (d[i]! - g) * sine + 2 * cosine * b;
    shift = sine * t;
    d[i + 1] = g + shift;
    g = cosine * t - b;
    rotate(basis, i * n, n, sine, cosine);
  }
  d[first]! -= shift;
  e[first] = g;
  e[last] = 0;
}

/** Rotates the rows at `at` and `at + n` in their plane. */
function rotate(basis: Float64Array, at: number, n: number, sine: number, cosine: number): void {
  for (let upper = at, lower = at + n, end = at + n; upper < end; upper++, lower++) {
    const [x, y] = [basis[upper]!, basis[lower]!];
    basis[lower] = sine * x + cosine * y;
    basis[upper] = cosine * x - sine * y;
  }
}
