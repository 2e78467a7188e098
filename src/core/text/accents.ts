/** Finds words with accents by words without them: "Zurich" finds "Zürich". */

import { kindAt, OTHER } from './letter-kinds.ts';

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
  if (COMBINING.test(word)) return withoutAccents(word);
  let written = '';
  for (const letter of word) written += bareLetter(letter);
  return written;
}
const COMBINING = /[\u0300-\u036f]/;

/** By letter that may have an accent: the letter without it. */
const bareLetters = new Map<string, string>();
function bareLetter(letter: string): string {
  if (letter < '\u0080') return letter;
  let written = bareLetters.get(letter);
  if (written === undefined) {
    written = MAY_HAVE.test(letter) ? withoutAccents(letter) : letter;
    bareLetters.set(letter, written);
  }
  return written;
}

function withoutAccents(word: string): string {
  const letters = word.replace(OTHER_LETTERS, letter => LETTERS[letter]!);
  return letters.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
}

/** Returns terms of the words that a text in its form writes with accents, with blanks between. */
export function bareTerms(form: string): string {
  let terms = '';
  let end = 0;
  ACCENTED.lastIndex = 0;
  // Only the words around such letters are looked at: few of the words of most texts.
  for (let found = ACCENTED.exec(form); found; found = ACCENTED.exec(form)) {
    let start = found.index;
    while (start > end && isInWord(form, start - 1)) start--;
    end = found.index + 1;
    while (end < form.length && isInWord(form, end)) end++;
    const word = form.slice(start, end);
    const written = bare(word);
    if (written !== word) terms += `${terms && ' '}${BARE}${written}`;
    ACCENTED.lastIndex = end;
  }
  return terms;
}
const ACCENTED = new RegExp(MAY_HAVE.source, 'g');

const isInWord = (form: string, at: number): boolean =>
  kindAt(form, at) !== OTHER && form[at] !== '_';

/** Returns the spelling without accents of each word of a query, and whether it had none. */
export const bareSpellings = (form: string): readonly (readonly [word: string, term: string])[] =>
  [...new Set(form.match(WORDS))].map(word => {
    const written = bare(word);
    return [word, written === word ? BARE + word : written];
  });
