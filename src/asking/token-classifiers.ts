/**
 * The token classifiers of a run: those of the name that the strategy gives, else the small ones
 * that ship; held to their word.
 */
import { InputError, PortError } from '../errors.ts';
import { CHUNK_TAGS, type TokenClassifiers } from '../models/efficient-rag/token-classifiers.ts';
import { didYouMean } from '../naming/nearest.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { guarded } from './metered-kit.ts';

/** What a strategy gets where it says nothing. */
export const SHIPPED_CLASSIFIERS = 'lite';

/**
 * Undefined for a strategy that needs none. Those given come first, so that `lite` may be one of
 * your own. Throws `InputError('missing-model')`.
 */
export async function classifiersOf(
  { name, tokenClassifiers: wanted }: Pick<Strategy, 'name' | 'tokenClassifiers'>,
  given: readonly TokenClassifiers[] = [],
): Promise<TokenClassifiers | undefined> {
  if (wanted === undefined) return undefined;
  const found = given.find(({ id }) => id === wanted);
  if (found) return found;
  if (wanted === SHIPPED_CLASSIFIERS)
    return (await import('../models/efficient-rag/shipped.ts')).shippedClassifiers();
  const ids = [...new Set([SHIPPED_CLASSIFIERS, ...given.map(({ id }) => id)])];
  throw new InputError(
    'missing-model',
    `The strategy "${name}" needs the token classifiers "${wanted}"`,
    {
      expected: `one of ${ids.join(', ')} as model=ID`,
      hint:
        didYouMean(wanted, ids) ||
        `Give --token-classifiers ${wanted}=FILE (multihop efficient-rag train makes one), or tokenClassifiers to ask().`,
    },
  );
}

/**
 * Guarded like every port: a label of a known tag for each chunk, texts where there should be
 * texts. What the texts say is never an error.
 */
export function meteredClassifiers(
  { id, labeler, filter }: TokenClassifiers,
  signal: AbortSignal,
): TokenClassifiers {
  const fail = (code: string, expected: string, received: string): PortError =>
    new PortError(
      'token-classifiers',
      code,
      `The token classifiers "${id}" gave what cannot be used`,
      { expected, received },
    );
  return {
    id,
    labeler: {
      async label(query, chunks, call) {
        const labels = await guarded(signal, 'labeler', () => labeler.label(query, chunks, call));
        if (labels.length !== chunks.length)
          throw fail('wrong-count', `${chunks.length} labels`, String(labels.length));
        for (const { tag, info } of labels) {
          if (!CHUNK_TAGS.includes(tag))
            throw fail('unknown-tag', `one of ${CHUNK_TAGS.join(', ')}`, String(tag));
          if (typeof info !== 'string') throw fail('no-text', 'a text as info', typeof info);
        }
        return labels;
      },
    },
    filter: {
      async compose(query, infos, call) {
        const next = await guarded(signal, 'query-filter', () =>
          filter.compose(query, infos, call),
        );
        if (typeof next !== 'string')
          throw fail('no-text', 'a text as the next query', typeof next);
        return next;
      },
    },
  };
}
