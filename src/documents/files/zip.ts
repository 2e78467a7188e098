/**
 * Reads single files of a ZIP archive in memory (PKWARE APPNOTE 6.3: stored and deflated, neither
 * encrypted nor ZIP64). Nothing is written, so that names are keys and never paths; all files
 * together inflate to a limit, and each to a multiple of its bytes, whatever their headers state.
 */
import { crc32, inflateRawSync } from 'node:zlib';
import { printBytes } from './source.ts';

/** Thrown for an archive or a file of it that cannot be read; the message says why. */
export class BadZip extends Error {}

interface Entry {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Position of its local header. */
  readonly at: number;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const ENCRYPTED = 1;

/**
 * Most bytes that one byte inflates to, and the size up to which nobody counts. Office files and
 * books stay below 50; DEFLATE reaches 1,032 (https://zlib.net/zlib_tech.html). Apache POI refuses
 * the same ratio (`ZipSecureFile`).
 */
export const MOST_INFLATION = 100;
export const FREE_BYTES: number = 1024 * 1024;

export class Zip {
  private readonly bytes: DataView;
  private readonly entries: ReadonlyMap<string, Entry>;
  private readonly most: number;
  private left: number;

  /** `most`: bytes that all reads may inflate to. Throws `BadZip`. */
  constructor(bytes: Uint8Array, most: number) {
    this.bytes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.entries = entriesOf(this.bytes);
    [this.most, this.left] = [most, most];
  }

  get names(): readonly string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /**
   * Returns the bytes of a file that has at most `most`. Throws `BadZip` if it is missing, damaged
   * or too large.
   */
  read(name: string, most: number = this.most): Uint8Array {
    const entry = this.entries.get(name);
    if (entry === undefined) throw new BadZip(`${name} is missing`);
    if ((entry.flags & ENCRYPTED) !== 0) throw new BadZip(`${name} is encrypted`);
    if (entry.size > most) throw new BadZip(`${name} holds more than ${printBytes(most)}`);
    if (entry.size > this.left)
      throw new BadZip(`its files hold more than ${printBytes(this.most)}`);
    if (entry.size > FREE_BYTES && entry.size > MOST_INFLATION * entry.packed)
      throw new BadZip(`${name} inflates to more than ${MOST_INFLATION} times its bytes`);
    const packed = this.packed(name, entry);
    const content = entry.method === 0 ? packed : inflated(name, packed, entry);
    if (content.length !== entry.size || crc32(content) !== entry.crc)
      throw new BadZip(`${name} is damaged`);
    this.left -= content.length;
    return content;
  }

  private packed(name: string, { at, packed }: Entry): Uint8Array {
    const { buffer, byteOffset, byteLength } = this.bytes;
    if (at + LOCAL_BYTES > byteLength || this.bytes.getUint32(at, true) !== LOCAL)
      throw new BadZip(`${name} is damaged`);
    const names = this.bytes.getUint16(at + 26, true) + this.bytes.getUint16(at + 28, true);
    const start = at + LOCAL_BYTES + names;
    if (start + packed > byteLength) throw new BadZip(`${name} is cut`);
    return new Uint8Array(buffer, byteOffset + start, packed);
  }
}

/** Stops at the stated size: a small file can inflate to a thousand times its bytes. */
function inflated(name: string, packed: Uint8Array, { method, size }: Entry): Uint8Array {
  if (method !== 8) throw new BadZip(`${name} is compressed by a method that is not read`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    throw new BadZip(`${name} is damaged`, { cause: error });
  }
}

function entriesOf(bytes: DataView): Map<string, Entry> {
  const end = endOf(bytes);
  const count = bytes.getUint16(end + 10, true);
  let at = bytes.getUint32(end + 16, true);
  if (count === 0xffff || at === 0xffffffff) throw new BadZip('a ZIP64 archive');
  const entries = new Map<string, Entry>();
  const decoder = new TextDecoder();
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL_BYTES > end || bytes.getUint32(at, true) !== CENTRAL)
      throw new BadZip('its directory is damaged');
    const length = bytes.getUint16(at + 28, true);
    const more = bytes.getUint16(at + 30, true) + bytes.getUint16(at + 32, true);
    const next = at + CENTRAL_BYTES + length + more;
    if (next > end) throw new BadZip('its directory is damaged');
    const name = new Uint8Array(bytes.buffer, bytes.byteOffset + at + CENTRAL_BYTES, length);
    entries.set(decoder.decode(name), {
      flags: bytes.getUint16(at + 8, true),
      method: bytes.getUint16(at + 10, true),
      crc: bytes.getUint32(at + 16, true),
      packed: bytes.getUint32(at + 20, true),
      size: bytes.getUint32(at + 24, true),
      at: bytes.getUint32(at + 42, true),
    });
    at = next;
  }
  return entries;
}

/** Returns where the record at the end begins, behind which a comment may stand. */
function endOf(bytes: DataView): number {
  const last = bytes.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - 0xffff); at--)
    if (bytes.getUint32(at, true) === END) return at;
  throw new BadZip('it is no ZIP archive, or is cut');
}
