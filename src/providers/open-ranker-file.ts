/** Opens rankers by name: `ranker`, of the package `@multihop/ranker`, and `ranker:FILE`. */
import { readFile } from 'node:fs/promises';
import { InputError } from '../core/errors.ts';
import { openRanker } from '../models/ranker/open-ranker.ts';
import type { Reranker } from '../models/reranker.ts';
import { fileError } from '../platform/file-error.ts';
import { sha256 } from '../platform/sha256.ts';
import { weightsPath } from '../platform/weights-package.ts';

/** The name of the weights in the package. */
export const RANKER_WEIGHTS = 'ranker.safetensors';

/** Returns the path of the installed weights. Throws `InputError('missing-weights')`. */
export const shippedRankerPath = (): string =>
  weightsPath({
    name: '@multihop/ranker',
    file: RANKER_WEIGHTS,
    of: 'the reranker "ranker"',
    otherwise: 'Or name a file: ranker:FILE',
    remedy: { id: 'install-weights' },
  });

/**
 * Returns the ranker of a file, or of the package without one. Its id holds a hash of the file, for
 * caches. Throws `InputError`: 'missing-weights', those of a missing file and of `openRanker`.
 */
export async function openRankerFile(file: string | undefined): Promise<Reranker> {
  if (file === '')
    throw new InputError('bad-model', 'The reranker "ranker:" has no file', {
      expected: 'ranker:FILE, or ranker with the package @multihop/ranker',
    });
  const path = file ?? shippedRankerPath();
  const bytes = await readFile(path).catch(error => {
    throw fileError(path, error);
  });
  const opened = openRanker(bytes);
  return { ...opened, id: `${opened.id}@${sha256(bytes).slice(0, 12)}` };
}
