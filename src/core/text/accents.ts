/** Finds words with accents by words without them: "Zurich" finds "Zürich". */

/** Begins the term of a word without its accents, which no word of a text has: it is upper case. */
const BARE = '\u0403';

/** Returns true for the term of a word that a text writes with accents. */
export const isBareTerm = (term: string): boolean => term.startsWith(BARE);

/** Matches a word, of a query or of a text in its form. */
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** Matches accents of Latin and Greek; those of other scripts make other letters, but for ё. */
const ACCENTS = /(?<=[\p{Script=Latin}\p{Script=Greek}][\u0300-\u036f]*)[\u0300-\u036f]/gu;
/** Letters with a stroke, and joined ones, as they are typed where a keyboard lacks them. */
const LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ё: 'е',
};
const OTHER_LETTERS = /[łøđðħæœþё]/g;
/** Matches a letter that may have an accent. */
const MAY_HAVE = /[\u00c0-\u024f\u0370-\u03ff\u0451\u1e00-\u1fff]|[\u0300-\u036f]/;

function bare(word: string): string {
  if (!MAY_HAVE.test(word)) return word;
  const letters = word.replace(OTHER_LETTERS, letter => LETTERS[letter]!);
  return letters.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
}

/** Returns terms of the words that a text in its form writes with accents, with blanks between. */
export function bareTerms(form: string): string {
  if (!MAY_HAVE.test(form)) return '';
  const terms: string[] = [];
  for (const word of form.match(WORDS) ?? []) {
    const written = bare(word);
    if (written !== word) terms.push(BARE + written);
  }
  return terms.join(' ');
}

/** Returns the spelling without accents of each word of a query, and whether it had none. */
export const bareSpellings = (form: string): readonly (readonly [word: string, term: string])[] =>
  [...new Set(form.match(WORDS))].map(word => {
    const written = bare(word);
    return [word, written === word ? BARE + word : written];
  });
