/**
 * The query updater of a run: found by the name that the strategy gives, and held to the space that
 * the retriever searches.
 */
import { InputError, PortError } from '../errors.ts';
import type { QueryUpdater } from '../models/query-updater.ts';
import { didYouMean } from '../naming/nearest.ts';
import type { Retriever } from '../retrieval/retriever.ts';
import { retrievers } from '../retrieval/retrievers.ts';
import { canonicalSpace } from '../retrieval/space-names.ts';
import type { Strategy } from '../strategies/strategy.ts';
import type { Call } from '../trace/call.ts';
import { guarded } from './metered-kit.ts';

/**
 * The one that the strategy names; undefined for a strategy that needs none. Throws
 * `InputError('missing-model')`.
 */
export function updaterOf(
  { name, updater }: Pick<Strategy, 'name' | 'updater'>,
  given: readonly QueryUpdater[] = [],
): QueryUpdater | undefined {
  if (updater === undefined) return undefined;
  const found = given.find(({ id }) => id === updater);
  if (found) return found;
  const ids = given.map(({ id }) => id);
  throw new InputError(
    'missing-model',
    `The strategy "${name}" needs the query updater "${updater}"`,
    {
      expected: ids.length > 0 ? `one of ${ids.join(', ')} as model=ID` : 'a trained model',
      hint:
        didYouMean(updater, ids) ||
        `Give --query-updater ${updater}=FILE with a checkpoint (multihop treehop train makes one, multihop treehop import reads others), or queryUpdaters to ask().`,
    },
  );
}

/** The retriever to use where none is named: the strategy's model says in which space. */
export const retrieverFor = ({ space }: QueryUpdater): string =>
  retrievers.canonical({ name: 'dense', args: [{ value: space }] });

/**
 * Throws `InputError('wrong-space')` unless the retriever searches the space that the updater was
 * trained for.
 */
export function checkSpace(updater: QueryUpdater, retriever: Retriever): void {
  const space = canonicalSpace(updater.space);
  if (retriever.space !== undefined && canonicalSpace(retriever.space) === space) return;
  throw new InputError(
    'wrong-space',
    `The query updater "${updater.id}" was trained for the vector space "${space}"`,
    {
      expected: `a retriever that searches "${space}" alone, as ${retrieverFor(updater)}`,
      received:
        retriever.space === undefined
          ? `${retriever.name}, which searches no single space`
          : `${retriever.name}, which searches "${retriever.space}"`,
      hint: 'A model moves queries only among vectors of the embedder that it was trained for: train or name another for this one.',
    },
  );
}

/**
 * Guarded like every port, and held to its word: as many vectors as queries, of its dimensions,
 * finite.
 */
export function meteredUpdater(updater: QueryUpdater, signal: AbortSignal): QueryUpdater {
  const { id, space, dimensions } = updater;
  const port = <T>(work: () => Promise<T>): Promise<T> => guarded(signal, 'query-updater', work);
  return {
    ...{ id, space, dimensions },
    async update(queries, passages, call) {
      const next = await port(() => updater.update(queries, passages, call));
      checkVectors(updater, next, queries.length);
      return next;
    },
    ...(updater.publishedQuery
      ? {
          async publishedQuery(text: string, call: Call) {
            const query = await port(() => updater.publishedQuery!(text, call));
            checkVectors(updater, [query], 1);
            return query;
          },
        }
      : {}),
    ablated(variant) {
      const ablated = updater.ablated?.(variant);
      return ablated && meteredUpdater(ablated, signal);
    },
  };
}

function checkVectors(
  { id, dimensions }: QueryUpdater,
  vectors: readonly Float32Array[],
  count: number,
): void {
  const fail = (code: string, expected: string, received: string): PortError =>
    new PortError(
      'query-updater',
      code,
      `The query updater "${id}" gave vectors that cannot be used`,
      { expected, received },
    );
  if (vectors.length !== count)
    throw fail('wrong-count', `${count} vectors`, String(vectors.length));
  for (const vector of vectors) {
    if (vector.length !== dimensions)
      throw fail('wrong-dimensions', `${dimensions} dimensions`, `${vector.length} dimensions`);
    const bad = vector.find(value => !Number.isFinite(value));
    if (bad !== undefined) throw fail('not-finite', 'finite numbers', String(bad));
  }
}
