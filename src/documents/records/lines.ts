/**
 * Lines of a byte stream in bounded memory; with `quoted`, a line break inside double quotes does
 * not end a line (CSV).
 */

export interface Line {
  /** Number of its first line in the file, from 1. */
  readonly line: number;
  /** Without the line break; undefined when it has more than the cap. */
  readonly bytes: Uint8Array | undefined;
  readonly size: number;
}

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

/** Blank lines do not come. Never holds more than `cap` bytes and one chunk. */
export async function* splitLines(
  stream: AsyncIterable<Uint8Array>,
  cap: number,
  quoted = false,
): AsyncGenerator<Line, void, void> {
  const gather = new Gathering(cap);
  let line = 1;
  let first = 1;
  let inQuotes = false;
  for await (const chunk of stream) {
    let from = 0;
    for (let at = nextMark(chunk, 0, quoted); at !== -1; at = nextMark(chunk, at + 1, quoted)) {
      if (chunk[at] === QUOTE) {
        inQuotes = !inQuotes;
        continue;
      }
      line++;
      if (inQuotes) continue;
      gather.add(chunk.subarray(from, at));
      const made = gather.take(first);
      if (made) yield made;
      from = at + 1;
      first = line;
    }
    gather.add(chunk.subarray(from));
  }
  const last = gather.take(first);
  if (last) yield last;
}

function nextMark(chunk: Uint8Array, from: number, quoted: boolean): number {
  if (!quoted) return chunk.indexOf(LF, from);
  for (let at = from; at < chunk.length; at++)
    if (chunk[at] === LF || chunk[at] === QUOTE) return at;
  return -1;
}

/** The parts of one line, let go once they exceed the cap. */
class Gathering {
  private parts: Uint8Array[] = [];
  private size = 0;
  private readonly cap: number;

  constructor(cap: number) {
    this.cap = cap;
  }

  add(part: Uint8Array): void {
    this.size += part.length;
    if (this.size > this.cap + 1) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  /** Returns the gathered line, unless it is blank. */
  take(line: number): Line | undefined {
    let bytes: Uint8Array = Buffer.concat(this.parts);
    const whole = this.size === bytes.length;
    if (whole && bytes.at(-1) === CR) bytes = bytes.subarray(0, -1);
    const size = whole ? bytes.length : this.size;
    this.parts = [];
    this.size = 0;
    if (size > this.cap) return { line, bytes: undefined, size };
    return isBlank(bytes) ? undefined : { line, bytes, size };
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every(byte => byte === 0x20 || byte === 0x09 || byte === CR || byte === LF);
}
