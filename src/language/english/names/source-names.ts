/**
 * Finds sources in a question: by a name of the catalogue, by an alias derived from it, or by a
 * citation of an unknown name.
 */

import { finish, inSteps, type Steps } from '../../../core/steps.ts';
import { type Span, SpanIndex } from '../../../core/text/span-index.ts';
import { isWordUnit } from '../../../core/text/words.ts';
import { KnownNames } from '../../known-names.ts';
import { MONTH } from '../values/dates.ts';
import { OPENINGS, REPORTED, REPORTS } from './citing-words.ts';

export interface SourceMention extends Span {
  /** Names in the catalogue; several for a shared alias ("FOX News"). */
  readonly names: readonly string[];
}

export interface UnknownMention extends Span {
  readonly text: string;
}

/** One spelling of a source: its name in the catalogue, or an alias. */
export interface SourceAlias {
  readonly text: string;
  /** True for a full name, which matches in any case; an alias must match exactly. */
  readonly folds: boolean;
  readonly names: readonly string[];
}

/** Longest name that has aliases, in UTF-16 units: a longer text is no name. */
const LONGEST_NAME = 200;
/** Number of UTF-16 units before a name that are read. */
const NEAR = 60;

/** Names between two pauses: each takes about 10 microseconds. */
const STEP = 512;

/** Returns full names and aliases, full names first, then by text. The list is frozen. */
export const sourceNames = (sources: readonly string[]): readonly SourceAlias[] =>
  finish(sourceNamesInSteps(sources));

export function* sourceNamesInSteps(sources: readonly string[]): Steps<readonly SourceAlias[]> {
  const full = new Set(sources);
  const byAlias = new Map<string, string[]>();
  yield* inSteps(sources, STEP, name => {
    for (const alias of sourceAliases(name)) {
      if (full.has(alias)) continue;
      const names = byAlias.get(alias);
      if (names) names.push(name);
      else byAlias.set(alias, [name]);
    }
  });
  const byText = (a: SourceAlias, b: SourceAlias): number => (a.text < b.text ? -1 : 1);
  return Object.freeze([
    ...sources.map((text): SourceAlias => ({ text, folds: true, names: [text] })).sort(byText),
    ...[...byAlias]
      .map(([text, names]): SourceAlias => ({ text, folds: false, names: names.sort() }))
      .sort(byText),
  ]);
}

/**
 * Returns aliases derived from a name: the part before a separator ("|", " - ", ":"); a web address
 * without its ending; the name without a leading "The"; run-together words split ("CBSSports": "CBS
 * Sports"); a short word in capitals ("Cnbc": "CNBC"); and the initials of at least three words.
 * None of a text that is too long for a name.
 */
export function sourceAliases(name: string): string[] {
  if (name.length > LONGEST_NAME) return [];
  const head = name.split(/\s*\|\s*|\s+[-–—]\s+|:\s+/)[0]!.trim();
  const plain = head.replace(/\.(?:com|org|net|co\.uk)$/i, '');
  const aliases = new Set([head, plain]);
  for (const text of [head, plain]) aliases.add(text.replace(/^The\s+/, ''));
  for (const text of [...aliases])
    aliases.add(text.replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' '));
  for (const text of [...aliases]) if (/^\p{L}{3,5}$/u.test(text)) aliases.add(text.toUpperCase());
  const words = head.replace(/^The\s+/, '').split(/\s+/);
  if (words.length >= 3 && words.every(word => /^\p{L}/u.test(word)))
    aliases.add(words.map(word => word[0]!.toUpperCase()).join(''));
  aliases.delete(name);
  return [...aliases].filter(alias => alias.length >= 3);
}

/**
 * Returns mentions in order of position, without overlaps, longest name first. Matches whole words
 * only. A name of one capitalised word must be capitalised in the text ("fortune" is not an
 * outlet), and an alias of one word must not be part of a longer capitalised name ("Ice Age",
 * "Independent Party"). `aliases`: those of `sources`, for callers that cache them.
 */
export function findSources(
  text: string,
  sources: readonly string[],
  aliases: readonly SourceAlias[] = sourceNames(sources),
): SourceMention[] {
  return finish(prepareSources(aliases))
    .find(text, (alias, start, end) => isMention(text, start, end, alias))
    .map(({ name, start, end }) => ({ names: name.names, start, end }));
}

