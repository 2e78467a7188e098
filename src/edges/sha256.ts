/** Returns the SHA-256 of the concatenated pieces (texts as UTF-8) in hexadecimal. */
import { createHash, hash } from 'node:crypto';
import type { Pause } from './clock.ts';

export function sha256(...pieces: readonly (string | Uint8Array)[]): string {
  // Hashes a single piece, the usual case, in one step.
  if (pieces.length === 1) return hash('sha256', pieces[0]!, 'hex');
  const chained = createHash('sha256');
  for (const piece of pieces) chained.update(piece);
  return chained.digest('hex');
}

/** Bytes that are hashed in a few milliseconds. */
const PIECE = 1 << 22;

/** Returns `sha256(...pieces)`, with a pause after every few milliseconds. */
export async function sha256WithPauses(
  pieces: readonly Uint8Array[],
  pause: Pause,
): Promise<string> {
  const chained = createHash('sha256');
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += PIECE) {
      chained.update(piece.subarray(at, at + PIECE));
      await pause();
    }
  return chained.digest('hex');
}
