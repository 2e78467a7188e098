/** Decides the encoding of a text: by its mark, its bytes and what its beginning declares. */
import { isAscii } from 'node:buffer';
import { guessEncoding } from './guess-encoding.ts';

export interface Encoding {
  /** Label of the Encoding Standard, as `TextDecoder` takes it. */
  readonly label: string;
  /** True if neither the bytes nor the file say it. */
  readonly isGuess: boolean;
}

/** Bytes in which the Encoding Standard, HTML, XML and editors look for the name of an encoding. */
export const HEAD_BYTES = 1024;

/** The encoding that the byte order mark names, and the mark's length. */
export function markOf(
  bytes: Uint8Array,
): readonly [encoding: 'utf-8' | 'utf-16le' | 'utf-16be', length: number] {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return ['utf-8', 3];
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return ['utf-16le', 2];
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return ['utf-16be', 2];
  return ['utf-8', 0];
}

/**
 * Returns the order of bytes of UTF-16 without a mark; undefined for anything else. Such a text
 * holds NUL bytes where it holds ASCII, and every unit of it is a character that texts have.
 */
export function wideEncoding(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (!head.includes(0)) return undefined;
  // A pair of units may be cut at the end.
  const even = head.subarray(0, head.length & ~1);
  const isPlain = isAscii(even) && !even.some(byte => byte > 0 && isControl(byte));
  const texts = (['utf-16le', 'utf-16be'] as const).flatMap(label => {
    const text = new TextDecoder(label).decode(even).replace(/\ufffd$/, '');
    const ascii = text.match(ASCII)?.length ?? 0;
    // Letters of ASCII beside a stray NUL byte are signs of other scripts in pairs.
    const isPaired = isPlain && 2 * ascii < text.length;
    const isText = ascii > zeroUnits(text) && !NO_TEXT.test(text);
    return isText && !isPaired ? [{ label, ascii }] : [];
  });
  return texts.sort((a, b) => b.ascii - a.ascii)[0]?.label;
}

/** Counts units whose low byte is 0, without the sign for one and the space of Chinese. */
const zeroUnits = (text: string): number =>
  [...text].filter(unit => unit.charCodeAt(0) % 256 === 0 && !/[一\u3000]/.test(unit)).length;

const isControl = (byte: number): boolean => byte < 0x20 && !CONTROLS.has(byte);

const ASCII = /\p{ASCII}/gu;
/** Controls that texts hold, those of terminals and the last byte of DOS among them. */
const CONTROLS: ReadonlySet<number> = new Set(Buffer.from('\b\t\n\v\f\r\x1a\x1b'));
/** Characters that no text holds: also unassigned ones, those of private use, halves. */
const NO_TEXT = /(?![\t\n\v\f\r])[\p{Cc}\p{Cn}\p{Co}\p{Cs}\ufffd]/u;
/** Japanese of seven bits begins with this sequence. */
const ISO_2022_JP = '\x1b$';

/** Tells whether bytes that are valid UTF-8 are Japanese of seven bits instead. */
export function isIso2022(bytes: Uint8Array): boolean {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(ISO_2022_JP);
  return at >= 0 && (bytes[at + 2] === 0x42 || bytes[at + 2] === 0x40);
}

/**
 * Returns the encoding of bytes that are not valid UTF-8: UTF-8 that is damaged in few places, the
 * one that `head` declares, or the likeliest; undefined if they are no text. `hasUtf8`: a longer
 * text before them is valid UTF-8 beyond ASCII.
 */
export async function encodingOf(
  bytes: Uint8Array,
  head: Uint8Array,
  hasUtf8: boolean,
): Promise<Encoding | undefined> {
  if (hasUtf8 || fits(bytes, 'utf-8')) return { label: 'utf-8', isGuess: false };
  if (bytes.some(isControl)) return undefined;
  const declared = declaredIn(head);
  if (declared !== undefined && fits(bytes, declared)) return { label: declared, isGuess: false };
  const guess = await guessEncoding(bytes);
  return guess === undefined ? undefined : { label: guess, isGuess: true };
}

/** Tells whether some characters beyond ASCII are valid, and at least half of all. */
export function fits(bytes: Uint8Array, label: string): boolean {
  const text = new TextDecoder(label).decode(bytes);
  const bad = text.match(/\ufffd/g)?.length ?? 0;
  const others = text.match(/[\P{ASCII}--\ufffd]/gv)?.length ?? 0;
  return others > 0 && others >= bad;
}

/** `charset=`, `encoding="`, `coding: ` or LaTeX, and the name of the encoding. */
const DECLARATION = /(?:charset|coding)\s*[=:]?\s*["']?\s*([\w.:-]+)|\[([\w-]+)\]\{inputenc\}/i;
/** Names of editors and of LaTeX that the Encoding Standard lacks. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'latin-1': 'latin1',
  'iso-latin-1': 'latin1',
  'latin-2': 'latin2',
  'iso-latin-2': 'latin2',
  'iso-latin-9': 'iso-8859-15',
  latin9: 'iso-8859-15',
  ansinew: 'windows-1252',
  applemac: 'macintosh',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
};

/** Returns the encoding that a text declares; undefined if it names none that can be decoded. */
export function declaredIn(head: Uint8Array): string | undefined {
  const found = DECLARATION.exec(Buffer.from(head).toString('latin1', 0, HEAD_BYTES));
  const name = (found?.[1] ?? found?.[2])?.toLowerCase().replace(/-(?:unix|dos|mac)$/, '');
  if (name === undefined) return undefined;
  try {
    return new TextDecoder(OTHER_NAMES[name] ?? name).encoding;
  } catch {
    return undefined;
  }
}
