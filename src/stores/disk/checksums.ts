/** Checksums of immutable files: SHA-256 names and identifies them, CRC-32 shows damage quickly. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Pause } from '../../platform/clock.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { Manifest, StoredFile } from './manifest.ts';

export type Checksums = Pick<StoredFile, 'sha256' | 'crc32'>;

/** Bytes that are summed in a few milliseconds. */
const PIECE = 1 << 22;

/** Returns the checksums of the concatenated pieces. */
export async function checksums(pieces: readonly Uint8Array[], pause: Pause): Promise<Checksums> {
  const hash = createHash('sha256');
  let crc = 0;
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += PIECE) {
      const part = piece.subarray(at, at + PIECE);
      hash.update(part);
      crc = crc32(part, crc);
      await pause();
    }
  return { sha256: hash.digest('hex'), crc32: crc };
}

/** Returns true if the bytes are those that were written; files of earlier releases have no CRC. */
export const isUndamaged = (
  bytes: Uint8Array,
  { sha256: digest, crc32: crc }: Checksums,
): boolean => (crc === undefined ? sha256(bytes) === digest : crc32(bytes) === crc);

/** Returns the manifest without CRCs, so that all files are checked by their SHA-256. */
export function withoutCrcs(manifest: Manifest): Manifest {
  return JSON.parse(
    JSON.stringify(manifest, (key, value) => (key === 'crc32' ? undefined : value)),
  );
}
