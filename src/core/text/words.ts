/**
 * Finds word runs: maximal runs of letters, numbers and underscores, as Python's
 * `re.findall(r'\w+', text)` finds them.
 *
 * Word runs are the tokens of budgets, contexts and chunks (docs/papers/budgeted-agent.md).
 */

const WORD = 1;
const OTHER = 2;
const isWordCharacter = /^[\p{L}\p{N}_]$/u;

/** Returns true for one unit of a word; false at the ends of a text. */
export const isWordUnit = (unit: string | undefined): boolean =>
  unit !== undefined && isWordCharacter.test(unit);

/** Class of each UTF-16 unit outside the surrogates; 0 means not computed yet. */
const classes: Uint8Array = new Uint8Array(0x10000);
for (let unit = 0; unit < 128; unit++)
  classes[unit] = isWordCharacter.test(String.fromCharCode(unit)) ? WORD : OTHER;

/**
 * Returns the length in UTF-16 units of the word character at `at` (1 or 2), or 0 if the character
 * is not a word character. A lone surrogate is not.
 */
function wordUnits(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const known = classes[unit];
  if (known === WORD) return 1;
  if (known === OTHER) return 0;
  if (unit >= 0xd800 && unit <= 0xdfff) {
    const point = text.codePointAt(at)!;
    return point > 0xffff && isWordCharacter.test(String.fromCodePoint(point)) ? 2 : 0;
  }
  const word = isWordCharacter.test(String.fromCharCode(unit));
  classes[unit] = word ? WORD : OTHER;
  return word ? 1 : 0;
}

/** Returns the first offset at or after `at` at which a run starts, or `text.length`. */
function runStart(text: string, at: number): number {
  let from = at;
  while (from < text.length) {
    const known = classes[text.charCodeAt(from)];
    if (known === WORD || (known !== OTHER && wordUnits(text, from) > 0)) break;
    from++;
  }
  return from;
}

/** Returns the offset at which the run that contains `at` ends. */
function runEnd(text: string, at: number): number {
  let to = at;
  while (to < text.length) {
    const known = classes[text.charCodeAt(to)];
    if (known === OTHER) break;
    const units = known === WORD ? 1 : wordUnits(text, to);
    if (units === 0) break;
    to += units;
  }
  return to;
}

/** Yields the runs of `text` from UTF-16 offset `from` on, in order, as half-open ranges. */
export function* wordRuns(
  text: string,
  from = 0,
): Generator<[start: number, end: number], void, void> {
  for (let start = runStart(text, from); start < text.length; ) {
    const end = runEnd(text, start);
    yield [start, end];
    start = runStart(text, end);
  }
}

/** Returns the runs of `text` in order. Faster than `wordRuns`, which yields. */
export function wordsIn(text: string): string[] {
  const words: string[] = [];
  for (let start = runStart(text, 0); start < text.length; ) {
    const end = runEnd(text, start);
    words.push(text.slice(start, end));
    start = runStart(text, end);
  }
  return words;
}

/**
 * Counts the runs of `text.slice(start, end)` without slicing. `start` and `end` must not split a
 * surrogate pair.
 */
export function countWords(text: string, start = 0, end: number = text.length): number {
  let count = 0;
  let inside = false;
  for (let at = start; at < end; at++) {
    const known = classes[text.charCodeAt(at)];
    if (known === WORD) {
      if (!inside) count++;
      inside = true;
    } else if (known === OTHER) inside = false;
    else {
      const units = wordUnits(text, at);
      if (units > 0 && !inside) count++;
      inside = units > 0;
      if (units === 2) at++;
    }
  }
  return count;
}

/**
 * Returns the UTF-16 offset just after the `n`-th run (n >= 1); 0 for n <= 0; `text.length` if
 * there are fewer than n.
 */
export function nthWordEnd(text: string, n: number): number {
  if (n <= 0) return 0;
  let seen = 0;
  for (let start = runStart(text, 0); start < text.length; ) {
    const end = runEnd(text, start);
    if (++seen >= n) return end;
    start = runStart(text, end);
  }
  return text.length;
}
