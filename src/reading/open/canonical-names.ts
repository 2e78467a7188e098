/** Maps the spellings of a name in the evidence to one key, and finds the names of sentences. */

import { ENGLISH_STOP_WORDS } from '../../text/stop-words.ts';
import type { Mention } from './mentions.ts';

/** A passage whose names are wanted: its title, and the mentions of its sentences. */
export interface NamedPassage {
  readonly title: string;
  readonly bare: string;
  readonly sentences: readonly { readonly index: number; readonly mentions: readonly Mention[] }[];
}

const MAX_WORDS = 6;

/** Returns the words of a name without articles, in lower case, joined by blanks. */
export const nameKey = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word, index) => index > 0 || !ENGLISH_STOP_WORDS.has(word))
    .join(' ');

/** Maps names to keys; a last or first word stands for the most frequent longer name. */
export class CanonicalNames {
  private readonly longer = new Map<string, string>();

  constructor(texts: readonly string[]) {
    const counts = new Map<string, number>();
    for (const text of texts) {
      const key = nameKey(text);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const choices = new Map<string, Map<string, number>>();
    for (const [key, count] of counts) {
      const words = key.split(' ');
      if (words.length < 2 || words.length > MAX_WORDS) continue;
      for (const part of new Set([words.at(-1)!, words[0]!, words.slice(1).join(' ')])) {
        if (part.length < 3 || ENGLISH_STOP_WORDS.has(part)) continue;
        const own = choices.get(part) ?? new Map<string, number>();
        own.set(key, (own.get(key) ?? 0) + count);
        choices.set(part, own);
      }
    }
    for (const [part, own] of choices) {
      const [best, second] = [...own].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
      // Two longer names that share a word equally often leave it without meaning.
      if (!second || best![1] > second[1]) this.longer.set(part, best![0]);
    }
  }

  /** Returns the key of a name. */
  key(text: string): string {
    const key = nameKey(text);
    const longer = this.longer.get(key);
    return longer === undefined || longer === key ? key : longer;
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
          other !== name &&
          other.start <= name.start &&
          name.end <= other.end &&
          other.end - other.start > name.end - name.start &&
          !/,/.test(other.text),
      ),
  );
}
