/**
 * Finds the names in the evidence with their mentions: trims possessives and roles, and resolves
 * last names and common nouns.
 */

import { isDiscourseWord } from '../words/discourse-words.ts';
import { stemOf } from '../words/stems.ts';
import { calledBy } from './name-kinds.ts';
import { findNames } from './names.ts';
import { longerNames } from './persons.ts';

/** A text by its title, and a sentence by the number of its text. */
interface Titled {
  readonly title: string;
}
interface NumberedSentence {
  readonly part: number;
  readonly said: { readonly text: string; readonly writtenNames: readonly WrittenName[] };
}

export interface NameMention extends WrittenName {
  readonly part: number;
  /** Index of the sentence; undefined for the title of the part's document. */
  readonly sentence: number | undefined;
}

/** A name in a text, and what is beside it. */
export interface WrittenName {
  /** The name as written. */
  readonly written: string;
  readonly opensSentence: boolean;
  readonly possessive: boolean;
  /**
   * True if a role precedes it or a verb of speaking follows it: "CEO Ilse Tarrandine", "Tarrandine
   * said".
   */
  readonly personal: boolean;
  /** Stems of the nouns by which the text calls it. */
  readonly nouns: readonly string[];
}

export interface EntityName {
  readonly text: string;
  /** True for a common noun: "ferrymen". */
  readonly common: boolean;
  readonly mentions: readonly NameMention[];
}

/** Capitalised roles before a person's name that do not begin names of companies or ships. */
const ROLES = new Set(
  'CEO CTO CFO COO Chief Executive Officer Judge President Senator Sen Rep Governor Gov Mayor Coach Minister Chairman Chairwoman Founder Cofounder Co-founder Director Manager Captain Attorney Professor Prof Sir Former'.split(
    ' ',
  ),
);
const ROLE_PAIR =
  /^(?:Prime Minister|Vice President|Attorney General|Head Coach|Secretary General)(?:\s+|$)/;

