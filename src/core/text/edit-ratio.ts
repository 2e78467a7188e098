/** Computes the edit ratio of two texts: their similarity by inserted and deleted characters. */

/**
 * Prefix of longer texts that is compared, in UTF-16 units: time grows with the square of the
 * differences.
 */
const MAX_COMPARED = 8000;

/**
 * Returns the least number of inserted and deleted UTF-16 units that turn `a` into `b`, or
 * undefined if it exceeds `atMost` (Myers, An O(ND) Difference Algorithm and Its Variations,
 * Algorithmica 1, 1986, figure 2; doi 10.1007/BF01840446).
 */
export function indelDistance(a: string, b: string, atMost: number): number | undefined {
  // reached[middle + diagonal] is the largest x that a path of `edits` reaches on that diagonal.
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
 * Returns true if the edit ratio of two texts, 100 (1 - distance / (sum of lengths)), is at least
 * `threshold` (0 to 100). The ratio is `fuzz.ratio` of rapidfuzz, by which IRCoT (arXiv 2212.10509)
 * finds near-duplicate paragraphs. The ratio of two empty texts is 100.
 */
export function editRatioAtLeast(a: string, b: string, threshold: number): boolean {
  if (a === b) return true;
  const [first, second] = [a.slice(0, MAX_COMPARED), b.slice(0, MAX_COMPARED)];
  // Multiplies before it divides: (100 - 90) / 100 is not exact, 10 x 20 is.
  return (
    indelDistance(first, second, ((100 - threshold) * (first.length + second.length)) / 100) !==
    undefined
  );
}
