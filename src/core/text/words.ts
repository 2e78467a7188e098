/**
 * Finds the words of a text: runs of letters, numbers and underscores with their marks, as Python's
 * `re.findall(r'\w+', text)` finds them in English. A run of a script without spaces is cut into as
 * many letters as say what an English word says (`letter-kinds.ts`).
 *
 * These words are the tokens of budgets, contexts and chunks (docs/papers/budgeted-agent.md);
 * `matched-words.ts` finds those by which texts are compared.
 */
import {
  FIRST_UNSPACED,
  kindAt,
  kinds,
  MARK,
  OTHER,
  PARTS,
  PARTS_OF_WORD,
  unitsAt,
  WORD,
} from './letter-kinds.ts';

const isWordCharacter = /^[\p{L}\p{N}_]$/u;

/** Returns true for one unit of a word; false at the ends of a text. */
export const isWordUnit = (unit: string | undefined): boolean =>
  unit !== undefined && isWordCharacter.test(unit);

/** Returns the first offset at or after `at` at which a word starts, or `text.length`. */
export function wordStart(text: string, at: number): number {
  let from = at;
  while (from < text.length) {
    const kind = kindAt(text, from);
    if (kind !== OTHER && kind !== MARK) break;
    from++;
  }
  return from;
}

/** Returns the end of the run at `at` of letters with spaces between their words, and of marks. */
function spacedEnd(text: string, at: number): number {
  let to = at;
  while (to < text.length) {
    const kind = kindAt(text, to);
    if (kind === OTHER || kind >= FIRST_UNSPACED) break;
    to += unitsAt(text, to);
  }
  return to;
}

/** The parts of a word that stand before a cut and belong to the word after it. */
interface Carry {
  parts: number;
}

/** Returns the end of the word that starts at `start`, after the words that left `carry`. */
function wordEnd(text: string, start: number, carry: Carry): number {
  let { parts } = carry;
  carry.parts = 0;
  if (kindAt(text, start) < FIRST_UNSPACED) return spacedEnd(text, start);
  let to = start;
  for (; to < text.length; to += unitsAt(text, to)) {
    const kind = kindAt(text, to);
    if (kind === MARK) continue;
    if (kind < FIRST_UNSPACED) break;
    if (parts >= PARTS_OF_WORD) {
      carry.parts = parts - PARTS_OF_WORD;
      break;
    }
    parts += PARTS[kind]!;
  }
  return to;
}

/** Yields the words of `text` from UTF-16 offset `from` on, in order, as half-open ranges. */
export function* wordRuns(
  text: string,
  from = 0,
): Generator<[start: number, end: number], void, void> {
  const carry: Carry = { parts: 0 };
  for (let start = wordStart(text, from); start < text.length; ) {
    const end = wordEnd(text, start, carry);
    yield [start, end];
    start = wordStart(text, end);
    if (start > end) carry.parts = 0;
  }
}

/**
 * Counts the words of `text.slice(start, end)` without slicing. `start` and `end` must not split a
 * surrogate pair.
 */
export function countWords(text: string, start = 0, end: number = text.length): number {
  let count = 0;
  let parts = 0;
  let before = OTHER;
  for (let at = start; at < end; at++) {
    const known = kinds[text.charCodeAt(at)]!;
    const kind = known || kindAt(text, at);
    if (known === 0 && unitsAt(text, at) === 2) at++;
    if (kind === MARK) continue;
    if (kind !== OTHER && kind < FIRST_UNSPACED) {
      if (before !== WORD) count++;
      before = WORD;
    } else if (kind === OTHER) before = OTHER;
    else {
      if (before !== FIRST_UNSPACED) [parts, count] = [0, count + 1];
      else if (parts >= PARTS_OF_WORD) [parts, count] = [parts - PARTS_OF_WORD, count + 1];
      parts += PARTS[kind]!;
      before = FIRST_UNSPACED;
    }
  }
  return count;
}

/**
 * Returns the UTF-16 offset just after the `n`-th word (n >= 1); 0 for n <= 0; `text.length` if
 * there are fewer than n.
 */
export function nthWordEnd(text: string, n: number): number {
  if (n <= 0) return 0;
  let seen = 0;
  for (const [, end] of wordRuns(text)) if (++seen >= n) return end;
  return text.length;
}
