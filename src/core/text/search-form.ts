/**
 * Writes texts in the form in which they are searched: one analysis of indexes and queries, without
 * `Intl`, so that Node, browsers and every other runtime read the same terms.
 *
 * The runs of letters, marks and numbers of the form are the terms. Equal texts have equal forms:
 * lower case, compatibility forms decomposed (NFKC), invisible characters and vowel points removed,
 * digits of all scripts as 0 to 9. Scripts without spaces become overlapping pairs of characters
 * with their marks (bigrams), so that a word is found wherever it stands.
 */
import { bareSpellings, bareTerms, isBareTerm } from './accents.ts';
import { folded, MAY_BE_GRAMS } from './folded.ts';
import {
  type AskedIdentifiers,
  type FoundSigns,
  identifierTerms,
  isIdentifierTerm,
  questionIdentifiers,
  typedIdentifiers,
} from './identifiers.ts';
import { GRAM_SCRIPTS } from './scripts.ts';

/**
 * Version of the analysis; indexes record it. Raised whenever a text gets other terms, or is cut
 * into other sentences or words. 1 had no n-grams, and changed only the case; 2 had no identifiers
 * and no words without their accents, and cut sentences by the rules of English and 。 alone.
 */
export const ANALYSIS_VERSION = 3;

/** A text to be indexed. */
export interface IndexForm {
  /** The terms of the text, which are its length. */
  readonly form: string;
  /** Characters of bigrams, by which it is found as well, at the places of terms of `form`. */
  readonly characters: string;
  /**
   * More such terms, marked so that none is a word: identifiers, words without their accents.
   * Scorers of papers do without them.
   */
  readonly beside: string;
}

/** Returns the terms of a text to be indexed: all those by which any part of it is searched. */
export function indexForm(text: string): IndexForm {
  const { form, characters } = searchForm(text);
  return { form, characters, beside: `${termsBeside(text)} ${bareTerms(form)}`.trim() };
}

/** Returns the terms of a text without those of `beside`. */
export function searchForm(text: string): Pick<IndexForm, 'form' | 'characters'> {
  const { form, mayBeGrams } = folded(text);
  const runs = mayBeGrams ? form.match(GRAM_RUN) : null;
  if (!runs) return { form, characters: '' };
  return { form: withBigrams(form), characters: runs.flatMap(charactersOf).join(' ') };
}

/**
 * Returns the terms beside those of a text, from all their sources. `signs`: what a reader
 * knows, if it looked for signs of identifiers.
 */
export const termsBeside = (text: string, signs?: FoundSigns): string =>
  identifierTerms(text, signs).join(' ');

/** Returns the terms of a query: the bigrams of a run, or its only character. */
export function queryForm(text: string): string {
  const { form, mayBeGrams } = folded(text);
  return mayBeGrams ? withBigrams(form) : form;
}

/**
 * Returns what a query asks for beyond the terms of its form. `typed`: somebody typed it to search,
 * so that whatever is spelled in a special way counts; else it is a question in prose.
 */
export function askedBeside(text: string, typed: boolean): AskedIdentifiers {
  if (!typed) return questionIdentifiers(text);
  const { beside, above, like } = typedIdentifiers(text);
  const spellings = new Map(bareSpellings(queryForm(text)));
  const known = new Set(above.map(({ term }) => term));
  // The spelling of the query outweighs the other one, as an identifier its parts.
  const words = [...spellings]
    .filter(([word]) => !known.has(word))
    .map(([word, other]) => ({ term: word, under: [other] }));
  const identifiers = above.map(({ term, under }) => {
    const other = spellings.get(term);
    return { term, under: other === undefined ? under : [...under, other] };
  });
  return {
    beside: [...new Set([...beside, ...spellings.values()])],
    above: [...words, ...identifiers],
    like: [...like, ...[...spellings].map(([word, other]) => [other, word] as const)],
  };
}

const GRAM_RUN = new RegExp(String.raw`(?:[${GRAM_SCRIPTS}]\p{M}*)+`, 'gu');
const CHARACTER = new RegExp(String.raw`[${GRAM_SCRIPTS}]\p{M}*`, 'gu');

const withBigrams = (folded: string): string =>
  folded.replace(GRAM_RUN, run => ` ${bigrams(run)} `);

/** Begins the terms of stems: terms of a text are in lower case. */
export const STEM_MARK = 'Ω';

/** Returns true for a term that may stand beside others, and then does not count as length. */
export const isBeside = (term: string): boolean =>
  isIdentifierTerm(term) ||
  isBareTerm(term) ||
  term.startsWith(STEM_MARK) ||
  (MAY_BE_GRAMS.test(term) && ONE_CHARACTER.test(term));
const ONE_CHARACTER = new RegExp(`^${CHARACTER.source}$`, 'u');

/** Returns the characters of a run of a script without spaces, if it has more than one. */
function charactersOf(run: string): readonly string[] {
  const characters = run.match(CHARACTER)!;
  return characters.length === 1 ? [] : characters;
}

function bigrams(run: string): string {
  const characters = run.match(CHARACTER)!;
  if (characters.length === 1) return run;
  return characters
    .slice(1)
    .map((character, at) => characters[at]! + character)
    .join(' ');
}
