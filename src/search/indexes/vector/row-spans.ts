/** Finds spans of allowed rows, so that a scan skips the rows between them. */

/** Returns the first allowed row from `from` on, or `size`. */
export function nextAllowed(allowed: Uint8Array | undefined, from: number, size: number): number {
  if (allowed === undefined) return from;
  const next = from < size ? allowed.indexOf(1, from) : -1;
  return next < 0 ? size : next;
}

/** Least gap of rows that are not allowed that ends a span: a call costs as much as a few rows. */
const GAP = 8;

/** Returns the end of the span that begins at the allowed row `from`, at most `most`. */
export function endOfSpan(allowed: Uint8Array | undefined, from: number, most: number): number {
  if (allowed === undefined) return most;
  let last = from;
  for (let row = from; row < most && row - last <= GAP; row++) if (allowed[row] === 1) last = row;
  return last + 1;
}
