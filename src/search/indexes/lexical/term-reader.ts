/**
 * Reads the terms of a text in place: yields UTF-8 bytes and their hash, without creating strings.
 * `plain`: maximal runs of Unicode letters, marks and numbers. `s1`: maximal runs of these and
 * underscores of at least two characters (scikit-learn's `\b\w\w+\b`). Texts come as `indexForm` or
 * `queryForm` writes them.
 */
import { GRAM_SCRIPTS } from '../../../core/text/scripts.ts';
import type { Analysis } from './item.ts';

const KEEP_BYTES = 1 << 22;
const encoder = new TextEncoder();
const ofTerm = new RegExp(String.raw`[\p{L}\p{M}\p{N}${GRAM_SCRIPTS}]`, 'u');
/** Classes of code points up to U+FFFF: 0 = not yet known, 1 = in a term, 2 = not in a term. */
const classes = new Uint8Array(0x10000);

/** Tests that a code point is a letter, mark or number. A lone surrogate is none. */
export function isOfTerm(codePoint: number): boolean {
  if (codePoint > 0xffff) return ofTerm.test(String.fromCodePoint(codePoint));
  let known = classes[codePoint]!;
  if (known === 0)
    classes[codePoint] = known = ofTerm.test(String.fromCodePoint(codePoint)) ? 1 : 2;
  return known === 1;
}

export const HASH_START: number = 0x811c9dc5 | 0;
/** Applies one step of FNV-1a, 32 bits (Fowler, Noll, Vo). */
export const hashStep = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

/** A term as a range of UTF-8 bytes, and their FNV-1a hash as a signed 32-bit integer. */
export interface TermBytes {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly hash: number;
}

export class TermReader implements TermBytes {
  /** UTF-8 of the text; the current term is `bytes[start..end)`. */
  bytes: Uint8Array = new Uint8Array(1 << 12);
  start = 0;
  end = 0;
  /** FNV-1a of the current term, as a signed 32-bit integer. */
  hash = 0;
  private at = 0;
  private limit = 0;
  private readonly shortest: number;
  /** 1 if an ASCII byte belongs to a term. */
  private readonly ascii = new Uint8Array(128);
  private readonly underscore: boolean;

  constructor(analysis: Analysis) {
    this.underscore = analysis === 's1';
    this.shortest = analysis === 's1' ? 2 : 1;
    for (let code = 0; code < 128; code++) this.ascii[code] = isOfTerm(code) ? 1 : 0;
    if (this.underscore) this.ascii[0x5f] = 1;
  }

  /** Starts reading a text, as `indexForm` or `queryForm` writes it. */
  open(form: string): void {
    if (this.bytes.length < form.length || this.bytes.length > KEEP_BYTES)
      this.bytes = new Uint8Array(Math.max(1 << 12, form.length * 1.25));
    let { read, written } = encoder.encodeInto(form, this.bytes);
    if (read < form.length) {
      this.bytes = new Uint8Array(form.length * 3);
      ({ read, written } = encoder.encodeInto(form, this.bytes));
    }
    this.at = 0;
    this.limit = written;
  }

  /** Moves to the next term; returns false at the end of the text. */
  next(): boolean {
    const { bytes, limit, ascii } = this;
    let at = this.at;
    while (at < limit) {
      let hash = HASH_START;
      const start = at;
      let characters = 0;
      while (at < limit) {
        const byte = bytes[at]!;
        if (byte < 128) {
          if (ascii[byte] === 0) break;
          hash = Math.imul(hash ^ byte, 0x01000193);
          at++;
        } else {
          const length = this.letterLength(at);
          if (length < 0) break;
          for (const stop = at + length; at < stop; at++)
            hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
        }
        characters++;
      }
      if (characters >= this.shortest) {
        this.start = start;
        this.end = this.at = at;
        this.hash = hash;
        return true;
      }
      if (at < limit) at += this.skipLength(at);
    }
    this.at = at;
    return false;
  }

  /** Returns the number of bytes of the character at `at`, negated if it belongs to no term. */
  private letterLength(at: number): number {
    const { bytes } = this;
    const first = bytes[at]!;
    if (first < 0xe0) return isOfTerm(((first & 0x1f) << 6) | (bytes[at + 1]! & 0x3f)) ? 2 : -2;
    if (first < 0xf0)
      return isOfTerm(
        ((first & 0x0f) << 12) | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f),
      )
        ? 3
        : -3;
    const high = ((first & 0x07) << 18) | ((bytes[at + 1]! & 0x3f) << 12);
    return isOfTerm(high | ((bytes[at + 2]! & 0x3f) << 6) | (bytes[at + 3]! & 0x3f)) ? 4 : -4;
  }

  /** Returns the number of bytes of the character at `at`, which ended a run. */
  private skipLength(at: number): number {
    const byte = this.bytes[at]!;
    return byte < 128 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  }
}
