/** Tells the letters of texts apart: those of words, and those of scripts without spaces. */
import { HAN, HANGUL, KANA, MYANMAR_AND_KHMER, THAI_AND_LAO } from './scripts.ts';

/** A letter, number or underscore of a script with spaces between words. */
export const WORD = 1;
/** No part of a word. */
export const OTHER = 2;
/** A combining mark, which belongs to the letter before it. */
export const MARK = 3;
/** A letter whose words have spaces between them and are read as n-grams all the same. */
export const SYLLABLE = 4;
/** From this kind on letters have no spaces between their words. */
export const FIRST_UNSPACED = 5;

/**
 * Letters of scripts without spaces that say as much as one English word, by kind, rounded to
 * halves, so that a number of words means the same amount of text in every script. Measured on the
 * Universal Declaration of Human Rights in 10 languages and on the help of LibreOffice in Chinese
 * and Japanese: `npm run lab -- letters-per-word` prints them.
 */
const UNSPACED: readonly (readonly [letters: string, perWord: number])[] = [
  [HAN, 1.5],
  [`${KANA}\\uff66-\\uff9f`, 4],
  [THAI_AND_LAO, 4.5],
  [MYANMAR_AND_KHMER, 4],
];

/** Parts of a word by which letters are counted: each of `UNSPACED` has a whole number of them. */
export const PARTS_OF_WORD = 36;
/** Parts of a word that a letter is, by its kind. */
export const PARTS: readonly number[] = [
  ...Array.from({ length: FIRST_UNSPACED }, () => 0),
  ...UNSPACED.map(([, perWord]) => PARTS_OF_WORD / perWord),
];

const IS_MARK = /^\p{M}$/u;
const IS_WORD = /^[\p{L}\p{N}_]$/u;
const IS_SYLLABLE = new RegExp(`^[${HANGUL}]$`, 'u');
const IS_UNSPACED = UNSPACED.map(([letters]) => new RegExp(`^[${letters}]$`, 'u'));

function kindOf(character: string): number {
  if (IS_MARK.test(character)) return MARK;
  if (!IS_WORD.test(character)) return OTHER;
  if (IS_SYLLABLE.test(character)) return SYLLABLE;
  const unspaced = IS_UNSPACED.findIndex(pattern => pattern.test(character));
  return unspaced < 0 ? WORD : FIRST_UNSPACED + unspaced;
}

/** Kind of each UTF-16 unit outside the surrogates; 0 means not computed yet. */
export const kinds: Uint8Array = new Uint8Array(0x10000);
// The patterns above cost more to begin with than most commands have to do.
for (let unit = 0; unit < 128; unit++)
  kinds[unit] = /\w/.test(String.fromCharCode(unit)) ? WORD : OTHER;

/** Returns the kind of the character at `at`; a lone surrogate is `OTHER`. */
export function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const known = kinds[unit]!;
  if (known !== 0) return known;
  if (unit >= 0xd800 && unit <= 0xdfff) {
    const point = text.codePointAt(at)!;
    return point > 0xffff ? kindOf(String.fromCodePoint(point)) : OTHER;
  }
  return (kinds[unit] = kindOf(String.fromCharCode(unit)));
}

/** Returns the number of UTF-16 units of the character at `at`. */
export const unitsAt = (text: string, at: number): number =>
  kinds[text.charCodeAt(at)] === 0 && text.codePointAt(at)! > 0xffff ? 2 : 1;