interface EntityMatch {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the names in a text: "Dunmarrow’s Linnet" is two names, "CEO Ilse Tarrandine" is Ilse
 * Tarrandine, and "the Grey Herons" keeps its first word.
 */
export function namesIn(text: string): EntityMatch[] {
  return findNames(text).flatMap(name => {
    const start = withCapital(text, name.start);
    return [
      ...text.slice(start, name.end).matchAll(/(?:(?![’']s\s).)+(?:[’']s(?=\s))?\s*/gsu),
    ].flatMap((piece): EntityMatch[] => {
      const written = piece[0].trimEnd().replace(/[’']s$/u, '');
      const lead = written.length - written.trimStart().length;
      const from = start + piece.index + lead + rolesEnd(written.trimStart());
      const to = start + piece.index + written.length;
      return to - from >= MIN_LENGTH ? [{ text: text.slice(from, to), start: from, end: to }] : [];
    });
  });
}

const MIN_LENGTH = 2;

/**
 * Extends a name by a capitalised stop word before it in the middle of a sentence, except articles
 * and words that open a sentence or a quotation.
 */
function withCapital(text: string, start: number): number {
  const before = /(?<=[\p{Ll}\p{N},] )(\p{Lu}\p{Ll}+) $/u.exec(
    text.slice(Math.max(0, start - 30), start),
  );
  return before && !/^(?:The|An|And|Of|In|On|At|For|But|If|As)$/.test(before[1]!)
    ? start - before[0].length
    : start;
}

/**
 * Returns the offset after the leading roles ("Chairman of the"), or the length if nothing else
 * remains.
 */
function rolesEnd(name: string): number {
  let end = 0;
  for (;;) {
    const rest = name.slice(end);
    const word = ROLE_PAIR.exec(rest) ?? /^(\S+)(?:\s+|$)/u.exec(rest);
    if (!word) return end;
    const [all, single] = word;
    if (single !== undefined && !ROLES.has(single) && !(end > 0 && JOINING.has(single))) return end;
    end += all.length;
  }
}

const JOINING = new Set(['of', 'the', 'for']);

export function entityNames(
  parts: readonly Titled[],
  sentences: readonly NumberedSentence[],
): EntityName[] {
  const mentions = parts.flatMap(({ title }, part) =>
    namesWritten(title).map((name): NameMention => ({ part, sentence: undefined, ...name })),
  );
  for (const [sentence, { part, said }] of sentences.entries())
    for (const name of said.writtenNames) mentions.push({ part, sentence, ...name });
  const full = fullNames(mentions);
  for (const [written, tail] of openingTails(mentions)) full.set(written, full.get(tail) ?? tail);
  const groups = new Map<string, NameMention[]>();
  for (const mention of mentions) {
    const name = full.get(mention.written) ?? mention.written;
    const group = groups.get(name);
    if (group) group.push(mention);
    else groups.set(name, [mention]);
  }
  const proper = [...groups].map(
    ([text, all]): EntityName => ({ text, common: false, mentions: all }),
  );
  return [
    ...proper,
    ...commonNouns(sentences, new Set([...groups.keys()].map(name => name.toLowerCase()))),
  ];
}

const SPEECH_VERB =
  /^,? (?:said|says|told|tells|testified|tweeted|wrote|added|admitted|argued|explained|himself|herself|who)\b/;

function isPersonal(text: string, { start, end }: EntityMatch): boolean {
  const before = /(\p{L}+) $/u.exec(text.slice(Math.max(0, start - 20), start))?.[1] ?? '';
  return (
    SPEECH_VERB.test(text.slice(end, end + 20)) ||
    ROLES.has(before) ||
    /^(?:founder|co-founder|coach|president|judge|actor|singer|star|quarterback|executive|chief)$/.test(
      before,
    )
  );
}

export const namesWritten = (text: string): WrittenName[] =>
  namesIn(text).map(name => ({
    written: name.text,
    opensSentence: /^\W*$/u.test(text.slice(0, name.start)),
    possessive: /^[’']s?\b/u.test(text.slice(name.end, name.end + 2)),
    personal: isPersonal(text, name),
    nouns: calledBy(text, name).flat(),
  }));

function fullNames(mentions: readonly NameMention[]): Map<string, string> {
  const longer = longerNames(mentions.map(({ written }) => written));
  return new Map(
    mentions.flatMap(({ written }) =>
      longer.has(written) ? [[written, longer.get(written)!] as const] : [],
    ),
  );
}

/**
 * Maps names that only open sentences to the name without its first word, if that occurs elsewhere:
 * "Like Dunmarrow" to Dunmarrow.
 */
function openingTails(mentions: readonly NameMention[]): Map<string, string> {
  const inside = new Set(
    mentions.filter(({ opensSentence }) => !opensSentence).map(({ written }) => written),
  );
  const tails = new Map<string, string>();
  for (const { written, opensSentence } of mentions) {
    const tail = written.replace(/^\S+\s+/u, '');
    if (opensSentence && tail !== written && !inside.has(written) && inside.has(tail))
      tails.set(written, tail);
  }
  return tails;
}

/**
 * Most plural nouns that are candidates, the most frequent ones in at least two sentences first:
 * answers to a question for a kind of people or things.
 */
const MAX_COMMON_NOUNS = 12;
/** A plural noun has at least five letters. */
const PLURAL_NOUN = /(?<![\p{L}\p{N}’'-])\p{L}{4,}s(?![\p{L}\p{N}’'-])/gu;

function commonNouns(
  sentences: readonly NumberedSentence[],
  taken: ReadonlySet<string>,
): EntityName[] {
  const mentions = new Map<string, NameMention[]>();
  for (const [
    index,
    {
      part,
      said: { text },
    },
  ] of sentences.entries()) {
    const seen = new Set<string>();
    for (const match of text.matchAll(PLURAL_NOUN)) {
      const noun = match[0].toLowerCase();
      const opens = /^\W*$/u.test(text.slice(0, match.index));
      if (seen.has(noun) || /(?:ss|us|is|ous)$/.test(noun)) continue;
      if (
        (/^\p{Lu}/u.test(match[0]) && !opens) ||
        isDiscourseWord(noun) ||
        isDiscourseWord(stemOf(noun)) ||
        taken.has(noun)
      )
        continue;
      seen.add(noun);
      const mention = {
        part,
        sentence: index,
        written: match[0],
        opensSentence: opens,
        possessive: false,
        personal: false,
        nouns: [],
      };
      mentions.set(noun, [...(mentions.get(noun) ?? []), mention]);
    }
  }
  return [...mentions]
    .filter(([, all]) => all.length > 1)
    .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
    .slice(0, MAX_COMMON_NOUNS)
    .map(
      ([noun, all]): EntityName => ({
        text: noun[0]!.toUpperCase() + noun.slice(1),
        common: true,
        mentions: all,
      }),
    );
}
