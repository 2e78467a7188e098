/** The published token classifiers: the package `@multihop/efficient-rag-lite`. */
import { weightsPath } from '../platform/weights-package.ts';

/** The name of the weights in the package and in an unpacked folder of it. */
export const LITE_WEIGHTS = 'lite.json';

/** Returns the path of the installed weights. Throws `InputError('missing-weights')`. */
export const shippedLitePath = (): string =>
  weightsPath({
    name: '@multihop/efficient-rag-lite',
    file: LITE_WEIGHTS,
    of: 'efficient-rag',
    otherwise:
      "Or give a checkpoint: resources: { 'token-classifiers': readTokenClassifiers(json) }",
    remedy: { id: 'install-token-classifiers' },
  });
