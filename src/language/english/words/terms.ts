/**
 * Splits technical text into stems: identifiers count whole and by their parts, so that "body
 * limit" finds `bodyLimit`, and "keep-alive" finds `keepalive`.
 */
import { withPairs } from '../../../core/text/matched-words.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';
import { wordStem } from './verb-forms.ts';

/** A number with its dots, or a run of letters and digits. */
const RUN = /(?<![\p{L}\p{N}])[vV]?\d+(?:\.\d+)+|[\p{L}\p{N}]+/gu;
/** Parts of a run in mixed case: "bodyLimit", "HTTPServer". */
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{N}+/gu;
/** Between runs of one identifier. */
const JOINED = /^[-_.]$/;

/** Spellings and short forms that technical texts use for one another. */
const SAME: ReadonlyMap<string, string> = new Map(
  'max=maximum most=maximum upper=maximum min=minimum lowest=minimum license=licence licenses=licence licences=licence sec=second zero=0 directory=folder directories=folder dir=folder colour=color db=database env=environment'
    .split(' ')
    .map(pair => pair.split('=') as [string, string]),
);

/** Ending of the noun for what a verb does: "connection", "compression", "encryption". */
const ACT = /(?<=\p{L}{3}(?:ss|ct|pt))ions?$/u;

/** Stop words that name things in technical texts: "log call", "last day", "full name". */
const CONTENT: ReadonlySet<string> = new Set(
  'amount back bottom call describe detail empty fill find fire first front full interest keep last least move name part show side system top once twice'.split(
    ' ',
  ),
);
/** Words of any question that the list of stop words leaves out. */
const ASIDE: ReadonlySet<string> = new Set('does did doing use uses used using want'.split(' '));
const isStop = (word: string): boolean =>
  ASIDE.has(word) || (ENGLISH_STOP_WORDS.has(word) && !CONTENT.has(word));

/** Returns the stem of a word, equal for words that technical texts use for one another. */
export function termOf(word: string): string {
  const lower = word.toLowerCase().replace(/^v(?=\d)/u, '');
  const same = (SAME.get(lower) ?? lower).replace(ACT, '');
  return wordStem(same).replace(/is$/u, 'iz');
}

/** Returns all stems of a text, those of parts and joins of identifiers included. */
export function termsOf(written: string): Set<string> {
  const text = withPairs(written);
  const terms = new Set<string>();
  let before: { readonly word: string; readonly end: number } | undefined;
  for (const match of text.matchAll(RUN)) {
    const word = match[0];
    terms.add(termOf(word));
    // "5.1" is a release of 5.
    const release = /^v?(\d+)\./iu.exec(word)?.[1];
    if (release !== undefined) terms.add(release);
    const parts = word.match(PART) ?? [];
    if (parts.length > 1) for (const part of parts) terms.add(termOf(part));
    if (before && JOINED.test(text.slice(before.end, match.index)))
      terms.add(termOf(before.word + word));
    before = { word, end: match.index + word.length };
  }
  return terms;
}

/** A word of a question, and its joins with its neighbours: "log", "loglevel". */
export interface AskedTerm {
  readonly term: string;
  readonly joins: readonly string[];
  /** True for a word in capitals within the question: a product, a setting. */
  readonly isName: boolean;
}

/**
 * Returns the content words of a question, each once, in order. A name as "Next.js" whose first
 * part is a stop word counts as one word.
 */
export function askedTerms(written: string): AskedTerm[] {
  const text = withPairs(written);
  const runs = [...text.matchAll(RUN)];
  const found = new Map<string, { joins: string[]; isName: boolean }>();
  for (const [at, match] of runs.entries()) {
    const [word, next, before] = [match[0], runs[at + 1], runs[at - 1]];
    const joined =
      next !== undefined && JOINED.test(text.slice(match.index + word.length, next.index));
    const stops = isStop(word.toLowerCase());
    if (word === 's' || (stops && !joined)) continue;
    const joins = [
      ...(before ? [termOf(before[0] + word)] : []),
      ...(next ? [termOf(word + next[0])] : []),
    ];
    const term = stops ? termOf(word + next![0]) : termOf(word);
    const entry = found.get(term) ?? { joins: stops ? [termOf(word)] : [], isName: false };
    entry.joins.push(...joins);
    entry.isName ||= isNamed(word) && (at > 0 || match.index > 0);
    found.set(term, entry);
  }
  return [...found].map(([term, entry]) => ({ term, ...entry }));
}

/** Returns true for words with capitals or underscores, and for versions. */
const isNamed = (word: string): boolean => /\p{Lu}|_|^\d/u.test(word);

/** Returns true if the stems hold the word, by itself or joined with a neighbour. */
export const holdsTerm = (
  terms: ReadonlySet<string>,
  { term, joins }: Pick<AskedTerm, 'term' | 'joins'>,
): boolean => terms.has(term) || joins.some(join => terms.has(join));
