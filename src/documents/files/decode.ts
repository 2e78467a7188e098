/**
 * Bytes into text: UTF-8, UTF-16 with its byte order mark, or Latin-1 where nothing speaks against
 * it; anything else is said to be binary or invalid.
 */
import { printBytes, type Source } from './source.ts';

/** Reason of something that was not read. */
export interface Skipped {
  readonly skipped: string;
}

export const BINARY = 'binary: it holds NUL bytes';
export const BAD_UTF8 = 'not valid UTF-8';

/** The encoding that the byte order mark names, and the mark's length. */
function markOf(
  bytes: Uint8Array,
): readonly [encoding: 'utf-8' | 'utf-16le' | 'utf-16be', length: number] {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return ['utf-8', 3];
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return ['utf-16le', 2];
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return ['utf-16be', 2];
  return ['utf-8', 0];
}

/** The text of a whole file without its byte order mark, or why there is none. */
export function decode(bytes: Uint8Array): string | Skipped {
  const [encoding, length] = markOf(bytes);
  if (encoding === 'utf-8' && bytes.includes(0)) return { skipped: BINARY };
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(
      bytes.subarray(length),
    );
    return text.includes('\0') ? { skipped: BINARY } : text;
  } catch {
    if (encoding !== 'utf-8') return { skipped: 'not valid UTF-16' };
    if (length > 0) return { skipped: BAD_UTF8 };
    return (
      declaredText(bytes) ??
      (isLatin1(bytes) ? new TextDecoder('windows-1252').decode(bytes) : { skipped: BAD_UTF8 })
    );
  }
}

/** Bytes in which HTML, XML and editors look for the name of an encoding. */
const DECLARED_IN = 1024;
/** `charset=`, `encoding="` or `coding: ` and the label of the Encoding Standard behind it. */
const DECLARATION = /(?:charset|coding)\s*[=:]\s*["']?\s*([\w.:-]+)/i;

/** Returns the text by the encoding that its beginning names; undefined if it names none. */
function declaredText(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, DECLARED_IN));
  const label = DECLARATION.exec(head)?.[1];
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Tells whether bytes that are no UTF-8 are Latin-1 (as Windows-1252, its superset): no control
 * characters, most high bytes letters beside another letter, and fewer characters of UTF-8 than
 * bytes that are none. Damaged UTF-8 is not taken for it.
 */
function isLatin1(bytes: Uint8Array): boolean {
  let [letters, others, sequences] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d)
      return false;
    if (byte < 0x80) continue;
    if (UNDEFINED.has(byte)) return false;
    const next = bytes[at + 1];
    // A lead byte of UTF-8 at the end, or one with its continuation.
    if (byte >= 0xc2 && byte < 0xf5 && (next === undefined || (next & 0xc0) === 0x80)) sequences++;
    else if (byte >= 0xc0 && (isLetter(bytes[at - 1]) || isLetter(next))) letters++;
    else others++;
  }
  return letters + others > sequences && letters >= others;
}

/** Bytes without a character in Windows-1252. */
const UNDEFINED: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && (((byte | 0x20) - 0x61) >>> 0 < 26 || byte >= 0xc0);
}

/** The text of a line of UTF-8, or why there is none. */
export function decodeLine(bytes: Uint8Array): string | Skipped {
  if (bytes.includes(0)) return { skipped: BINARY };
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { skipped: BAD_UTF8 };
  }
}

/** The stream as UTF-8 without byte order mark. What is no valid UTF-16 comes as U+FFFD. */
export async function* asUtf8(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  let pending: Uint8Array | undefined = new Uint8Array(0);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const recode = (bytes: Uint8Array, more: boolean): Uint8Array =>
    decoder ? new TextEncoder().encode(decoder.decode(bytes, { stream: more })) : bytes;
  for await (const chunk of stream) {
    if (pending === undefined) {
      yield recode(chunk, true);
      continue;
    }
    pending = Buffer.concat([pending, chunk]);
    if (pending.length < 3) continue;
    const [encoding, length] = markOf(pending);
    if (encoding !== 'utf-8') decoder = new TextDecoder(encoding, { ignoreBOM: true });
    yield recode(pending.subarray(length), true);
    pending = undefined;
  }
  if (pending !== undefined) yield pending.subarray(markOf(pending)[1]);
  else if (decoder) yield recode(new Uint8Array(0), false);
}

/** At most `most` bytes from the beginning. */
export async function readHead(source: Source, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source.stream()) {
    parts.push(chunk);
    size += chunk.length;
    if (size >= most) break;
  }
  const [all] = parts;
  return (parts.length === 1 ? all! : Buffer.concat(parts)).subarray(0, most);
}

/** The bytes of a source that has `most` at most, or why they are not read. */
export async function readBytes(source: Source, most: number): Promise<Uint8Array | Skipped> {
  const bytes = source.size > most ? undefined : await readHead(source, most + 1);
  if (bytes === undefined || bytes.length > most)
    return { skipped: `larger than ${printBytes(most)}` };
  return bytes.length === 0 ? { skipped: 'empty file' } : bytes;
}

/**
 * The whole text of a source that has `most` bytes at most, or why it is not read. White space
 * alone is no text.
 */
export async function readText(source: Source, most: number): Promise<string | Skipped> {
  const bytes = await readBytes(source, most);
  if ('skipped' in bytes) return bytes;
  const text = decode(bytes);
  return typeof text === 'string' && text.trim() === ''
    ? { skipped: 'no text: nothing but white space' }
    : text;
}
