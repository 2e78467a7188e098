/**
 * Finds the ends of sentences that need no white space after them: the stops of East Asia, of India
 * (danda), of Arabic and Urdu, of Khmer, Burmese, Tibetan, Ethiopic and Armenian, and `.`, `!` and
 * `?` between two letters of East Asia.
 */

/** 。！？｡︒︕︖؟ ۔ । ॥ ။ ។ ៕ ๚ ๛ ། ༎ ። ፧ ፨ ։ ᠃ ᠉ ꘎ and the full-width full stop ． */
const WIDE_STOPS =
  '\u3002\uff01\uff1f\uff61\ufe12\ufe15\ufe16\u061f\u06d4\u0964\u0965\u104b\u17d4\u17d5\u0e5a\u0e5b\u0f0d\u0f0e\u1362\u1367\u1368\u0589\u1803\u1809\ua60e\uff0e';
const WIDE: ReadonlySet<number> = new Set(
  Array.from(WIDE_STOPS, character => character.charCodeAt(0)),
);

/** Closing quotes and brackets. The straight quotes among them also open. */
const CLOSERS = '」』】）》〉”’»›"\')]}';
/** Matches stops and the marks that stay with them: closing ones, numbers of notes and verses. */
const END = new RegExp(
  String.raw`(?:\u17d4\u179b)?[${WIDE_STOPS}!?]+(?:\s?\p{Nd}{1,4}\s?[\u0964\u0965]+)?(?:[${CLOSERS.replace(/[\])]/g, String.raw`\$&`)}${WIDE_STOPS}!?]|\[\d{1,3}\])*`,
  'yu',
);
/** Matches marks that continue a sentence after a stop and its quotes. */
const CONTINUES = /^[、，,;；:：؛،]/;
/** Matches the particles that make a Japanese quote a part of the sentence that it opens. */
const QUOTED = /^(?:と|って)/;
/** Matches what follows a Japanese quote inside a sentence. */
const HIRAGANA = /^[\u3041-\u309f]/;

const EAST_ASIAN_LETTER = /^[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]$/;
const isEastAsian = (text: string, at: number): boolean => EAST_ASIAN_LETTER.test(text[at] ?? '');

/** Tells most units apart cheaply. */
export const mayBeWideStop = (unit: number): boolean =>
  unit >= 0x589 || unit === 0x2e || unit === 0x21 || unit === 0x3f;

/** Returns true if a unit beyond ASCII, or an ASCII stop, ends a sentence without white space. */
export function isWideStop(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit > 0x7f) return WIDE.has(unit) && !isDecimalMark(text, at, unit);
  return (
    (unit === 0x2e || unit === 0x21 || unit === 0x3f) &&
    isEastAsian(text, at + 1) &&
    isEastAsian(text, at - 1)
  );
}

/** Returns true for ． and ۔ between digits. */
const isDecimalMark = (text: string, at: number, unit: number): boolean =>
  (unit === 0xff0e || unit === 0x06d4) &&
  /^\p{Nd}/u.test(text.slice(at + 1, at + 3)) &&
  /\p{Nd}$/u.test(text.slice(Math.max(0, at - 2), at));

/**
 * Returns the end of the stop at `at` with its closing marks, and whether the sentence from `start`
 * ends there.
 */
export function wideStop(text: string, start: number, at: number): [end: number, ends: boolean] {
  END.lastIndex = at;
  const stop = END.exec(text)?.[0] ?? text[at]!;
  const end = at + withoutOpeningQuote(text, start, at, stop).length;
  const ahead = text.slice(end, end + 2);
  const last = text[end - 1]!;
  const continues =
    CONTINUES.test(ahead) ||
    ('」』”"'.includes(last) &&
      ('「『“"'.includes(text[start]!) ? QUOTED : HIRAGANA).test(ahead)) ||
    // "（真的！）" inside a sentence does not end it.
    (')）'.includes(last) && !'(（'.includes(text[start]!) && !STOPS_AFTER_BRACKET.test(stop));
  return [end, !continues];
}

const STOPS_AFTER_BRACKET = new RegExp(`[${WIDE_STOPS}].*[)）].*[${WIDE_STOPS}]`, 'u');

/** A straight quote after the stop opens the next sentence if none is open in this one. */
function withoutOpeningQuote(text: string, start: number, at: number, stop: string): string {
  const quote = /["']/.exec(stop);
  if (quote === null) return stop;
  const opened = text.slice(start, at).split(quote[0]).length - 1;
  return opened % 2 === 1 ? stop : stop.slice(0, quote.index);
}
