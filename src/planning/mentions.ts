/** Which known names (sources, for one) a question mentions, and where. */

export interface Mention {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Occurrences of known names: case-insensitive, longest name first, no overlaps, in order of
 * position.
 * By plain substring, as the paper's planner does; `wholeWords` refuses a name inside another word
 * ("Wired" in "rewired").
 */
export function findMentions(
  text: string,
  names: readonly string[],
  options: { readonly wholeWords?: boolean } = {},
): Mention[] {
  const lower = text.toLowerCase();
  // Lower-casing may change the length of some texts (İ); offsets would then be wrong, so such
  // texts are searched as they are.
  const haystack = lower.length === text.length ? lower : text;
  const byLength = names
    .filter(name => name !== '')
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const mentions: Mention[] = [];
  for (const name of byLength) {
    const needle = haystack === lower ? name.toLowerCase() : name;
    for (
      let start = haystack.indexOf(needle);
      start >= 0;
      start = haystack.indexOf(needle, start + 1)
    ) {
      const end = start + needle.length;
      if (mentions.some(other => start < other.end && other.start < end)) continue;
      if (options.wholeWords && (isWord(haystack[start - 1]) || isWord(haystack[end]))) continue;
      mentions.push({ name, start, end });
    }
  }
  return mentions.sort((a, b) => a.start - b.start);
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

/** The distinct names among mentions, in order of first mention. */
export function distinctNames(mentions: readonly Mention[]): string[] {
  return [...new Set(mentions.map(mention => mention.name))];
}
