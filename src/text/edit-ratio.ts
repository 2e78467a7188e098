/**
 * How alike two texts are, as edit ratios measure it: by the characters that must be inserted and
 * deleted to make one of the other.
 */

/**
 * Of longer texts only so much is compared, in UTF-16 units: the work grows with the square of the
 * differences.
 */
const COMPARED = 8000;

/**
 * The fewest insertions and deletions of single UTF-16 units that turn `a` into `b`; undefined when
 * it takes more than `atMost`.
 */
export function indelDistance(a: string, b: string, atMost: number): number | undefined {
  // Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), figure 2: reached[diagonal]
  // is how far into `a` a path of `edits` comes.
  const most = Math.min(Math.floor(atMost), a.length + b.length);
  if (most < Math.abs(a.length - b.length)) return undefined;
  const reached = new Int32Array(2 * most + 3);
  const middle = most + 1;
  for (let edits = 0; edits <= most; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const inserts =
        diagonal === -edits ||
        (diagonal !== edits && reached[middle + diagonal - 1]! < reached[middle + diagonal + 1]!);
      let x = inserts ? reached[middle + diagonal + 1]! : reached[middle + diagonal - 1]! + 1;
      while (
        x < a.length &&
        x - diagonal < b.length &&
        a.charCodeAt(x) === b.charCodeAt(x - diagonal)
      )
        x++;
      if (x >= a.length && x - diagonal >= b.length) return edits;
      reached[middle + diagonal] = x;
    }
  }
  return undefined;
}

/**
 * Whether the edit ratio of two texts, 100 (1 - distance / (length of both)), is at least
 * `threshold` (0 to 100): `fuzz.ratio` of rapidfuzz, by which IRCoT calls two paragraphs the same.
 * Two empty texts are alike.
 */
export function editRatioAtLeast(a: string, b: string, threshold: number): boolean {
  if (a === b) return true;
  const [first, second] = [a.slice(0, COMPARED), b.slice(0, COMPARED)];
  // Hundredths first: (100 - 90) / 100 is not exact, 10 x 20 is.
  return (
    indelDistance(first, second, ((100 - threshold) * (first.length + second.length)) / 100) !==
    undefined
  );
}
