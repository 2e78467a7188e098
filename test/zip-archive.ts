/** Makes ZIP archives for tests, also such as state what they do not hold. */
import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive; each field but the content replaces what the archive states. */
export interface Packed {
  readonly content: string | Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  readonly size?: number;
  readonly crc?: number;
}

/** Returns a ZIP archive; texts are deflated. */
export function zipOf(
  files: Readonly<Record<string, string | Packed>>,
  comment: string = '',
): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, given] of Object.entries(files)) {
    const file: Packed = typeof given === 'string' ? { content: given } : given;
    const content = Buffer.from(file.content as string);
    const method = file.method ?? 8;
    const data = method === 8 ? deflateRawSync(content) : content;
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(file.flags ?? 0, 2);
    head.writeUInt16LE(method, 4);
    head.writeUInt32LE(file.crc ?? crc32(content), 10);
    head.writeUInt32LE(data.length, 14);
    head.writeUInt32LE(file.size ?? content.length, 18);
    head.writeUInt16LE(Buffer.byteLength(name), 22);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), head, entry, Buffer.from(name));
    const local = [Buffer.from('PK\x03\x04', 'latin1'), head, Buffer.from(name), data];
    parts.push(...local);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, central, end, Buffer.from(comment)]);
}
