/**
 * Runs several strategies concurrently and batches their requests: a layer of all their trees
 * becomes one search, with several queries a pass over the vectors, and one update.
 *
 * Searches and updates do not depend on others in the batch, to the bit, so every run has the same
 * trace as alone.
 */

import type { Ranking } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import type { QueryUpdater } from '../models/query-updater.ts';
import {
  type EngineQuery,
  engineWith,
  type SearchEngine,
  type SearchRequest,
} from '../search/engine.ts';

type Pair = readonly [query: Float32Array, passage: Float32Array];

/** Requests that runs may send together; `ask` returns one answer for each item. */
interface Batch<In, Out> {
  readonly ask: (items: readonly In[]) => Promise<readonly Out[]>;
  waiting: Waiting<In, Out>[];
}

interface Waiting<In, Out> {
  readonly items: readonly In[];
  readonly resolve: (answers: Out[]) => void;
  readonly reject: (error: unknown) => void;
}

export class Lockstep {
  /** Number of running runs. */
  #live = 0;
  #waiting = 0;
  /** Batches with waiting requests. */
  readonly #groups = new Set<{ send(): void }>();

  /**
   * Starts all runs and returns their results in order. Requests to this object's `engine` and
   * `updater` wait until every other run waits too or has ended, so runs must not wait for each
   * other in any other way. Throws the first error when all have ended.
   */
  async run<T>(runs: readonly (() => Promise<T>)[]): Promise<T[]> {
    this.#live += runs.length;
    const ended = await Promise.allSettled(
      runs.map(async run => {
        try {
          return await run();
        } finally {
          this.#live--;
          this.#sendWhenAllWait();
        }
      }),
    );
    return ended.map(end => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    });
  }

  /**
   * Returns the engine with batched searches by vector. Each run sends requests that have a cost,
   * such as the embedding of texts, itself.
   */
  engine(engine: SearchEngine): SearchEngine {
    const known = new Map<string, Batch<EngineQuery, Ranking>>();
    const batchFor = ({ queries: _, ...rest }: SearchRequest): Batch<EngineQuery, Ranking> =>
      getOrCreate(known, JSON.stringify([rest.unit, rest.k, rest.scorer, rest.space]), () => ({
        ask: queries => engine.search({ ...rest, queries }, freeCall()),
        waiting: [],
      }));
    return engineWith(engine, {
      search: async (request, call) => {
        call.signal.throwIfAborted();
        if (request.queries.some(({ vector }) => vector === undefined))
          return engine.search(request, call);
        return this.#ask(batchFor(request), request.queries);
      },
    });
  }

  /**
   * Returns the updater with batched updates. A batch belongs to several runs, so its call is not
   * metered.
   */
  updater(updater: QueryUpdater): QueryUpdater {
    const { id, space, dimensions } = updater;
    const batch: Batch<Pair, Float32Array> = {
      ask: pairs =>
        updater.update(
          pairs.map(([query]) => query),
          pairs.map(([, passage]) => passage),
          freeCall(),
        ),
      waiting: [],
    };
    const variants = new Map<string, QueryUpdater | undefined>();
    const ablated = (variant: string): QueryUpdater | undefined => {
      const other = updater.ablated?.(variant);
      return other && this.updater(other);
    };
    return {
      ...{ id, space, dimensions },
      update: async (queries, passages, call) => {
        call.signal.throwIfAborted();
        return this.#ask(
          batch,
          queries.map((query, index): Pair => [query, passages[index]!]),
        );
      },
      ...(updater.publishedQuery
        ? { publishedQuery: (text, call) => updater.publishedQuery!(text, call) }
        : {}),
      ablated: variant => getOrCreate(variants, variant, () => ablated(variant)),
    };
  }

  #ask<In, Out>(batch: Batch<In, Out>, items: readonly In[]): Promise<Out[]> {
    return new Promise((resolve, reject) => {
      batch.waiting.push({ items, resolve, reject });
      if (batch.waiting.length === 1) this.#groups.add({ send: () => void send(batch) });
      this.#waiting++;
      this.#sendWhenAllWait();
    });
  }

  #sendWhenAllWait(): void {
    if (this.#waiting < this.#live) return;
    const groups = [...this.#groups];
    this.#groups.clear();
    this.#waiting = 0;
    for (const group of groups) group.send();
  }
}

/**
 * Sends all waiting requests together; if that fails, each by itself, so that one failing request
 * does not fail the others.
 */
async function send<In, Out>(batch: Batch<In, Out>): Promise<void> {
  const { waiting } = batch;
  batch.waiting = [];
  try {
    const answers = await answersTo(
      batch,
      waiting.flatMap(({ items }) => items),
    );
    let from = 0;
    for (const { items, resolve } of waiting) resolve(answers.slice(from, (from += items.length)));
  } catch (error) {
    if (waiting.length === 1) waiting[0]!.reject(error);
    else
      for (const each of waiting)
        await batch.ask(each.items).then(answers => each.resolve([...answers]), each.reject);
  }
}

async function answersTo<In, Out>(
  { ask }: Batch<In, Out>,
  items: readonly In[],
): Promise<readonly Out[]> {
  const answers = await ask(items);
  if (answers.length !== items.length)
    throw new RangeError(`Expected ${items.length} answers, received ${answers.length}`);
  return answers;
}

function getOrCreate<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  if (!known.has(key)) known.set(key, make());
  return known.get(key)!;
}
