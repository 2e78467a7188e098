/** Loads the shipped lite classifiers: `lite.json`, written by `multihop efficient-rag train`. */

import written from './lite.json' with { type: 'json' };
import { type LiteCheckpoint, readLite } from './lite-checkpoint.ts';
import { liteClassifiers } from './lite-classifiers.ts';
import type { TokenClassifiers } from './token-classifiers.ts';

let checkpoint: LiteCheckpoint | undefined;

/** Returns the shipped checkpoint, parsed at the first use. */
export function shippedCheckpoint(): LiteCheckpoint {
  checkpoint ??= readLite(written);
  return checkpoint;
}

export const shippedClassifiers = (): TokenClassifiers =>
  liteClassifiers(shippedCheckpoint().model, 'lite');
