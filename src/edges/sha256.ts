/**
 * SHA-256 of texts (as UTF-8) and bytes, read one after another as if they were one, in
 * hexadecimal.
 */
import { createHash, hash } from 'node:crypto';

export function sha256(...pieces: readonly (string | Uint8Array)[]): string {
  // One piece, which is nearly every call, is hashed in one step.
  if (pieces.length === 1) return hash('sha256', pieces[0]!, 'hex');
  const chained = createHash('sha256');
  for (const piece of pieces) chained.update(piece);
  return chained.digest('hex');
}
