/**
 * Writes identifiers as terms: each in whole as it is spelled, as the words it joins, and as each
 * of these words. Symbols become letters in upper case, which no folded text holds, so that these
 * terms are no words of any text.
 */
import { foldedText } from './folded.ts';
import { hasUnusual, identifierRuns, runsAtSigns } from './identifier-runs.ts';
import { usualIdentifier } from './usual-identifier.ts';

const SYMBOL = /[!-/:-@[-`{-~]/;
const SYMBOLS = /[!-/:-@[-`{-~]/g;
const ASCII_SYMBOLS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
/** The letters that stand for the symbols of ASCII begin here. */
const FIRST_LETTER = 0x410;
/** Stands between the words that an identifier joins. */
const JOINT = '\u040b';
/** Begins a word that is part of an identifier. */
const PART = '\u0402';

const LETTER_OF: ReadonlyMap<string, string> = new Map(
  [...ASCII_SYMBOLS].map((symbol, at) => [symbol, String.fromCharCode(FIRST_LETTER + at)]),
);

/** Identifiers longer than this are found by their pieces alone. */
const LONGEST = 200;
/** Words that an identifier joins at most: a run that joins more is data. */
const MOST_WORDS = 8;

/** Returns the term of an identifier as it is spelled, apart from its case. */
const wholeTerm = (identifier: string): string =>
  foldedText(identifier)
    .replace(/\s+/g, '')
    .replace(SYMBOLS, symbol => LETTER_OF.get(symbol)!);

/** Does the same for ASCII. */
function wholeOfAscii(identifier: string): string {
  let term = '';
  for (let at = 0; at < identifier.length; at++) term += TERM_OF[identifier.charCodeAt(at)];
  return term;
}
const TERM_OF: readonly string[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return LETTER_OF.get(character) ?? character.toLowerCase();
});

const joinedTerm = (words: readonly string[]): string => words.map(wordTerm).join(JOINT);
const partTerm = (word: string): string => PART + wordTerm(word);
const wordTerm = (word: string): string =>
  IS_ASCII.test(word) ? word.toLowerCase() : foldedText(word);

const MARKS = /[\u0402\u040b\u0410-\u042f]/g;

/** Returns true for a term of an identifier, which is no word of a text. */
export const isIdentifierTerm = (term: string): boolean => term.search(MARKS) >= 0;

/** Returns a term as a reader may see it. */
export const shownTerm = (term: string): string =>
  term.replace(MARKS, letter =>
    letter === JOINT
      ? '·'
      : letter === PART
        ? '~'
        : ASCII_SYMBOLS[letter.charCodeAt(0) - FIRST_LETTER]!,
  );

/** Patterns of words that are joined to one: over all letters, or over ASCII, far faster. */
function patternsOf(upper: string, lower: string, letter: string, digit: string, flags: string) {
  const [U, l, L, N] = [upper, lower, letter, digit].map(set => `[${set}]`);
  return {
    /** Matches the words of an identifier: HTTP, Server; parse, Request; 40, bar. */
    words: new RegExp(`${U}+(?=${U}${l})|${U}?${l}+|${U}+|${N}+|${L}+`, `g${flags}`),
    hasBorder: new RegExp(`${l}${U}|${U}{2}${l}{2}|${N}${L}|${L}${N}`, flags),
    /** Matches an ordinal or a plural, which joins nothing: 20th, 1990s, CEOs. */
    inflected: new RegExp(`^${N}+(?:st|nd|rd|th|s)$|^${U}+s$`, flags),
    /** Matches names of which a word means another thing: JavaScript, YouTube, iPhone. */
    brand: new RegExp(`^(?:${U}${l}+){2}$|^${l}${U}`, flags),
    digits: new RegExp(`${N}+`, `g${flags}`),
    oneWord: new RegExp(`^(?:${L}|${N})+(?=[-.:/@&$~%=?\\\\]*$)`, flags),
  };
}
const ASCII = patternsOf('A-Z', 'a-z', 'A-Za-z', '0-9', '');
const WIDE = patternsOf(
  String.raw`\p{Lu}`,
  String.raw`\p{Ll}\p{M}`,
  String.raw`\p{L}\p{M}`,
  String.raw`\p{N}`,
  'u',
);
const patternsFor = (text: string): typeof ASCII => (IS_ASCII.test(text) ? ASCII : WIDE);
const IS_ASCII = /^[\0-\x7f]*$/;

/** Returns the words that one word joins; none if it is one, or a code of mixed digits. */
function joinedWords(word: string): readonly string[] {
  const patterns = patternsFor(word);
  const words = word.match(patterns.words) ?? [];
  if (words.length < 2 || words.length > MOST_WORDS) return [];
  if (words.length === 2 && patterns.inflected.test(word)) return [];
  return words.length > 2 && (word.match(patterns.digits)?.length ?? 0) > 1 ? [] : words;
}

/** Matches a dash of two hyphens, or dots, between words: no identifier goes over it. */
const DASHES = /(?<=[\p{L}\p{N}])(?:\.{2,}|-{2,})/u;
const LEADING = /^(?:(?!(?:--?|\.{1,2}\/|[./@#$]|~\/)\p{L}|#\d|_)[^\p{L}\p{N}])+/u;
const PUNCTUATION = /[^\p{L}\p{N}_+#]+$/u;
const TRAILING = /[^\p{L}\p{N}_]+$/u;
const ENDS_WITH_SIGN = /[\p{L}\p{N}](?:\+{1,2}|#)$/u;

/** Returns the identifiers of a run, without the punctuation around them. */
export const identifiersIn = (run: string): string[] =>
  run.split(DASHES).map(unwrapped).filter(Boolean);

function unwrapped(run: string): string {
  const begun = run.replace(LEADING, '').replace(PUNCTUATION, '');
  return ENDS_WITH_SIGN.test(begun) ? begun : begun.replace(TRAILING, '');
}

const identifiersOf = (text: string): string[] => identifierRuns(text).flatMap(identifiersIn);

/**
 * Matches spellings that prose is full of: words with hyphens, initials, two words with a slash,
 * times and scores. They have no terms of their own: a search for one is a search for a phrase.
 */
const NUMBER = String.raw`\p{N}+(?:\.\p{N}+)?`;
const PROSE = new RegExp(
  [
    String.raw`^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)+$`,
    String.raw`^\p{L}(?:\.\p{L})+$`,
    String.raw`^\p{L}+/\p{L}+$`,
    `^[-+]${NUMBER}$`,
    `^${NUMBER}(?:[-+:/]${NUMBER})+$`,
    String.raw`^${NUMBER}\+$`,
  ].join('|'),
  'u',
);

/** Returns the one spelling of prose that a query is, if it is one. */
export function proseSpelling(query: string): string | undefined {
  const [identifier, ...others] = /\s/.test(query.trim()) ? [] : identifiersOf(query);
  return identifier !== undefined && others.length === 0 && PROSE.test(identifier)
    ? identifier
    : undefined;
}

/** An identifier, or a piece of one. */
interface Piece {
  /** Its spelling. */
  readonly whole: string;
  /** The words that it joins, if somebody may write them apart. */
  readonly words: readonly string[];
  /** The words in it, each of letters and digits. */
  readonly written: readonly string[];
}

const WRITTEN = /[\p{L}\p{M}\p{N}]+/gu;
/** Matches symbols between names of their own: the parts of a path or an address. */
const BETWEEN_NAMES = /[/:@?&=\\#%~]+/;
/** Matches spellings that join words to a name: parse_request, --dry-run, Node.js. */
const NAMES = /_|^--?\p{L}|^[\p{L}\p{N}]{2,}\.\p{L}[\p{L}\p{N}]*$/u;
const ONLY_HYPHENS = /^[A-Za-z]+(?:-[A-Za-z]+)+$/;

/** Returns the pieces of an identifier, the identifier itself last. */
function piecesOf(identifier: string): Piece[] {
  if (!SYMBOL.test(identifier)) return [];
  const whole = pieceOf(identifier);
  if (ONLY_HYPHENS.test(identifier)) return [whole];
  const named = identifier.split(BETWEEN_NAMES);
  const inner = [
    ...named,
    ...named.flatMap(name => name.split('.')).filter(name => /[-_]/.test(name)),
    ...(identifier.match(/\p{N}+(?:\.\p{N}+)+|^\p{L}+(?:\+\+|#)/gu) ?? []),
  ].map(piece => piece.replace(/^\.+(?!\p{L})|[-.]+$/gu, ''));
  const pieces = new Set(inner.filter(piece => piece !== identifier && SYMBOL.test(piece)));
  return [...[...pieces].map(pieceOf), whole];
}

function pieceOf(spelled: string): Piece {
  const written = spelled.match(WRITTEN) ?? [];
  const joins = NAMES.test(spelled) && !BETWEEN_NAMES.test(spelled);
  const words = joins ? written.flatMap(wordsIn) : [];
  return { whole: spelled, written, words: isChain(words) ? words : [] };
}

const isChain = (words: readonly string[]): boolean =>
  words.length > 1 && words.length <= MOST_WORDS;

function wordsIn(word: string): readonly string[] {
  const words = joinedWords(word);
  return words.length > 0 ? words : [word];
}

/** Places where signs of identifiers may be in a text, and terms of runs that were read before. */
export interface FoundSigns {
  readonly places: ArrayLike<number>;
  readonly known: Map<string, string>;
}

/** Runs that are kept: most texts repeat few. */
const KEEP_RUNS = 20_000;
/** Longer runs may be views of their texts in the memory of V8, which would keep the texts. */
const COPIED = 12;
/** Terms of short runs: documents, passages and sentences of a text are read one after another. */
const SHORT_RUNS = new Map<string, string>();

/**
 * Returns the terms by which the identifiers of a text are found, beside those of its words: no
 * term of them is a word. `signs`: what a reader knows, if it looked for signs.
 */
export function identifierTerms(text: string, signs?: FoundSigns): string[] {
  const terms: string[] = [];
  for (const run of signs ? runsAtSigns(text, signs.places) : identifierRuns(text)) {
    const usual = usualIdentifier(run);
    if (usual === undefined) {
      const kept = run.length <= COPIED ? SHORT_RUNS : signs?.known;
      const known = kept?.get(run) ?? termsOfRun(run, kept);
      if (known !== '') terms.push(known);
    } else if (usual !== '') terms.push(wholeOfAscii(usual));
  }
  return terms;
}

/** Returns the terms of a run, with blanks between them, and keeps them in `kept`. */
function termsOfRun(run: string, kept?: Map<string, string>): string {
  const terms: string[] = [];
  const word = ASCII.oneWord.exec(run)?.[0];
  if (word !== undefined) addJoined(word, terms);
  else for (const identifier of identifiersIn(run)) addTerms(identifier, terms);
  const joined = terms.join(' ');
  if (kept && kept.size >= KEEP_RUNS) kept.clear();
  kept?.set(run, joined);
  return joined;
}

function addTerms(identifier: string, terms: string[]): void {
  for (const { whole, words } of piecesOf(identifier)) {
    if (whole.length <= LONGEST && !PROSE.test(whole)) terms.push(wholeTerm(whole));
    if (words.length > 0) terms.push(joinedTerm(words));
  }
  if (!patternsFor(identifier).hasBorder.test(identifier)) return;
  for (const word of identifier.match(WRITTEN) ?? []) addJoined(word, terms);
}

function addJoined(word: string, terms: string[]): void {
  const words = joinedWords(word);
  if (words.length === 0) return;
  terms.push(joinedTerm(words));
  if (patternsFor(word).brand.test(word)) return;
  for (const part of words) if (part.length > 1) terms.push(partTerm(part));
}

/** A term of a query that counts more than all those of `under` together. */
export interface Above {
  readonly term: string;
  readonly under: readonly string[];
}

/** Terms that a query asks for beyond its words. */
export interface AskedIdentifiers {
  readonly beside: readonly string[];
  readonly above: readonly Above[];
  /** Terms that weigh no more than a word, with the word. */
  readonly like: readonly (readonly [term: string, word: string])[];
}

/**
 * Matches identifiers that no prose holds: in a question they count as they are spelled. Others,
 * such as hyphens, decimals, sections of a law, hashtags or the address of a newspaper, are how a
 * sentence is spelled.
 */
const NO_PROSE =
  /\p{L}_|_\p{L}|^--\p{L}|^[.$]\p{L}|\+\+$|^\p{L}#$|:\/\/|::|\\|@.*[./]|\/.*\/.*\p{L}{2}/u;

/** Matches what each of these holds, in any text of which the identifiers are found as written. */
const MAY_BE_NO_PROSE = /[_.$+#:\\@/]|--/;
const NOTHING: AskedIdentifiers = { beside: [], above: [], like: [] };

/** Returns the identifiers of a question, whose words count as before. */
export function questionIdentifiers(text: string): AskedIdentifiers {
  if (!MAY_BE_NO_PROSE.test(text) && !hasUnusual(text)) return NOTHING;
  const above = identifiersOf(text)
    .filter(identifier => NO_PROSE.test(identifier))
    .map(identifier => ({ term: wholeTerm(identifier), under: writtenTerms(identifier) }));
  return { beside: above.map(({ term }) => term), above, like: [] };
}

const writtenTerms = (identifier: string): string[] =>
  (identifier.match(WRITTEN) ?? []).map(wordTerm);

/**
 * Returns the identifiers of a search that somebody typed: whatever is spelled in a special way,
 * the words in it, and words that a text may join.
 */
export function typedIdentifiers(text: string): AskedIdentifiers {
  const above: Above[] = [];
  for (const identifier of identifiersOf(text)) above.push(...levelsOf(identifier));
  const runs = text.trim().split(/\s+/);
  const words = runs.flatMap(run => run.match(WRITTEN) ?? []);
  if (words.join(' ') === runs.join(' ') && isChain(words)) above.push(joinedLevel(words));
  const [word] = words;
  if (words.length === 1 && joinedWords(word!).length === 0)
    above.push({ term: wordTerm(word!), under: [partTerm(word!)] });
  const beside = new Set([...words.map(partTerm), ...above.flatMap(termsOfLevel)]);
  const like = [...beside]
    .filter(term => term.startsWith(PART))
    .map(term => [term, term.slice(PART.length)] as const);
  return { beside: [...beside], above, like };
}

const termsOfLevel = ({ term, under }: Above): string[] => [...under, term];

const joinedLevel = (words: readonly string[]): Above => ({
  term: joinedTerm(words),
  under: words.flatMap(word => [wordTerm(word), partTerm(word)]),
});

/** Returns the terms of an identifier, each above those of spellings further from it. */
function levelsOf(identifier: string): Above[] {
  const levels: Above[] = [];
  for (const word of identifier.match(WRITTEN) ?? []) {
    const words = joinedWords(word);
    if (words.length === 0) continue;
    const joined = joinedLevel(words);
    levels.push(joined, { term: wordTerm(word), under: termsOfLevel(joined) });
  }
  for (const { whole, words, written } of piecesOf(identifier)) {
    const chain = ONLY_HYPHENS.test(whole) && isChain(written) ? written : words;
    if (chain.length > 0) levels.push(joinedLevel(chain));
    const below = [...written.map(wordTerm), ...levels.flatMap(termsOfLevel)];
    levels.push({ term: wholeTerm(whole), under: [...new Set(below)] });
  }
  return levels;
}
