/** The weights that ship: `fact-reader.json` is what `multihop learn fact-reader` wrote. */
import { type FactCheckpoint, readFactCheckpoint } from './fact-checkpoint.ts';
import written from './fact-reader.json' with { type: 'json' };

let checkpoint: FactCheckpoint | undefined;

/** Read when first used. */
export function shippedFacts(): FactCheckpoint {
  checkpoint ??= readFactCheckpoint(written);
  return checkpoint;
}
