/**
 * Defines the laws of query updaters: one finite vector per pair, equal in any batch, and unchanged
 * arguments.
 */

import { mulberry32 } from '../core/mulberry32.ts';
import { freeCall } from '../core/trace/call.ts';
import type { QueryUpdater } from '../models/query-updater.ts';
import { holds, type Law, law, same, throws } from './law.ts';

export interface QueryUpdaterLawsOptions {
  /**
   * Largest relative distance between vectors of one pair in different batches; 1e-5 by default.
   */
  readonly tolerance?: number;
  /** Names of the updater's variants. */
  readonly variants?: readonly string[];
}

const PAIRS = 70;
const call = freeCall();

interface Pairs {
  readonly queries: readonly Float32Array[];
  readonly passages: readonly Float32Array[];
}

export function queryUpdaterLaws(
  updater: QueryUpdater,
  { tolerance = 1e-5, variants = [] }: QueryUpdaterLawsOptions = {},
): Law[] {
  const { id, space, dimensions } = updater;
  // Query vectors of later hops may be longer or shorter than 1.
  const pairs: Pairs = { queries: vectorsOf(3, dimensions), passages: vectorsOf(1, dimensions) };
  return [
    law('query updater: has an id, a space and a whole number of dimensions', () => {
      holds(id.length > 0, 'id', 'a name', id);
      holds(space.length > 0, 'space', 'a name', space);
      holds(
        Number.isInteger(dimensions) && dimensions > 0,
        'dimensions',
        'a whole number above 0',
        dimensions,
      );
    }),
    law('query updater: returns one vector per pair, of its dimensions, finite', () =>
      checkVectors(updater, pairs),
    ),
    law('query updater: returns no vectors for no pairs', async () =>
      same((await updater.update([], [], call)).length, 0, 'vectors'),
    ),
    law('query updater: batched, single and repeated pairs have equal vectors, in order', () =>
      checkBatches(updater, pairs, tolerance),
    ),
    law('query updater: changes neither its arguments nor earlier results', () =>
      checkUnchanged(updater, pairs),
    ),
    law(
      'query updater: a variant has the same id, space and dimensions; an unknown variant is undefined',
      async () => {
        same(updater.ablated?.('no such variant'), undefined, 'no such variant');
        for (const name of variants) {
          const variant = updater.ablated?.(name);
          holds(variant !== undefined, name, 'a query updater', variant);
          same([variant.id, variant.space, variant.dimensions], [id, space, dimensions], name);
          await checkVectors(variant, pairs);
        }
      },
    ),
    law('query updater: rejects an aborted call', () =>
      throws(
        () => updater.update(pairs.queries, pairs.passages, freeCall(AbortSignal.abort())),
        () => true,
        'update',
        'an error',
      ),
    ),
  ];
}

function vectorsOf(length: number, dimensions: number): Float32Array[] {
  const random = mulberry32(length * dimensions);
  return Array.from({ length: PAIRS }, () => {
    const vector = Float32Array.from({ length: dimensions }, () => 2 * random() - 1);
    const by = length / Math.hypot(...vector);
    return vector.map(value => value * by);
  });
}

async function checkVectors(updater: QueryUpdater, { queries, passages }: Pairs): Promise<void> {
  for (const count of [PAIRS, 1]) {
    const next = await updater.update(queries.slice(0, count), passages.slice(0, count), call);
    same(next.length, count, 'vectors');
    for (const vector of next) {
      const sound =
        vector instanceof Float32Array &&
        vector.length === updater.dimensions &&
        vector.every(Number.isFinite);
      holds(sound, 'a vector', `${updater.dimensions} finite numbers`, [...vector].slice(0, 10));
    }
  }
}

async function checkBatches(
  updater: QueryUpdater,
  { queries, passages }: Pairs,
  tolerance: number,
): Promise<void> {
  const together = await updater.update(queries, passages, call);
  for (const [index, vector] of together.entries()) {
    const [alone] = await updater.update([queries[index]!], [passages[index]!], call);
    const apart =
      Math.hypot(...alone!.map((value, i) => value - vector[i]!)) / (Math.hypot(...vector) || 1);
    holds(apart <= tolerance, `pair ${index}`, `at most ${tolerance} apart`, apart);
  }
}

async function checkUnchanged(updater: QueryUpdater, { queries, passages }: Pairs): Promise<void> {
  const numbers = (vectors: readonly Float32Array[]): number[][] =>
    vectors.map(vector => [...vector]);
  const before = numbers([...queries, ...passages]);
  const first = await updater.update(queries, passages, call);
  const copies = numbers(first);
  await updater.update(passages, queries, call);
  same(numbers([...queries, ...passages]), before, 'queries and passages');
  same(numbers(first), copies, 'the vectors of an earlier call');
}
