/**
 * Splits text into sentences by rules over UTF-16 offsets: deterministic, in linear time,
 * independent of the platform (no Intl).
 *
 * A sentence ends at a paragraph break, before a bullet line, after a full-width stop, and after
 * `.`, `!`, `?` or an ellipsis with its closing quotes and brackets, unless the text around the
 * stop indicates an abbreviation, initials, a list number or a continuation in lower case.
 */
import { BEFORE_NUMBER, NEVER_FINAL, SOMETIMES_FINAL, STARTERS } from './abbreviations.ts';

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
    } else if (isWideStop(unit)) {
      at = wideStopEnd(text, at);
      spans.push([start, at]);
      start = at = spaceEnd(text, at);
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

/** Returns true for 。！？｡, which end a sentence without a space after them. */
function isWideStop(unit: number): boolean {
  return unit === 0x3002 || unit === 0xff01 || unit === 0xff1f || unit === 0xff61;
}

const WIDE_CLOSERS = '」』】）》〉”’"\')]}';

/** Returns the end of a run of full-width stops with its closing quotes and brackets. */
function wideStopEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && (isWideStop(text.charCodeAt(at)) || WIDE_CLOSERS.includes(text[at]!)))
    at++;
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
  const ahead = text.slice(next, next + AHEAD);
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
const STOP = /([.!?…]+)(?:["'”’»›)\]}*_]|\[\d{1,3}\])*$/;

const CLOSING: ReadonlySet<number> = new Set(
  Array.from('.!?…"\'”’»›)]}*_', character => character.charCodeAt(0)),
);

/** Tests the last character before white space cheaply: most are letters, which end no sentence. */
function mayCloseSentence(unit: number): boolean {
  return !(unit >= 0x61 && unit <= 0x7a) && CLOSING.has(unit);
}

const OPENERS = /^["'“‘«‹„([{¿¡*_]*/;
const SMALL = /^\p{Ll}/u;
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

const LAST_TOKEN = /\p{L}[\p{L}.]*$/u;
/**
 * Matches the text before an abbreviation: nothing, white space, an opening mark, or an initial
 * with a hyphen as in "J.-P."
 */
const TOKEN_MAY_FOLLOW = /(?:^|[\s"“‘«([{—–/*]|(?:^|\s)'|\p{Lu}\.-)$/u;
const LIST_MARK = /^["'“‘([]*(?:\d{1,3}|\p{L}|[ivxIVX]{1,4})$/u;
const INITIALS = /^\p{L}(?:\.\p{L})*$/u;
const FIRST_WORD = /^[\p{L}’']+/u;

/**
 * Returns true if the full stop after `behind` belongs to an abbreviation, initials or a list
 * number. `whole`: `behind` is the sentence so far.
 */
function isAbbreviation(behind: string, whole: boolean, ahead: string): boolean {
  if (whole && LIST_MARK.test(behind)) return true;
  const token = LAST_TOKEN.exec(behind)?.[0];
  if (token === undefined) return false;
  if (!TOKEN_MAY_FOLLOW.test(behind.slice(0, -token.length))) return false;
  const word = token.toLowerCase();
  const rest = ahead.replace(OPENERS, '');
  if (BEFORE_NUMBER.has(word) && /^\d/.test(rest)) return true;
  if (NEVER_FINAL.has(word)) return true;
  if (!SOMETIMES_FINAL.has(word) && !INITIALS.test(token)) return false;
  return !opensSentence(rest, token);
}

/** Returns true if the first word of `rest` starts a new sentence after an abbreviation. */
function opensSentence(rest: string, token: string): boolean {
  const first = FIRST_WORD.exec(rest)?.[0];
  if (first === undefined) return false;
  // "J. A. Smith": an initial is not an article, and "A" or "I" with a full stop is an initial.
  if (first.length === 1 && (rest[1] === '.' || (token.length === 1 && first === 'A')))
    return false;
  return STARTERS.has(first.toLowerCase());
}
