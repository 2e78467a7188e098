/** Finds the values that a sentence states as defaults, and ends of stated values. */

/** A value in a sentence, as it is shown to the user. */
export interface StatedValue {
  readonly text: string;
  readonly start: number;
}

/** Opens the value of a field or statement about a default. */
const OPENINGS: readonly RegExp[] = [
  /\bdefaults?(?:\s+values?)?\s*[:=]\s*/giu,
  /(?<!\bby )\bdefault(?:s|ed|ing)?\s+(?:back\s+)?to\s+/giu,
  /\bdefault(?:\s+[\w./'"-]+){0,5}?\s+(?:is|are|was|will be|has been changed to)\s+(?:set\s+to\s+|now\s+|changed\s+to\s+|always\s+)?/giu,
];
/** "alabaster (default)", "sync is the default". */
const BEFORE =
  /([\w.@/:+-]*\w|["'“‘][^"'“”‘’]{1,40}["'”’])\s*(?:\(\s*(?:the\s+)?default\)|(?:is|are|being)\s+(?:now\s+)?(?:the|used as the)\s+default\b)/giu;

const QUOTED = /^(["'“‘`])([^"“”‘’`]{0,80}?)["'”’`](?![\p{L}])/u;
/** Ends of a value that stands open: of a sentence, of a clause, before a word that goes on. */
const END =
  /[;\n\]]|\s\||[.,](?=\s|$)|\s[-–—]\s|\s(?:which|that|if|when|unless|because|and|but|for|so|in order|as|where|since|while|until|to|on|in|from|with|by|of|except|or)\s|\)(?=\s*[.,;]|\s*$)/u;
const LONGEST = 60;

/** Reads the value at the head of a text; undefined if there is none. */
export function valueAtHead(text: string): string | undefined {
  const quoted = QUOTED.exec(text);
  if (quoted) return quoted[2]!.trim() || undefined;
  const tail = parenthesis(text);
  const rest = text.slice(0, tail ?? text.length);
  const end = END.exec(rest)?.index ?? rest.length;
  const bare = rest
    .slice(0, end)
    .trim()
    .replace(/[.,:;]+$/u, '');
  const full =
    tail !== undefined && end === rest.length ? text.slice(0, closing(text, tail)) : bare;
  const value = (full.length <= LONGEST ? full : bare).trim();
  return value === '' || value.length > LONGEST || REFERS.test(value)
    ? undefined
    : withoutArticle(value);
}

/** Names another setting instead of a value: "the value of x". */
const REFERS =
  /^(?:the )?(?:same|whatever|values?|current|first|user|your|its|their|this|that|all|any|be|use|used|not|also|what|how|where|when)\b|\b(?:settings?|options?|parameters?|variables?|above|below|specified|provided|described|documentation)\b/iu;
const withoutArticle = (value: string): string => value.replace(/^(?:the|an?)\s+(?=\S+$)/iu, '');

/** Returns where a parenthesis opens right behind the first words: "72000 (72 seconds)". */
function parenthesis(text: string): number | undefined {
  const match = /^[^\s(.;]+(?:\s[^\s(.;,]+){0,2}?\s(?=\([^()]{1,40}\))/u.exec(text);
  return match ? match[0].length : undefined;
}
const closing = (text: string, open: number): number => text.indexOf(')', open) + 1;

/** Returns the values that the sentence states as defaults. */
export function defaultValues(text: string): StatedValue[] {
  const found: StatedValue[] = [];
  for (const opening of OPENINGS)
    for (const match of text.matchAll(opening)) {
      const start = match.index + match[0].length;
      const value = valueAtHead(text.slice(start));
      if (value !== undefined) found.push({ text: value, start });
    }
  for (const match of text.matchAll(BEFORE))
    found.push({ text: match[1]!.replace(/^["'“‘]|["'”’]$/gu, ''), start: match.index });
  return found.filter(({ start }, at) => found.findIndex(other => other.start === start) === at);
}

/** Returns true if the sentence mentions a default. */
export const speaksOfDefault = (text: string): boolean =>
  /\bdefault(?:s|ed|ing)?\b|\bout of the box\b|\bif (?:not|un)(?: ?set| ?specified)?\b|\binitially\b/iu.test(
    text,
  );
