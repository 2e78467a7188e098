/**
 * Lines of a byte stream exactly as they stand, one at a time: split at LF alone, where
 * node:readline also splits at CR, U+2028 and U+2029.
 */
import { constants } from 'node:buffer';

export interface ByteLine {
  /** Without its line end; undefined when it has more bytes than the cap. */
  readonly bytes: Buffer | undefined;
  /** Offset of the line in the stream, and of the next line. */
  readonly start: number;
  readonly end: number;
  /** Bytes after the last line end, usually none. */
  readonly last: boolean;
}

const LF = 0x0a;
/**
 * UTF-8 has never fewer bytes than a string has characters, so a line within the cap is a string.
 */
const LONGEST_STRING: number = constants.MAX_STRING_LENGTH;

/**
 * As `split('\n')` of the whole: one line more than there are line ends. Holds one line and one
 * chunk at most.
 */
export async function* byteLines(
  chunks: AsyncIterable<Uint8Array>,
  cap: number = LONGEST_STRING,
): AsyncGenerator<ByteLine, void, void> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let start = 0;
  const add = (part: Uint8Array): void => {
    size += part.length;
    if (size > cap) parts = [];
    else parts.push(part);
  };
  const take = (last: boolean): ByteLine => {
    const bytes = size > cap ? undefined : Buffer.concat(parts);
    const end = start + size + (last ? 0 : 1);
    const line = { bytes, start, end, last };
    parts = [];
    size = 0;
    start = end;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      add(chunk.subarray(from, at));
      yield take(false);
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  yield take(true);
}
