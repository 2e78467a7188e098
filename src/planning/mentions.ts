/** Finds known names (such as sources) in a question, with their positions. */
import { SpanIndex } from '../text/span-index.ts';

export interface Mention {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns occurrences of known names: case-insensitive, longest name first, without overlaps, in
 * order of position. Matches plain substrings by default; with `wholeWords`, no name inside another
 * word ("Wired" in "rewired").
 */
export function findMentions(
  text: string,
  names: readonly string[],
  options: { readonly wholeWords?: boolean } = {},
): Mention[] {
  const lower = text.toLowerCase();
  // Lower-casing may change the length of a text (İ), which would shift offsets; such texts are
  // searched case-sensitively.
  const haystack = lower.length === text.length ? lower : text;
  const byLength = names
    .filter(name => name !== '')
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const mentions: Mention[] = [];
  const taken = new SpanIndex<Mention>();
  for (const name of byLength) {
    const needle = haystack === lower ? name.toLowerCase() : name;
    for (
      let start = haystack.indexOf(needle);
      start >= 0;
      start = haystack.indexOf(needle, start + 1)
    ) {
      const end = start + needle.length;
      if (taken.overlaps(start, end)) continue;
      if (options.wholeWords && (isWord(haystack[start - 1]) || isWord(haystack[end]))) continue;
      const mention = { name, start, end };
      mentions.push(mention);
      taken.add(mention);
    }
  }
  return mentions.sort((a, b) => a.start - b.start);
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

/** Returns the distinct names among mentions, in order of first mention. */
export function distinctNames(mentions: readonly Mention[]): string[] {
  return [...new Set(mentions.map(mention => mention.name))];
}
