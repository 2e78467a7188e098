/**
 * Which negatives each update of a batch is held against, where it is not simply its own: the ways
 * of the released code.
 *
 * The paper says five from the embedding database; the code draws five of the question's own
 * paragraphs when the data are built, and then once more for every batch, as here. `random` gives
 * the next number of [0, 1).
 */

const whole = (random: () => number, end: number): number =>
  Math.min(Math.floor(random() * end), end - 1);

/**
 * Each update's own negatives, of which so many columns are drawn with replacement, the same for
 * all: 3.36 different ones of 5 on average, some counted twice. What the released code does before
 * its paired loss, and probably does not mean.
 */
export function redrawnNegatives(rows: number, perRow: number, random: () => number): Int32Array {
  const columns = Array.from({ length: perRow }, () => whole(random, perRow));
  return Int32Array.from(
    { length: rows * perRow },
    (_, at) => Math.floor(at / perRow) * perRow + columns[at % perRow]!,
  );
}

/**
 * The "unpaired" mode: so many of all negatives of the batch, drawn with replacement and shared by
 * all its updates.
 */
export function sharedNegatives(
  rows: number,
  negatives: number,
  perRow: number,
  random: () => number,
): Int32Array {
  const shared = Array.from({ length: perRow }, () => whole(random, negatives));
  return Int32Array.from({ length: rows * perRow }, (_, at) => shared[at % perRow]!);
}