/** Spellings of lists that cannot change. */
const SPELLINGS = new WeakMap<readonly SourceAlias[], KnownNames<SourceAlias>>();

/** Prepares spellings for `findSources`: once for a frozen list, at each call for any other. */
export function* prepareSources(aliases: readonly SourceAlias[]): Steps<KnownNames<SourceAlias>> {
  const known = SPELLINGS.get(aliases);
  if (known) return known;
  const spellings = yield* KnownNames.prepare(aliases);
  if (Object.isFrozen(aliases)) SPELLINGS.set(aliases, spellings);
  return spellings;
}

function isMention(text: string, start: number, end: number, alias: SourceAlias): boolean {
  if (isWordUnit(text[start - 1]) || isWordUnit(text[end])) return false;
  if (/\s/.test(alias.text)) return true;
  if (/^\p{Lu}/u.test(alias.text) && !/^\p{Lu}/u.test(text.slice(start, start + 2))) return false;
  return (
    alias.folds ||
    !(
      /\p{Lu}[\p{L}\p{N}’'.-]*\s$/u.test(
        withoutOpening(text.slice(Math.max(0, start - NEAR), start)),
      ) || /^\s\p{Lu}/u.test(text.slice(end))
    )
  );
}

const openingBefore = new RegExp(`(?:^|(?<=\\s))(?:${OPENINGS})\\s$`);
const opening = new RegExp(`^(?:${OPENINGS})(?:\\s+|$)`);

/** Removes a capitalised article or question word before a name: "The Verge", "Did Guardian". */
const withoutOpening = (before: string): string => before.replace(openingBefore, '');

/** Letters of a word after its first: bounds the time that a run of letters and hyphens takes. */
const word = String.raw`[\p{L}\p{N}&.’-]{0,40}`;
const name = String.raw`(?:The )?\p{Lu}${word}(?:(?<!\p{Ll}{2}\.)(?: of| and| &)? \p{Lu}${word}){0,4}`;
/** Fewer nouns than `REPORTS`: "the EU's analysis" and "new AI features" cite no source. */
const asNoun = new RegExp(
  String.raw`(?<![\p{L}\p{N}])['"‘“]?(${name})['"’”]?(?:['’]s)? (?:articles?|reports?|pieces?|stor(?:y|ies)|coverage|reviews?|interviews?|posts?|feature)\b`,
  'gu',
);
const asAuthority = new RegExp(
  String.raw`\b(?:according to|as per|(?:${REPORTED}|${REPORTS}|another|(?<!the )one)(?: \p{Ll}+)? (?:by|in|from)) (?:an? |the )?(?:article from |report from )?['"‘“]?(${name})`,
  'gu',
);

const MONTH_NAME = new RegExp(String.raw`\b(?:${MONTH})\b`);

/**
 * Returns capitalised names that a question cites as outlets ("a Rolling Stone piece", "reported by
 * Reuters") and that overlap no known mention.
 */
export function findUnknownSources(
  text: string,
  known: readonly SourceMention[],
): UnknownMention[] {
  const unknown = new Map<number, UnknownMention>();
  const mentions = new SpanIndex(known);
  for (const pattern of [asNoun, asAuthority]) {
    for (const match of text.matchAll(pattern)) {
      const at = match.index + match[0].indexOf(match[1]!);
      const rest = match[1]!.replace(opening, '');
      const start = at + match[1]!.length - rest.length;
      const end = at + match[1]!.length;
      if (rest === '' || !/^\p{Lu}/u.test(rest) || MONTH_NAME.test(rest)) continue;
      if (!mentions.overlaps(at, end) && !unknown.has(start))
        unknown.set(start, { text: rest, start, end });
    }
  }
  return [...unknown.values()].sort((a, b) => a.start - b.start);
}

/** Sources that a text names: those of the catalogue, and unknown ones that it cites as outlets. */
export interface CitedSources {
  readonly known: readonly SourceMention[];
  readonly unknown: readonly UnknownMention[];
}

export function citedSources(
  text: string,
  {
    sources,
    aliases,
  }: { readonly sources: readonly string[]; readonly aliases?: readonly SourceAlias[] },
): CitedSources {
  const known = findSources(text, sources, aliases);
  return { known, unknown: findUnknownSources(text, known) };
}
