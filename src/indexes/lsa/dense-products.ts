/**
 * Multiplies small dense matrices row by row in float64, four rows or columns at a time, because
 * memory bandwidth limits them.
 */

/** Returns Yᵀ Y of a rows × columns matrix. O(rows · columns² / 2). */
export function gram(y: Float64Array, rows: number, columns: number): Float64Array {
  const g = new Float64Array(columns * columns);
  let row = 0;
  for (; row + 3 < rows; row += 4) addFourRows(g, y, row * columns, columns);
  for (; row < rows; row++) {
    const at = row * columns;
    for (let a = 0; a < columns; a++) {
      const left = y[at + a]!;
      for (let b = a; b < columns; b++) g[a * columns + b]! += left * y[at + b]!;
    }
  }
  for (let a = 0; a < columns; a++)
    for (let b = 0; b < a; b++) g[a * columns + b] = g[b * columns + a]!;
  return g;
}

function addFourRows(g: Float64Array, y: Float64Array, first: number, columns: number): void {
  const second = first + columns;
  const third = second + columns;
  const fourth = third + columns;
  for (let a = 0; a < columns; a++) {
    const [y1, y2, y3, y4] = [y[first + a]!, y[second + a]!, y[third + a]!, y[fourth + a]!];
    const out = a * columns;
    for (let b = a; b < columns; b++)
      g[out + b]! +=
        y1 * y[first + b]! + y2 * y[second + b]! + y3 * y[third + b]! + y4 * y[fourth + b]!;
  }
}

/** Returns Xᵀ Y of two rows × columns matrices. */
export function crossProduct(
  x: Float64Array,
  y: Float64Array,
  rows: number,
  columns: number,
): Float64Array {
  const product = new Float64Array(columns * columns);
  for (let row = 0; row < rows; row++) {
    const at = row * columns;
    for (let a = 0; a < columns; a++) {
      const left = x[at + a]!;
      const out = a * columns;
      for (let b = 0; b < columns; b++) product[out + b]! += left * y[at + b]!;
    }
  }
  return product;
}

/** Returns Y M of a rows × inner and an inner × columns matrix. */
export function multiply(
  y: Float64Array,
  m: Float64Array,
  rows: number,
  inner: number,
  columns: number,
): Float64Array {
  const product = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const from = row * inner;
    const out = row * columns;
    let a = 0;
    for (; a + 3 < inner; a += 4) {
      const [y1, y2, y3, y4] = [y[from + a]!, y[from + a + 1]!, y[from + a + 2]!, y[from + a + 3]!];
      const m1 = a * columns;
      const m2 = m1 + columns;
      const m3 = m2 + columns;
      const m4 = m3 + columns;
      for (let b = 0; b < columns; b++)
        product[out + b]! += y1 * m[m1 + b]! + y2 * m[m2 + b]! + y3 * m[m3 + b]! + y4 * m[m4 + b]!;
    }
    for (; a < inner; a++)
      for (let b = 0; b < columns; b++) product[out + b]! += y[from + a]! * m[a * columns + b]!;
  }
  return product;
}
