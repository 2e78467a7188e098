/**
 * Folds texts: equal texts have equal forms. Lower case, compatibility forms decomposed (NFKC),
 * invisible characters and vowel points removed, digits of all scripts as 0 to 9.
 */

/** Matches a unit of each script without spaces, and no letter of Europe: far faster than all. */
export const MAY_BE_GRAMS: RegExp = /[\u0e01-\u1dff\u2e80-\uffff]/;

/** Matches all but ASCII and the usual punctuation, dashes and quotes, which stay as they are. */
const FOLDED = /[^\0-\x7f\u2010-\u2027]+/g;
const ACCENT = /[\u0300-\u036f]/;

/** Returns true for a text whose form is the text in lower case, as of most English ones. */
export const isPlain = (text: string): boolean => !BEYOND.test(text);
const BEYOND = /[^\0-\x7f\u2010-\u2027]/;

/** Returns a text in lower case, of which texts that a reader sees as equal have one. */
export const foldedText = (text: string): string => folded(text).form;

/** A text in lower case, of which texts that a reader sees as equal have one. */
export interface Folded {
  readonly form: string;
  /** False if the form holds no script without spaces. */
  readonly mayBeGrams: boolean;
}

/** Reads the text once: only runs beyond ASCII may hold an accent or a script without spaces. */
export function folded(text: string): Folded {
  if (isPlain(text)) return { form: text.toLowerCase(), mayBeGrams: false };
  let mayBeGrams = false;
  let hasAccent = false;
  const form = text.toLowerCase().replace(FOLDED, (run, at, whole) => {
    const written = foldedRun(run, at, whole);
    mayBeGrams ||= MAY_BE_GRAMS.test(written);
    hasAccent ||= ACCENT.test(written);
    return written;
  });
  // An accent may stand after a letter of ASCII, with which it is composed.
  return { form: hasAccent ? form.replaceAll('i\u0307', 'i').normalize('NFC') : form, mayBeGrams };
}

function foldedRun(run: string, at: number, text: string): string {
  const form = run.length === 1 ? (LATIN[run.charCodeAt(0)] ?? formOf(run)) : formOf(run);
  return isExponent(run, text, at) ? ` ${form}` : form;
}

const formOf = (run: string): string =>
  run
    .replace(SYMBOLS, symbol => (TRADE_MARKS.has(symbol) ? ' ' : ` ${symbol} `))
    .normalize('NFKD')
    .toLowerCase()
    .replace(UNSEEN, '')
    .replace(LETTERS, letter => CASES[letter]!)
    .replace(DIGITS, digitOf)
    .normalize('NFC');

/** Returns true for a superscript that is no part of the word before it: 10⁶, a footnote. */
const isExponent = (run: string, text: string, at: number): boolean =>
  /^[²³¹⁰⁴-⁹]/.test(run) && /\d$|^[a-z]{4}$/.test(text.slice(Math.max(0, at - 4), at));

/** Matches symbols, which may decompose into letters, and fractions: they stand by themselves. */
const SYMBOLS = /[\p{So}¼-¾⅐-⅞]\p{M}*/gu;
const TRADE_MARKS: ReadonlySet<string> = new Set('™℠');

/**
 * Matches what is not seen, or not written by everybody: soft hyphens, zero-width characters and
 * other default ignorable ones; tatweel; enclosing marks; points of Hebrew and Arabic; hamza and
 * madda on alef.
 */
export const UNSEEN: RegExp = new RegExp(
  [
    String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]`,
    String.raw`[\u0640\u20d0-\u20ff]`,
    String.raw`[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08ff]`,
    String.raw`(?<=\u0627)[\u0653-\u0655]`,
  ].join('|'),
  'gu',
);

/**
 * Letters that are one to a reader: those whose case `toLowerCase` leaves apart (final sigma, sharp
 * s, dotless i), and kaf and yeh as Persian and Arabic keyboards write them.
 */
const CASES: Readonly<Record<string, string>> = {
  ς: 'σ',
  ß: 'ss',
  ı: 'i',
  ک: 'ك',
  ی: 'ي',
  ى: 'ي',
};
const LETTERS = /[ςßıکیى]/g;

/** Matches the digits of Arabic, Indian and South-East Asian scripts. */
const DIGITS =
  /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0e50-\u0e59\u0ed0-\u0ed9\u0f20-\u0f29\u1040-\u1049\u17e0-\u17e9\u1810-\u1819]/g;

/** The zero of a script stands at a multiple of 16, in India at 6 above one. */
function digitOf(digit: string): string {
  const code = digit.charCodeAt(0);
  return String((code & 15) - (code >= 0x0900 && code < 0x0e00 ? 6 : 0));
}

/** Forms of Latin-1 by code: most of what English texts hold beyond ASCII. */
const LATIN: readonly string[] = Array.from({ length: 0x100 }, (_, code) =>
  formOf(String.fromCharCode(code)),
);
