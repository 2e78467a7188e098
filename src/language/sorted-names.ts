/** Finds the longest of many names that begins at a place of a text, by bisection. */

/** Names in the order of their UTF-16 units, each with the longest shorter name that opens it. */
export class SortedNames {
  private readonly names: readonly string[];
  private readonly openings: Int32Array;

  /** `names`: distinct, none empty. */
  constructor(names: readonly string[]) {
    this.names = names.toSorted();
    this.openings = openingsOf(this.names);
  }

  /** Returns a name by its position in the order. */
  at(index: number): string {
    return this.names[index]!;
  }

  /** Returns the position of the next shorter name that begins where this one does, or -1. */
  shorter(index: number): number {
    return this.openings[index]!;
  }

  /**
   * Returns the position of the longest name that begins at `start`, or -1: narrows the names that
   * begin with one more unit of the text, until none is left.
   */
  longestAt(text: string, start: number): number {
    let [low, high] = [0, this.names.length];
    let longest = -1;
    for (let depth = 0; low < high; depth++) {
      // The shortest of the names with one beginning stands first among them.
      if (this.names[low]!.length === depth) longest = low++;
      if (start + depth >= text.length) break;
      const unit = text.charCodeAt(start + depth);
      low = this.firstFrom(low, high, depth, unit);
      high = this.firstFrom(low, high, depth, unit + 1);
    }
    return longest;
  }

  /** Returns the first of the names `low` to `high` whose unit at `depth` is at least `unit`. */
  private firstFrom(low: number, high: number, depth: number, unit: number): number {
    let [from, to] = [low, high];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.names[middle]!.charCodeAt(depth) < unit) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Returns for each of the sorted names the position of the longest other name that opens it. */
function openingsOf(sorted: readonly string[]): Int32Array {
  const openings = new Int32Array(sorted.length);
  for (const [index, name] of sorted.entries()) {
    let opening = index - 1;
    while (opening >= 0 && !name.startsWith(sorted[opening]!)) opening = openings[opening]!;
    openings[index] = opening;
  }
  return openings;
}
