/** Loads the shipped weights: `fact-reader.json`, written by `npm run lab -- learn fact-reader`. */
import { type FactCheckpoint, readFactCheckpoint } from './fact-checkpoint.ts';
import written from './fact-reader.json' with { type: 'json' };

let checkpoint: FactCheckpoint | undefined;

/** Returns the shipped weights, parsed at the first use. */
export function shippedFacts(): FactCheckpoint {
  checkpoint ??= readFactCheckpoint(written);
  return checkpoint;
}
