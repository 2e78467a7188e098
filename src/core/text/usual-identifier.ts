/**
 * Reads the identifiers that prose holds, one character after the other: words with hyphens,
 * numbers with points, initials. Most runs of a text are such, and this is ten times faster than a
 * look at everything that an identifier may be.
 */

const [HYPHEN, POINT, DOLLAR] = [0x2d, 0x2e, 0x24];
const [OTHER, DIGIT, UPPER, LOWER] = [0, 1, 2, 3];
const KINDS = Uint8Array.from({ length: 128 }, (_, code) =>
  code >= 0x30 && code <= 0x39
    ? DIGIT
    : code >= 0x41 && code <= 0x5a
      ? UPPER
      : code >= 0x61 && code <= 0x7a
        ? LOWER
        : OTHER,
);
/** Punctuation that may follow an identifier and is no part of it. */
const FOLLOWS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[-.:/@&$~%=?\\]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const INFLECTIONS: ReadonlySet<string> = new Set(['st', 'nd', 'rd', 'th', 's']);
const LONGEST = 100;

/**
 * Returns the number with points that is all of a run but the punctuation around it; the empty
 * string for one word, words with hyphens and initials, which have no terms; undefined if the run
 * must be read in another way.
 */
export function usualIdentifier(run: string): string | undefined {
  let end = run.length;
  if (end > LONGEST) return undefined;
  while (end > 0 && FOLLOWS[run.charCodeAt(end - 1)] === 1) end--;
  const start = run.charCodeAt(0) === DOLLAR && KINDS[run.charCodeAt(1)] === DIGIT ? 1 : 0;
  let [symbol, from, uppers, before] = [0, start, 0, OTHER];
  let isInitials = true;
  let isNumber = true;
  for (let at = start; at <= end; at++) {
    const code = at < end ? run.charCodeAt(at) : symbol || POINT;
    const kind = code < 128 ? KINDS[code]! : OTHER;
    if (kind === OTHER) {
      if ((code !== HYPHEN && code !== POINT) || at === from) return undefined;
      if (symbol !== 0 && code !== symbol) return undefined;
      if (at < end) symbol = code;
      isInitials &&= at === from + 1 && before !== DIGIT;
      from = at + 1;
      uppers = 0;
    } else if (at > from && (kind === DIGIT) !== (before === DIGIT)) {
      return before === DIGIT && symbol === 0 && INFLECTIONS.has(run.slice(at, end))
        ? ''
        : undefined;
    } else if (kind === UPPER ? before === LOWER && at > from : kind === LOWER && uppers > 1) {
      return undefined;
    }
    if (kind === UPPER) uppers++;
    if (kind !== OTHER && kind !== DIGIT) isNumber = false;
    before = kind;
  }
  if (symbol === 0 || symbol === HYPHEN) return '';
  if (isNumber) return run.slice(start, end);
  return isInitials ? '' : undefined;
}
