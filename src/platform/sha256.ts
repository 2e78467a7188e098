/** Returns the SHA-256 of the concatenated pieces (texts as UTF-8) in hexadecimal. */
import { createHash, hash } from 'node:crypto';

export function sha256(...pieces: readonly (string | Uint8Array)[]): string {
  // Hashes a single piece, the usual case, in one step.
  if (pieces.length === 1) return hash('sha256', pieces[0]!, 'hex');
  const chained = createHash('sha256');
  for (const piece of pieces) chained.update(piece);
  return chained.digest('hex');
}
