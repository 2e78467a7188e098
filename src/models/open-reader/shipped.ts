/** Loads the shipped weights: `open-reader.json`, written by `npm run lab -- learn open-reader`. */
import { type OpenCheckpoint, readOpenCheckpoint } from './open-checkpoint.ts';
import written from './open-reader.json' with { type: 'json' };

let checkpoint: OpenCheckpoint | undefined;

/** Returns the shipped weights, parsed at the first use. */
export function shippedOpen(): OpenCheckpoint {
  checkpoint ??= readOpenCheckpoint(written);
  return checkpoint;
}
