/** Sources of text: whatever encoding a file has, its bytes come as UTF-8. */
import { isAscii, isUtf8 } from 'node:buffer';
import {
  type Encoding,
  encodingOf,
  HEAD_BYTES,
  isIso2022,
  markOf,
  wideEncoding,
} from './encoding.ts';
import type { Source } from './source.ts';
import { Unreadable } from './unreadable.ts';

/** Bytes that decide an encoding: those of a file that is read in one piece, all of it. */
const WINDOW = 1 << 20;
/** Bytes in which a text that has line feeds holds one. */
const LINE_ENDS_IN = 1 << 16;

export interface TextSource extends Source {
  /** Remarks of reading it so far: a guess of the encoding, bytes that are no characters. */
  readonly notes: ReadonlySet<string>;
}

/**
 * Returns a source whose bytes are UTF-8 without a byte order mark. Bytes that are no text in any
 * encoding come as they are: whoever decodes them says so.
 */
export function textSource(source: Source): TextSource {
  const notes = new Set<string>();
  let decided: Encoding | undefined;
  return {
    ...source,
    notes,
    stream: () => withLineFeeds(utf8()),
  };
  async function* utf8(): AsyncGenerator<Uint8Array, void, void> {
    const input = new Ahead(source.stream());
    try {
      const head = await input.peek(HEAD_BYTES);
      const [marked, length] = markOf(head);
      const wide = marked === 'utf-8' ? wideEncoding(head) : marked;
      input.drop(length);
      if (wide !== undefined) decided = { label: wide, isGuess: marked === 'utf-8' };
      else {
        const valid = new ValidUtf8();
        yield* valid.read(input);
        if (valid.isWhole) return;
        decided ??= valid.isSevenBits
          ? { label: 'iso-2022-jp', isGuess: false }
          : await encodingOf(await input.peek(WINDOW), head, valid.hasUtf8);
      }
      if (decided === undefined) yield* input;
      else yield* recoded(input, decided, notes);
    } finally {
      await input.close();
    }
  }
}

const LF = 0x0a;
const CR = 0x0d;

/** Replaces the line ends of old Macintosh systems, by which a file would be one line. */
async function* withLineFeeds(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  const input = new Ahead(stream);
  try {
    const head = await input.peek(LINE_ENDS_IN);
    const isOld = head.includes(CR) && !head.includes(LF);
    for await (const chunk of input)
      yield isOld ? chunk.map(byte => (byte === CR ? LF : byte)) : chunk;
  } finally {
    await input.close();
  }
}

/** Passes on what is valid UTF-8 and leaves the rest to its input. */
class ValidUtf8 {
  isWhole = false;
  /** Japanese of seven bits follows. */
  isSevenBits = false;
  /** Characters beyond ASCII were passed on. */
  hasUtf8 = false;

  async *read(input: Ahead): AsyncGenerator<Uint8Array, void, void> {
    let begun: Uint8Array = new Uint8Array(0);
    for await (const chunk of input) {
      const bytes = begun.length > 0 ? Buffer.concat([begun, chunk]) : chunk;
      const end = bytes.length - begunCharacter(bytes);
      const whole = bytes.subarray(0, end);
      this.isSevenBits = isIso2022(whole);
      if (this.isSevenBits || !isUtf8(whole)) {
        input.unread(bytes);
        return;
      }
      this.hasUtf8 ||= !isAscii(whole);
      yield whole;
      begun = bytes.subarray(end);
    }
    if (begun.length > 0) input.unread(begun);
    else this.isWhole = true;
  }
}

/** Returns the number of bytes at the end that begin a character and do not end it. */
function begunCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes.at(-back)!;
    if (byte >= 0xc2 && byte < 0xf5)
      return (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) > back ? back : 0;
    if (byte < 0x80 || byte > 0xbf) return 0;
  }
  return 0;
}

async function* recoded(
  input: Ahead,
  { label, isGuess }: Encoding,
  notes: Set<string>,
): AsyncGenerator<Uint8Array, void, void> {
  const decoder = decoderOf(label);
  if (isGuess) notes.add(`read as ${label} (a guess)`);
  const encoder = new TextEncoder();
  const utf8 = (text: string): Uint8Array => {
    if (text.includes('\ufffd'))
      notes.add(`holds bytes that are not valid ${label}, read as \ufffd`);
    return encoder.encode(text);
  };
  for await (const chunk of input) yield utf8(decoder.decode(chunk, { stream: true }));
  yield utf8(decoder.decode());
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label, { ignoreBOM: true });
  } catch {
    throw new Unreadable(`its text seems to be ${label}, which this runtime does not decode`);
  }
}

/** Bytes of a stream that may be looked at before they are read. */
class Ahead {
  private readonly iterator: AsyncIterator<Uint8Array>;
  private parts: Uint8Array[] = [];

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.iterator = stream[Symbol.asyncIterator]();
  }

  /** Returns the first bytes that are not read yet; fewer at the end. */
  async peek(most: number): Promise<Uint8Array> {
    let size = this.parts.reduce((sum, part) => sum + part.length, 0);
    while (size < most) {
      const step = await this.iterator.next();
      if (step.done) break;
      this.parts.push(step.value);
      size += step.value.length;
    }
    if (this.parts.length > 1) this.parts = [Buffer.concat(this.parts)];
    return (this.parts[0] ?? new Uint8Array(0)).subarray(0, most);
  }

  /** Leaves out bytes that were looked at. */
  drop(length: number): void {
    if (length > 0) this.parts[0] = this.parts[0]!.subarray(length);
  }

  unread(bytes: Uint8Array): void {
    this.parts.unshift(bytes);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      const part = this.parts.shift();
      if (part) yield part;
      else {
        const step = await this.iterator.next();
        if (step.done) return;
        yield step.value;
      }
    }
  }

  async close(): Promise<void> {
    await this.iterator.return?.();
  }
}
