/** Finds capitalised names in running text (people, companies, places, works) by spelling alone. */
import { MONTHS } from '../values/dates.ts';
import { ENGLISH_STOP_WORDS } from '../words/stop-words.ts';

export interface NameSpan {
  /** The name without a possessive ending. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Matches capitalised words, with at most one joining word between two of them. */
const NAME =
  /\p{Lu}[\p{L}\p{N}’'&-]*(?:\s(?:(?:of|the|for|de|van|von|al|bin)\s)?\p{Lu}[\p{L}\p{N}’'&-]*)*/gu;
const CALENDAR = new Set([
  ...MONTHS,
  ...'jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday'.split(
    ' ',
  ),
]);
/** Capitalised words at sentence starts that are not names, beyond the stop words. */
const OPENERS = new Set(
  'according today yesterday tomorrow earlier later meanwhile sure mr mrs ms dr watch read update considering did does say says said'.split(
    ' ',
  ),
);
const MIN_LENGTH = 3;
const MAX_LENGTH = 80;

/**
 * Returns all names in order of position. Titles, months, days and stop words are trimmed from both
 * ends; names outside 3 to 80 UTF-16 units are dropped.
 */
export function findNames(text: string): NameSpan[] {
  const names: NameSpan[] = [];
  for (const match of text.matchAll(NAME)) {
    const name = trimName(match[0], match.index);
    if (name && name.text.length >= MIN_LENGTH && name.text.length <= MAX_LENGTH) names.push(name);
  }
  return names;
}

/** Returns true if a single word is never a name by itself. */
function isNeverName(word: string): boolean {
  const lower = word.toLowerCase();
  return (
    ENGLISH_STOP_WORDS.has(lower) || CALENDAR.has(lower) || OPENERS.has(lower) || lower.length < 2
  );
}

function trimName(text: string, start: number): NameSpan | undefined {
  const words = [...text.matchAll(/\S+/g)];
  let first = 0;
  let last = words.length - 1;
  while (first <= last && isNeverName(withoutPossessive(words[first]![0]))) first++;
  while (last >= first && isNeverName(withoutPossessive(words[last]![0]))) last--;
  if (first > last) return undefined;
  const from = words[first]!.index;
  const name = withoutPossessive(text.slice(from, words[last]!.index + words[last]![0].length));
  return { text: name, start: start + from, end: start + from + name.length };
}

/** Removes a possessive ending ("OpenAI’s" -> "OpenAI") and trailing apostrophes and hyphens. */
function withoutPossessive(text: string): string {
  return text.replace(/[’']s$/u, '').replace(/[’'&-]+$/u, '');
}
