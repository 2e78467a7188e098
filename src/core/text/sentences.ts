/**
 * Splits text into sentences by rules over UTF-16 offsets: deterministic, in linear time,
 * independent of the platform (no Intl).
 *
 * A sentence ends at a paragraph break, before a bullet line, after a stop that needs no white
 * space (`wide-stops.ts`), and after `.`, `!`, `?`, an ellipsis or a Greek question mark with
 * its closing quotes and brackets, unless the text around the stop indicates an abbreviation,
 * initials, an ordinal, a list number or a continuation in lower case.
 */
import {
  closesList,
  isBeforeNumber,
  isNeverFinal,
  isSometimesFinal,
  isStarter,
} from './abbreviations.ts';
import { isOrdinal } from './ordinals.ts';
import { isWideStop, mayBeWideStop, wideStop } from './wide-stops.ts';

/** Number of UTF-16 units that the rules read before and after a stop; bounds the work for each. */
const BEHIND = 32;
const AHEAD = 24;

/**
 * Returns the spans of the sentences of `text`: ascending, disjoint, trimmed, and covering every
 * character that is not white space.
 */
export function sentenceSpans(text: string): [start: number, end: number][] {
  const spans: [number, number][] = [];
  let at = spaceEnd(text, 0);
  let start = at;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (isSpace(unit)) {
      const next = spaceEnd(text, at);
      if (next >= text.length || endsBetween(text, start, at, next)) {
        spans.push([start, at]);
        start = next;
      }
      at = next;
    } else if (mayBeWideStop(unit) && isWideStop(text, at)) {
      const [end, ends] = wideStop(text, start, at);
      at = end;
      if (!ends) continue;
      spans.push([start, end]);
      start = at = spaceEnd(text, end);
    } else at++;
  }
  if (start < text.length) spans.push([start, text.length]);
  return spans;
}

/** Returns true for the white space of the regular expression `\s`. */
function isSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0xa0) return false;
  return (
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0xfeff
  );
}

function spaceEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Returns true if the sentence from `start` ends before the white space `[end, next)`. */
function endsBetween(text: string, start: number, end: number, next: number): boolean {
  const breaks = lineBreaks(text, end, next);
  if (breaks > 1) return true;
  if (breaks === 1 && BULLET.test(text.slice(next, next + 8))) return true;
  if (!mayCloseSentence(text.charCodeAt(end - 1))) return false;
  const from = Math.max(start, end - BEHIND);
  const stop = STOP.exec(text.slice(from, end));
  if (!stop) return false;
  let ahead = text.slice(next, next + AHEAD);
  if (NORDIC_OPENER.test(ahead) && NORDIC.test(text.slice(from, next + AHEAD)))
    ahead = ahead.slice(1);
  if (!mayOpenSentence(ahead)) return false;
  return (
    stop[1] !== '.' || !isAbbreviation(text.slice(from, from + stop.index), from === start, ahead)
  );
}

/** Counts line breaks in white space: `\r\n` counts once, a paragraph separator twice. */
function lineBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x0a || unit === 0x2028 || unit === 0x0b) count++;
    else if (unit === 0x0d && text.charCodeAt(at + 1) !== 0x0a) count++;
    else if (unit === 0x0c || unit === 0x2029) count += 2;
  }
  return count;
}

const BULLET = /^(?:[-*+•‣◦▪·–—]\s|\d{1,3}[.)]\s)/;
/** Matches stops and closing marks: quotes, brackets, emphasis marks, reference numbers as [12]. */
const STOP =
  /([.!?…]+|(?<=[\u0370-\u03ff][)»]?);|\u037e)(?:["'”’»›“‘«‹)\]}*_]|[ \u00a0\u202f][»›]|\[\d{1,3}\])*$/;

const CLOSING: ReadonlySet<number> = new Set(
  Array.from('.!?…;\u037e"\'”’»›“‘«‹)]}*_', character => character.charCodeAt(0)),
);

/** Tests the last character before white space cheaply: most are letters, which end no sentence. */
function mayCloseSentence(unit: number): boolean {
  return !(unit >= 0x61 && unit <= 0x7a) && CLOSING.has(unit);
}

/** Matches opening marks; » and › open before a word. */
const OPENERS = /^(?:[«‹][ \u00a0\u202f]|["'“‘«‹„‚([{¿¡*_]|[»›](?=[\p{L}\p{N}¿¡]))*/u;
/** Matches ” before a word, which opens in the languages of these letters. */
const NORDIC_OPENER = /^”(?=\p{L})/u;
const NORDIC = /[åäöÅÄÖ]/;
/** Matches a small letter; Georgian has no capitals at the start of a sentence. */
const SMALL = /^(?![\u10d0-\u10ff])\p{Ll}/u;
/** Matches names that begin in lower case: iPhone, eBay, macOS. */
const CAMEL = /^\p{Ll}{1,3}\p{Lu}/u;
/** Matches stops, closing marks and separators, which continue the sentence before them. */
const CARRIES_ON = /^[.!?…,;:”’»›)\]}%]/;

/** Returns true if a sentence may begin with the text `ahead`. */
function mayOpenSentence(ahead: string): boolean {
  const rest = ahead.replace(OPENERS, '');
  if (CARRIES_ON.test(rest)) return false;
  return !SMALL.test(rest) || CAMEL.test(rest);
}

const LAST_TOKEN = /\p{L}[\p{L}\p{M}.]*$/u;
/**
 * Matches the text before an abbreviation: nothing, white space, an opening mark, or an initial
 * with a hyphen as in "J.-P.", and before several letters a French elision as in "l'art."
 */
const TOKEN_MAY_FOLLOW = /(?:^|[\s"“‘«([{—–/*]|(?:^|\s)'|\p{Lu}\.-)$/u;
const ELISION = /(?:^|\s)(?:\p{L}|qu)[’']$/iu;
const LIST_MARK = /^["'“‘([]*(?:\d{1,3}|\p{L}|[ivxIVX]{1,4})$/u;
const INITIALS = /^\p{L}\p{M}*(?:\.\p{L}\p{M}*)*$/u;
const FIRST_WORD = /^[\p{L}\p{M}’']+/u;

/**
 * Returns true if the full stop after `behind` belongs to an abbreviation, initials or a list
 * number. `whole`: `behind` is the sentence so far.
 */
function isAbbreviation(behind: string, whole: boolean, ahead: string): boolean {
  if (whole && LIST_MARK.test(behind)) return true;
  const rest = ahead.replace(OPENERS, '');
  if (isOrdinal(behind, ahead)) return true;
  if (closesList(behind) && FIRST_WORD.test(rest)) return false;
  const token = LAST_TOKEN.exec(behind)?.[0];
  if (token === undefined) return false;
  const before = behind.slice(0, -token.length);
  if (!TOKEN_MAY_FOLLOW.test(before) && !(token.length > 1 && ELISION.test(before))) return false;
  if (/^\p{Nd}/u.test(rest) && isBeforeNumber(token)) return true;
  if (isNeverFinal(token)) return true;
  if (!isSometimesFinal(token) && !INITIALS.test(token)) return false;
  return !opensSentence(rest, token);
}

/** Returns true if the first word of `rest` starts a new sentence after an abbreviation. */
function opensSentence(rest: string, token: string): boolean {
  const first = FIRST_WORD.exec(rest)?.[0];
  if (first === undefined) return false;
  // "J. A. Smith": an initial is not an article, and "A" or "I" with a full stop is an initial.
  if (first.length === 1 && (rest[1] === '.' || (token.length === 1 && first === 'A')))
    return false;
  return isStarter(first, token);
}
