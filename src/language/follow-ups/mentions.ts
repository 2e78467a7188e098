/** Finds the words and phrases of a question that refer back: "she", "its", "that company". */
import type { Span } from '../../core/text/span-index.ts';
import { typesOfNoun } from '../english/names/types.ts';
import { wordStem } from '../english/words/verb-forms.ts';
import type { ReferenceWords, ReferentKind, WordsByKind } from './reference-words.ts';

/** A word, or a phrase such as "that company", that refers back. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  readonly kind: ReferentKind;
  readonly owns: boolean;
  /** The noun of the phrase, if it is one. */
  readonly noun?: string;
}

export const WORD: RegExp = /[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*/gu;

export const spansOf = (pattern: RegExp, text: string): Span[] =>
  Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({
    start: index,
    end: index + match.length,
  }));

export function mentionsIn(
  text: string,
  words: ReferenceWords,
  nameless: boolean,
): { readonly mentions: Mention[]; readonly inside: boolean } {
  const found: Mention[] = [];
  let inside = false;
  const tokens = spansOf(WORD, text).map(span => ({
    ...span,
    word: text.slice(span.start, span.end),
  }));
  const isContent = (at: number): boolean => {
    const token = tokens[at];
    const before = tokens[at - 1]!;
    return (
      token !== undefined &&
      !words.marks.has(token.word.toLowerCase()) &&
      /^[\s]+$/u.test(text.slice(before.end, token.start))
    );
  };
  for (const [at, { start, end, word }] of tokens.entries()) {
    // "Sie" and "Ihr" inside of a German question address the reader.
    if (words.code === 'de' && at > 0 && /^(?:Sie|Ihnen|Ihr\p{L}*)$/u.test(word)) continue;
    if (isName(text, start, word) || isNoun(tokens[at - 1]?.word, words)) continue;
    const lower = word.toLowerCase();
    // French leans pronouns on verbs: "est-il".
    const last = words.code === 'fr' ? lower.split('-').at(-1)! : lower;
    const owned = kindIn(words.possessives, lower);
    const kind = kindIn(words.pronouns, lower) ?? kindIn(words.pronouns, last);
    const standsAlone = /^(?:hers|theirs|suy[oa]|del[ea]s?)$/u.test(lower);
    const next = tokens[at + 1]?.word.toLowerCase() ?? '';
    const isEnglish = words.code === 'en';
    const describes = isContent(at + 1) || (isEnglish && DESCRIBING.test(next));
    const isOnlyOwner = kind === undefined && (standsAlone || (isEnglish && next !== ''));
    const isOwning = owned !== undefined && (describes || isOnlyOwner);
    if (
      (isOwning || kind !== undefined) &&
      standsForOwn(text, tokens, at, { words, owns: isOwning }) &&
      found.length === 0
    ) {
      inside = true;
      continue;
    }
    if (isOwning) found.push({ start, end, kind: owned, owns: describes || isOnlyOwner });
    else if (kind !== undefined)
      found.push({ start, end, kind: kindByVerb(kind, text, words), owns: false });
    else found.push(...phraseAt(tokens, at, words, { nameless, isContent }));
  }
  return { mentions: found, inside };
}

/** Matches stop words that stand between an owner and what it has: "her first name". */
const DESCRIBING =
  /^(?:first|second|third|last|own|full|top|former|name|part|side|two|three|most)$/;

/** True for "IT" and for "It" within a sentence. */
function isName(text: string, start: number, word: string): boolean {
  if (!/^\p{Lu}/u.test(word)) return false;
  const isLoud = !/\p{Ll}/u.test(text);
  const isShouted = /^\p{Lu}{2,}$/u.test(word) && !isLoud;
  return isShouted || (!isLoud && !/(?:^|[.!?:¿¡]\s*)$/u.test(text.slice(0, start)));
}

/** True behind a French article: "le son". */
const isNoun = (before: string | undefined, { code, articles }: ReferenceWords): boolean =>
  code === 'fr' &&
  before !== undefined &&
  `${articles} un`.split(' ').includes(before.toLowerCase());

