/** Recognises text that may number a page. */

/** Words for a page in the languages that put one before its number. */
const BEFORE =
  'page|pages|pg|p|seite|s|página|pàgina|pagina|pág|pag|side|sida|sivu|strana|strona|str|oldal|sayfa|стр|страница|сторінка|σελίδα|halaman|trang|第|頁|ページ';
/** Words between the number of a page and the number of all pages. */
const TOTAL = '(?:/|of|von|de|di|van|av|af|z|из|sur|共|of the)';
/** Words for a page after its number. */
const AFTER = '(?:页|頁|ページ|쪽|oldal|\\. ?oldal)';

const NUMBER =
  /(?<![\p{L}\p{N}])(?:[1-9]\d{0,3}|[ivxlc]+)(?![\p{L}\p{N}])|(?<=第 ?)[1-9]\d*|[1-9]\d*(?= ?[页頁ペ쪽])/giu;
/** Signs that stand around the number of a page; signs of money and shares do not. */
const SIGNS = '[-–—•·|~*.,:;/()[\\]{}<>«»\\s]*';
const IS_ALONE = new RegExp(`^${SIGNS}$`);
const HAS_WORD = new RegExp(`(?:^|[\\P{L}])(?:${BEFORE})${SIGNS}$`, 'iu');
const REST = new RegExp(`^\\s*${AFTER}?(?:[\\s(]*${TOTAL}\\s*\\d+\\s*${AFTER}?)?${SIGNS}$`, 'iu');

/** Most characters of a head that holds the number of its page. */
const LONGEST = 200;

/**
 * Yields a text with its number as the distance from the number of its page: equal on all pages if
 * the number counts them. "3", "- 3 -", "Page 3 of 9" and "Manual, page iv" have one; "Fee 3" has
 * none, since it is content if it happens to count.
 */
export function* numberings(text: string, page: number): Generator<string, void, void> {
  if (text.length > LONGEST) return;
  for (const { 0: digits, index } of text.matchAll(NUMBER)) {
    const before = text.slice(0, index);
    const after = text.slice(index + digits.length);
    if (!((IS_ALONE.test(before) || HAS_WORD.test(before)) && REST.test(after))) continue;
    const isRoman = /\D/.test(digits);
    const value = isRoman ? romanValue(digits) : Number(digits);
    if (value !== undefined) yield `${before}<${isRoman ? 'i' : 1}${value - page}>${after}`;
  }
}

/**
 * Tells whether a number alone may as well be content that counts up with the pages: a book counts
 * from its first page or from a later one, so that its numbers are no higher than those of pages.
 * `page`: from 0.
 */
export const isAmbiguous = (text: string, page: number): boolean =>
  /^\d+$/.test(text) && Number(text) > page + 1;

const ROMAN = /^(?:c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/;
const DIGITS: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/** Returns the value of roman digits; undefined for other words of these letters. */
function romanValue(text: string): number | undefined {
  if (!ROMAN.test(text.toLowerCase())) return undefined;
  const values = [...text.toLowerCase()].map(digit => DIGITS[digit]!);
  return values.reduce(
    (sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value),
    0,
  );
}
