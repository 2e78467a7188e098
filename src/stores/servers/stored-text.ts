/**
 * Writes texts as a server stores and orders them: any text of JavaScript survives, and the order
 * of their bytes in UTF-8 is that of UTF-16 code units, by which hits and values are sorted.
 */
import { sha256 } from '../../platform/sha256.ts';

/** First code unit whose order differs between UTF-8 and UTF-16. */
const FIRST_MOVED = 0xd800;
/** Adding it makes a code unit a character above all others that keeps the order. */
const MOVE = 0x10000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: servers refuse NUL in texts
const IS_MOVED = /[\0\x01\ud800-\uffff]/;

/**
 * Returns a text without NUL and lone surrogates that sorts in UTF-8 as the given one does in
 * UTF-16; most texts are returned as they are. `originalText` restores them.
 */
export function storedText(text: string): string {
  if (!IS_MOVED.test(text)) return text;
  let stored = '';
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit <= 1) stored += `\x01${String.fromCharCode(unit + 1)}`;
    else if (unit < FIRST_MOVED) stored += text[at];
    else stored += String.fromCodePoint(MOVE + unit);
  }
  return stored;
}

export function originalText(stored: string): string {
  if (!IS_MOVED.test(stored)) return stored;
  let text = '';
  let isMarked = false;
  for (const character of stored) {
    const point = character.codePointAt(0)!;
    if (isMarked) text += String.fromCharCode(point - 1);
    else if (point >= MOVE) text += String.fromCharCode(point - MOVE);
    else if (point !== 1) text += character;
    isMarked = !isMarked && point === 1;
  }
  return text;
}

/** Bytes of UTF-8 from which a term is stored by its digest: servers limit the keys of indexes. */
const LONG_TERM = 256;

/** Returns the key of a term; a digest of a long one. Terms hold letters and digits alone. */
export const termKey = (term: string): string =>
  term.length <= LONG_TERM / 4 || Buffer.byteLength(term) <= LONG_TERM ? term : `#${sha256(term)}`;