/**
 * True for "its" in "Does the warranty cover its battery?" and "it" in "Can I cancel an order after
 * it ships?": the question names what it stands for. Not for "the name of its owner".
 */
function standsForOwn(
  text: string,
  tokens: readonly Token[],
  at: number,
  {
    words: { articles, determiners, joins, marks, code },
    owns,
  }: { readonly words: ReferenceWords; readonly owns: boolean },
): boolean {
  const lower = tokens.slice(0, at).map(({ word }) => word.toLowerCase());
  if (/^(?:of|von|de|di|van|for|about|in|with|to)$/u.test(lower.at(-1) ?? '')) return false;
  const begins = new Set(`${articles} ${determiners}`.split(' '));
  const start = lower.findIndex((word, index) => {
    const next = lower[index + 1];
    return begins.has(word) && next !== undefined && !marks.has(next);
  });
  // "How do bees find their hive?"
  const isPlural = code === 'en' && /^the(?:y|m|ir)/u.test(tokens[at]!.word.toLowerCase());
  if (isPlural && PLURAL_SUBJECT.test(lower.join(' '))) return true;
  if (start < 0 || owns) return start >= 0;
  const between = text.slice(tokens[start]!.end, tokens[at]!.start);
  return between.includes(',') || lower.slice(start).some(word => joins.split(' ').includes(word));
}

/** Matches a plural behind what begins a question. */
const PLURAL_SUBJECT =
  /\b(?:do|did|are|were|have|had|can|will|should|would|many|which|what|all|most|some) (?:\p{L}+ )?\p{L}{3,}s\b/u;

/** Lets the verb tell persons from things where the pronoun does not. */
function kindByVerb(kind: ReferentKind, text: string, words: ReferenceWords): ReferentKind {
  if (kind !== 'any' && kind !== 'either') return kind;
  if (words.ofPersons.test(text)) return 'person';
  return words.ofThings.test(text) ? 'thing' : 'either';
}

function kindIn(byKind: WordsByKind, word: string): ReferentKind | undefined {
  for (const [kind, list] of Object.entries(byKind))
    if (list.split(' ').includes(word)) return kind as ReferentKind;
  return undefined;
}

interface Token {
  readonly start: number;
  readonly end: number;
  readonly word: string;
}

/** Returns "that company", and "the company" in a question without names. */
function phraseAt(
  tokens: readonly Token[],
  at: number,
  words: ReferenceWords,
  { nameless, isContent }: { readonly nameless: boolean; isContent(at: number): boolean },
): Mention[] {
  const { start, word } = tokens[at]!;
  const next = tokens[at + 1];
  if (next === undefined || !isContent(at + 1)) return [];
  const lower = word.toLowerCase();
  const types = typesOfNoun(wordStem(next.word.toLowerCase()));
  const isEnglish = words.code === 'en';
  const isKnown = words.demonstratives.split(' ').includes(lower) || (nameless && lower === 'the');
  // "That" also begins clauses, and "the" most phrases: a noun of a known type tells.
  const fits = isEnglish ? types.length > 0 && !isDescribed(tokens, at + 1) : isKnown;
  if (!isKnown || !fits) return [];
  const kind = types.includes('person') ? 'person' : types.includes('place') ? 'place' : 'thing';
  const noun = next.word;
  // "The king" may be any, and "the company card" is another thing.
  if (lower === 'this' && kind === 'place') return [];
  if (lower === 'the' && (kind === 'person' || tokens[at + 2] !== undefined)) return [];
  return [{ start, end: next.end, kind: isEnglish ? kind : 'any', owns: false, noun }];
}

/** True for "the company that" and "the capital of": what follows says which. */
const isDescribed = (tokens: readonly Token[], at: number): boolean =>
  /^(?:of|that|which|who|whose|with|for|named|called|where|when|by|from|in|on|at)$/iu.test(
    tokens[at + 1]?.word ?? '',
  );
