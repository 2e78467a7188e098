/** Maps the spellings of a name in the evidence to one key, and finds the names of sentences. */

import { ENGLISH_STOP_WORDS } from '../words/stop-words.ts';
import type { Mention } from './mentions.ts';
import { longerNames } from './persons.ts';

const MAX_WORDS = 6;

/** Returns the words of a name without articles, in lower case, joined by blanks. */
export const nameKey = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word, index) => index > 0 || !ENGLISH_STOP_WORDS.has(word))
    .join(' ');

/** Returns the words of a key by which texts abbreviate it. */
function partsOf(key: string): string[] {
  const words = key.split(' ');
  if (words.length < 2 || words.length > MAX_WORDS) return [];
  const parts = new Set([words.at(-1)!, words[0]!, words.slice(1).join(' ')]);
  return [...parts].filter(part => part.length >= 3 && !ENGLISH_STOP_WORDS.has(part));
}

/** Maps names to keys; a last or first word stands for the most frequent longer name. */
export class CanonicalNames {
  private readonly longer: ReadonlyMap<string, string>;
  private readonly keys = new Map<string, string>();

  constructor(texts: readonly string[]) {
    this.longer = longerNames(texts.map(nameKey), partsOf, 'none');
  }

  /** Returns the key of a name. */
  key(text: string): string {
    const known = this.keys.get(text);
    if (known !== undefined) return known;
    const written = nameKey(text);
    const key = this.longer.get(written) ?? written;
    this.keys.set(text, key);
    return key;
  }
}

export const isNameLike = ({ kind }: Mention): boolean => kind === 'name' || kind === 'quote';

/** Returns the mentions of names that stand in no longer mention of a name. */
export function wholeNames(mentions: readonly Mention[]): Mention[] {
  const names = mentions.filter(isNameLike);
  return names.filter(
    name =>
      !names.some(
        other =>
          other.start <= name.start &&
          name.end <= other.end &&
          other.end - other.start > name.end - name.start &&
          !/,/.test(other.text),
      ),
  );
}

const nameWords = (name: string): string[] =>
  (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(word => !ENGLISH_STOP_WORDS.has(word));

/** Returns true if all words of one name, two or more, are in the other, or if both are equal. */
export function sameName(a: string, b: string): boolean {
  const [left, right] = [nameWords(a), nameWords(b)];
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  if (few.length === 0) return false;
  if (few.length === many.length) return few.every((word, index) => word === many[index]);
  return few.length >= 2 && few.at(-1)!.length > 1 && few.every(word => many.includes(word));
}

/** Folds a text for comparison, one character for one, so that offsets stay. */
export const aligned = (text: string): string =>
  [...text]
    .map(letter => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter))
    .join('');

/** Returns the offset of a name in a text as whole words; -1 if it does not occur. */
export function wordsAt(text: string, name: string): number {
  if (name === '') return -1;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? '';
    const after = text[at + name.length] ?? '';
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return at;
  }
  return -1;
}
