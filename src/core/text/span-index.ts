/** Finds the spans of a text near a place, in constant time for spans that do not overlap. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** UTF-16 units of a bucket: about the length of a name. */
const BUCKET = 64;

/**
 * An index of spans by position. A lookup takes time in the length of the place and in the spans of
 * its buckets, not in the number of all spans.
 */
export class SpanIndex<S extends Span> {
  private readonly buckets = new Map<number, S[]>();

  constructor(spans: Iterable<S> = []) {
    for (const span of spans) this.add(span);
  }

  add(span: S): void {
    for (let at = bucketOf(span.start); at <= bucketOf(span.end); at++) {
      const bucket = this.buckets.get(at);
      if (bucket) bucket.push(span);
      else this.buckets.set(at, [span]);
    }
  }

  /** Returns the spans that share a unit with `[start, end)`, each once. */
  overlapping(start: number, end: number): S[] {
    const found = new Set<S>();
    for (let at = bucketOf(start); at <= bucketOf(end); at++)
      for (const span of this.buckets.get(at) ?? [])
        if (start < span.end && span.start < end) found.add(span);
    return [...found];
  }

  /** Returns true if a span shares a unit with `[start, end)`. */
  overlaps(start: number, end: number): boolean {
    for (let at = bucketOf(start); at <= bucketOf(end); at++)
      for (const span of this.buckets.get(at) ?? [])
        if (start < span.end && span.start < end) return true;
    return false;
  }
}

const bucketOf = (place: number): number => Math.floor(place / BUCKET);

/** Returns how many of `sorted` hold at its beginning; after them none holds. O(log length). */
export function countWhile<T>(sorted: readonly T[], holds: (each: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(sorted[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
