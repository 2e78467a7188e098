/** Text of sources, which is UTF-8 by now; anything else is said to be binary or invalid. */
import { declaredIn, fits, markOf } from './encoding.ts';
import { printBytes, type Source } from './source.ts';

/** Reason of something that was not read. */
export interface Skipped {
  readonly skipped: string;
}

export const BINARY = 'binary: it holds NUL bytes';
const BAD_UTF8 = 'not valid UTF-8';

/**
 * The text of bytes that no source has decoded, by its mark, as UTF-8 or by what it declares, or
 * why there is none.
 */
export function decode(bytes: Uint8Array): string | Skipped {
  const [marked, length] = markOf(bytes);
  const body = bytes.subarray(length);
  const text = valid(body, marked);
  if (text !== undefined) return text.includes('\0') ? { skipped: BINARY } : text;
  if (body.includes(0)) return { skipped: marked === 'utf-8' ? BINARY : 'not valid UTF-16' };
  const label = [marked, declaredIn(body)].find(each => each !== undefined && fits(body, each));
  return label === undefined
    ? { skipped: BAD_UTF8 }
    : new TextDecoder(label, { ignoreBOM: true }).decode(body);
}

function valid(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** One for all lines: it keeps nothing between two. */
const LINES: InstanceType<typeof TextDecoder> = new TextDecoder('utf-8', {
  fatal: true,
  ignoreBOM: true,
});

/** The text of a line of UTF-8, or why there is none. */
export function decodeLine(bytes: Uint8Array): string | Skipped {
  if (bytes.includes(0)) return { skipped: BINARY };
  try {
    return LINES.decode(bytes);
  } catch {
    return { skipped: BAD_UTF8 };
  }
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
  const text = decodeLine(bytes);
  return typeof text === 'string' && /^[\s\ufffd]*$/.test(text)
    ? { skipped: 'no text: nothing but white space' }
    : text;
}
