/** The laws of query updaters: one finite vector a pair, the same however the pairs are batched, and nothing that is passed in is changed. */
import { mulberry32 } from '../indexes/mulberry32.ts';
import type { QueryUpdater } from '../models/query-updater.ts';
import { freeCall } from '../trace/call.ts';
import { holds, type Law, law, same, throws } from './law.ts';

export interface QueryUpdaterLawsOptions {
  /** How far a vector may move with the pairs beside it, as a share of its length; 1e-5 when missing. */
  readonly tolerance?: number;
  /** Names of variants that it has. */
  readonly variants?: readonly string[];
}

const PAIRS = 70;
const call = freeCall();

export function queryUpdaterLaws(updater: QueryUpdater, { tolerance = 1e-5, variants = [] }: QueryUpdaterLawsOptions = {}): Law[] {
  const { dimensions } = updater;
  const random = mulberry32(dimensions);
  const vectors = (length: number): Float32Array[] =>
    Array.from({ length: PAIRS }, () => {
      const vector = Float32Array.from({ length: dimensions }, () => 2 * random() - 1);
      const by = length / Math.hypot(...vector);
      return vector.map(value => value * by);
    });
  // States of later hops are longer or shorter than 1.
  const [queries, passages] = [vectors(3), vectors(1)];
  const updated = (of: QueryUpdater = updater): Promise<Float32Array[]> => of.update(queries, passages, call);
  return [
    law('query updater: it has an id, a space and a whole number of dimensions', () => {
      holds(updater.id.length > 0, 'id', 'a name', updater.id);
      holds(updater.space.length > 0, 'space', 'a name', updater.space);
      holds(Number.isInteger(dimensions) && dimensions > 0, 'dimensions', 'a whole number above 0', dimensions);
    }),
    law('query updater: one vector a pair, of its dimensions, finite', async () => {
      for (const count of [PAIRS, 1]) {
        const next = await updater.update(queries.slice(0, count), passages.slice(0, count), call);
        same(next.length, count, 'vectors');
        for (const vector of next)
          holds(
            vector instanceof Float32Array && vector.length === dimensions && vector.every(Number.isFinite),
            'a vector',
            `${dimensions} finite numbers`,
            [...vector].slice(0, 10),
          );
      }
    }),
    law('query updater: no pairs, no vectors', async () => same((await updater.update([], [], call)).length, 0, 'vectors')),
    law('query updater: several pairs at once are one by one, in their order, and again the same', async () => {
      const together = await updated();
      for (const [index, vector] of together.entries()) {
        const [alone] = await updater.update([queries[index]!], [passages[index]!], call);
        const apart = Math.hypot(...alone!.map((value, i) => value - vector[i]!)) / (Math.hypot(...vector) || 1);
        holds(apart <= tolerance, `pair ${index}`, `at most ${tolerance} apart`, apart);
      }
    }),
    law('query updater: what is passed in stays as it was, and what came out does too', async () => {
      const before = [...queries, ...passages].map(vector => [...vector]);
      const first = await updated();
      const copies = first.map(vector => [...vector]);
      await updater.update(passages, queries, call);
      same(
        [...queries, ...passages].map(vector => [...vector]),
        before,
        'queries and passages',
      );
      same(
        first.map(vector => [...vector]),
        copies,
        'the vectors of an earlier call',
      );
    }),
    law('query updater: a variant is of the same id, space and dimensions, and what is none is undefined', async () => {
      same(updater.ablated?.('no such variant'), undefined, 'no such variant');
      for (const name of variants) {
        const variant = updater.ablated?.(name);
        holds(variant !== undefined, name, 'a query updater', variant);
        same([variant.id, variant.space, variant.dimensions], [updater.id, updater.space, dimensions], name);
        same((await updated(variant)).length, PAIRS, `${name}, vectors`);
      }
    }),
    law('query updater: an aborted call is refused', () =>
      throws(
        () => updater.update(queries, passages, freeCall(AbortSignal.abort())),
        () => true,
        'update',
        'a refusal',
      ),
    ),
  ];
}
