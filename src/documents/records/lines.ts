/** Lines of a byte stream in bounded memory. */

export interface Line {
  /** Number of its first line in the file, from 1. */
  readonly line: number;
  /** Without the line break; undefined when it has more than the cap. */
  readonly bytes: Uint8Array | undefined;
  readonly size: number;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Blank lines do not come, unless `whole` lines are asked for, with their line ends. Never holds
 * more than `cap` bytes and one chunk.
 */
export async function* splitLines(
  stream: AsyncIterable<Uint8Array>,
  cap: number,
  { whole = false }: { readonly whole?: boolean } = {},
): AsyncGenerator<Line, void, void> {
  const gather = new Gathering(cap, whole);
  let line = 1;
  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      gather.add(chunk.subarray(from, whole ? at + 1 : at));
      const made = gather.take(line++);
      if (made) yield made;
      from = at + 1;
    }
    gather.add(chunk.subarray(from));
  }
  const last = gather.take(line);
  if (last) yield last;
}

/** The parts of one line, let go once they exceed the cap. */
class Gathering {
  private parts: Uint8Array[] = [];
  private size = 0;
  private readonly cap: number;
  private readonly keepsEnds: boolean;

  constructor(cap: number, keepsEnds: boolean) {
    this.cap = cap;
    this.keepsEnds = keepsEnds;
  }

  add(part: Uint8Array): void {
    this.size += part.length;
    if (this.size > this.cap + 1) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  /** Returns the gathered line, unless it is blank or, with its end, empty. */
  take(line: number): Line | undefined {
    let bytes: Uint8Array = Buffer.concat(this.parts);
    const whole = this.size === bytes.length;
    if (whole && !this.keepsEnds && bytes.at(-1) === CR) bytes = bytes.subarray(0, -1);
    const size = whole ? bytes.length : this.size;
    this.parts = [];
    this.size = 0;
    if (size > this.cap) return { line, bytes: undefined, size };
    const isLeftOut = this.keepsEnds ? size === 0 : isBlank(bytes);
    return isLeftOut ? undefined : { line, bytes, size };
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every(byte => byte === 0x20 || byte === 0x09 || byte === CR || byte === LF);
}
