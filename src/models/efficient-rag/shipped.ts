/** The lite classifiers that ship: `lite.json` is what `multihop efficient-rag train` wrote. */

import written from './lite.json' with { type: 'json' };
import { type LiteCheckpoint, readLite } from './lite-checkpoint.ts';
import { liteClassifiers } from './lite-classifiers.ts';
import type { TokenClassifiers } from './token-classifiers.ts';

let checkpoint: LiteCheckpoint | undefined;

/** Read when first used. */
export function shippedCheckpoint(): LiteCheckpoint {
  checkpoint ??= readLite(written);
  return checkpoint;
}

export const shippedClassifiers = (): TokenClassifiers =>
  liteClassifiers(shippedCheckpoint().model, 'lite');
