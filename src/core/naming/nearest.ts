/** Finds the names that a mistyped one may mean, for "Did you mean ...?". */

/**
 * Returns the Damerau-Levenshtein distance with adjacent transpositions (optimal string alignment)
 * in O(n·m).
 */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(previous[j]! + 1, row[j - 1]! + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, beforePrevious[j - 2]! + 1);
      row.push(best);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length]!;
}

/**
 * Returns at most `limit` of `names` that share a beginning with `given` or differ from it by an
 * edit distance of a third of the length, nearest first.
 */
export function nearest(given: string, names: Iterable<string>, limit = 3): string[] {
  const typed = given.toLowerCase().slice(0, 64);
  const near: { name: string; distance: number }[] = [];
  for (const name of names) {
    const candidate = name.toLowerCase();
    const starts =
      typed.length >= 2 && (candidate.startsWith(typed) || typed.startsWith(candidate));
    const distance = starts ? 0.5 : editDistance(typed, candidate);
    if (distance <= Math.max(2, Math.floor(Math.max(typed.length, candidate.length) / 3)))
      near.push({ name, distance });
  }
  near.sort((x, y) => x.distance - y.distance || (x.name < y.name ? -1 : 1));
  return near.slice(0, limit).map(entry => entry.name);
}

/** Returns "Did you mean a, b or c?", or an empty string if no name is near. */
export function didYouMean(given: string, names: Iterable<string>): string {
  const near = nearest(given, names);
  if (near.length === 0) return '';
  const list = near.length === 1 ? near[0]! : `${near.slice(0, -1).join(', ')} or ${near.at(-1)!}`;
  return `Did you mean ${list}?`;
}
