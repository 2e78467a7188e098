/**
 * Finds the identifiers of a text: runs in which letters and digits stand together with symbols
 * (`Node.js`, `--max-old-space-size`, `C++`, an address), or in which one word holds several
 * (`parseRequest`, `40bar`).
 */
import { isPlain, UNSEEN } from './folded.ts';

/** Matches symbols that stand in identifiers; each makes one of the word after it. */
const JOINS: RegExp = /[_\-.:/@#+&$~%=?\\]/;
/** Matches symbols that make an identifier of the word before them: C++, F#. */
const ENDS: RegExp = /[+#]/;

/** Letters up to those of India belong to identifiers; those of scripts without spaces end one. */
const BEYOND = 0x0e00;
const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const JOIN = 4;
const END = 5;
/** More than one letter in upper case. */
const UPPERS = 6;
const WORDS: ReadonlySet<number> = new Set([LOWER, UPPER, DIGIT, UPPERS]);
/** By code: what a character is in an identifier; `OTHER` ends one. */
const CLASSES = Uint8Array.from({ length: BEYOND }, (_, code) => {
  const character = String.fromCharCode(code);
  if (ENDS.test(character)) return END;
  if (JOINS.test(character)) return JOIN;
  if (/\p{Lu}/u.test(character)) return UPPER;
  if (/\p{N}/u.test(character)) return DIGIT;
  return /[\p{L}\p{M}]/u.test(character) ? LOWER : OTHER;
});
/** By class before and class of a character: the class that counts before the next, or `SIGN`. */
const SIGN = 7;
const NEXT = Uint8Array.from({ length: 64 }, (_, at) => nextClass(at >> 3, at & 7));

function nextClass(before: number, here: number): number {
  const [wasWord, isWord] = [WORDS.has(before), WORDS.has(here)];
  const isSign =
    (isWord && (before === JOIN || before === END)) ||
    (wasWord && here === END) ||
    (wasWord && isWord && (before === DIGIT) !== (here === DIGIT)) ||
    (before === LOWER && here === UPPER) ||
    (before === UPPERS && here === LOWER);
  if (isSign) return SIGN;
  return here === UPPER && (before === UPPER || before === UPPERS) ? UPPERS : here;
}

const classAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < BEYOND ? CLASSES[code]! : OTHER;
};

/** Returns the runs of a text around its signs of identifiers, with the punctuation beside them. */
export function identifierRuns(text: string): string[] {
  const seen = asSeen(text);
  const runs: string[] = [];
  let from = 0;
  for (let at = nextSign(seen, 0); at < seen.length; at = nextSign(seen, from))
    from = addRun(seen, at, from, runs);
  return runs;
}

/**
 * Returns the same runs for a text without unusual characters, of which a reader knows where signs
 * may be: places in words, ascending.
 */
export function runsAtSigns(text: string, signs: ArrayLike<number>): string[] {
  const runs: string[] = [];
  for (let sign = 0, from = 0; sign < signs.length; sign++) {
    const at = signs[sign]!;
    if (at >= from && at < text.length && classAt(text, at) !== OTHER)
      from = addRun(text, at, from, runs);
  }
  return runs;
}

function nextSign(text: string, from: number): number {
  let before = OTHER;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    before = NEXT[(before << 3) | (code < BEYOND ? CLASSES[code]! : OTHER)]!;
    if (before === SIGN) return at;
  }
  return text.length;
}

/** Adds the run around a place; returns its end. */
function addRun(text: string, at: number, from: number, runs: string[]): number {
  let start = at;
  let end = at + 1;
  while (start > from && classAt(text, start - 1) !== OTHER) start--;
  while (end < text.length && classAt(text, end) !== OTHER) end++;
  const run = text.slice(start, end);
  if (nextSign(run, 0) < run.length) runs.push(run);
  return end;
}

/** Matches what is not seen, or another form of an ASCII symbol. */
const UNUSUAL = /[\u00ad\u200b-\u200d\u2010\u2011\u2060\ufeff\uff01-\uff5e]/;
const HYPHENS = /[\u2010\u2011]/g;

/** Returns true for a text whose identifiers may not be found as it is written. */
export const hasUnusual = (text: string): boolean => UNUSUAL.test(text);

function asSeen(text: string): string {
  if (!hasUnusual(text)) return text;
  const seen = isPlain(text) ? text : text.normalize('NFKC').replace(UNSEEN, '');
  return seen.replace(HYPHENS, '-');
}
