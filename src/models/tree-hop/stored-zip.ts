/**
 * The files in a ZIP archive whose entries are stored as they are, as `torch.save` writes it;
 * anything else is refused by name.
 */
import { InputError } from '../../core/errors.ts';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const MOST_COMMENT = 65535;
/** Stands where the true number is in a ZIP64 record. */
const IN_ZIP64 = 0xffffffff;

/** Views by name. Throws `InputError('bad-zip')`. */
export function readStoredZip(bytes: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const [count, size, start] = [
    view.getUint16(end + 10, true),
    view.getUint32(end + 12, true),
    view.getUint32(end + 16, true),
  ];
  if (start === IN_ZIP64 || count === 0xffff)
    throw bad('ZIP64 archives cannot be read', 'an archive below 4 GB');
  if (view.getUint16(end + 4, true) !== 0 || start + size > end)
    throw bad('The directory of the archive does not lie before its end');
  const files = new Map<string, Uint8Array>();
  let at = start;
  let total = 0;
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || view.getUint32(at, true) !== ENTRY)
      throw bad(`Entry ${index} of the directory is not there`);
    const lengths = [28, 30, 32].map(offset => view.getUint16(at + offset, true));
    const next = at + 46 + lengths[0]! + lengths[1]! + lengths[2]!;
    if (next > end) throw bad(`Entry ${index} of the directory is cut short`);
    const name = decode(bytes.subarray(at + 46, at + 46 + lengths[0]!));
    if (files.has(name)) throw bad(`The archive holds "${name}" twice`);
    // Entries that lie over each other could make a small file take for ever.
    if ((total += view.getUint32(at + 24, true)) > bytes.length)
      throw bad('The entries of the archive lie over each other');
    files.set(name, readEntry(bytes, view, at, name, start));
    at = next;
  }
  return files;
}

/** The end record stands last, before a comment whose length it tells. */
function findEnd(view: DataView): number {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MOST_COMMENT); at--)
    if (
      view.getUint32(at, true) === END &&
      at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength
    )
      return at;
  throw bad(
    'The file is no ZIP archive, or cut short',
    'an end record, as PyTorch writes it since 1.6',
  );
}

function readEntry(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  name: string,
  directory: number,
): Uint8Array {
  const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
  if ((flags & 1) !== 0) throw bad(`The entry "${name}" is encrypted`);
  if (method !== 0)
    throw bad(
      `The entry "${name}" is compressed`,
      'entries that are stored, as torch.save writes them',
      `compression method ${method}`,
    );
  const [checksum, packed, size, local] = [16, 20, 24, 42].map(offset =>
    view.getUint32(at + offset, true),
  ) as [number, number, number, number];
  if (packed === IN_ZIP64 || local === IN_ZIP64)
    throw bad('ZIP64 archives cannot be read', 'an archive below 4 GB');
  if (packed !== size) throw bad(`The entry "${name}" has two sizes`, String(size), String(packed));
  if (local + 30 > directory || view.getUint32(local, true) !== LOCAL)
    throw bad(`The header of the entry "${name}" is not there`);
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  if (start + size > directory) throw bad(`The entry "${name}" is cut short`);
  const data = bytes.subarray(start, start + size);
  if (crc32(data) !== checksum)
    throw bad(`The entry "${name}" is damaged`, `checksum ${checksum}`, String(crc32(data)));
  return data;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new InputError('bad-zip', 'The name of an entry is not UTF-8', { cause });
  }
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** The CRC-32 of ZIP (IEEE 802.3, reflected). */
export function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) sum = TABLE[(sum ^ bytes[i]!) & 255]! ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

function bad(message: string, expected?: string, received?: string): InputError {
  return new InputError('bad-zip', message, { expected, received });
}
