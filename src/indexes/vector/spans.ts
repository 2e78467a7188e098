/** Which rows are scanned together. */

/** Rows from one on, up to another that is not among them; the first is a multiple of 4. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Gives it once, and then nothing. */
export function once(span: Span): () => Span | undefined {
  let left: Span | undefined = span;
  return () => {
    const given = left;
    left = undefined;
    return given;
  };
}

/** The first allowed row from one on, or `size`. */
export function nextAllowed(allowed: Uint8Array | undefined, from: number, size: number): number {
  if (allowed === undefined) return from;
  const next = from < size ? allowed.indexOf(1, from) : -1;
  return next < 0 ? size : next;
}

/** Where a span of rows ends before `most`: at a gap of at least this many that are not allowed, since a call costs as much as a few rows. */
const GAP = 8;

export function endOfSpan(allowed: Uint8Array | undefined, from: number, most: number): number {
  if (allowed === undefined) return most;
  let last = from;
  for (let row = from; row < most && row - last <= GAP; row++) if (allowed[row] === 1) last = row;
  return last + 1;
}
