/**
 * Many runs at once, so that what they wait for at the same time is asked at once: a layer of all
 * their trees is one search, several queries a pass over the vectors, and one update.
 *
 * Neither a search nor an update depends on what is asked beside it, to the bit, so every run comes
 * to the same trace as alone.
 */
import type { QueryUpdater } from '../models/query-updater.ts';
import type { Ranking } from '../ranking/ranking.ts';
import {
  type EngineQuery,
  engineWith,
  type SearchEngine,
  type SearchRequest,
} from '../retrieval/engine.ts';
import { freeCall } from '../trace/call.ts';

type Pair = readonly [query: Float32Array, passage: Float32Array];

/** What some runs may ask for together: `ask` has one answer an item. */
interface Together<In, Out> {
  readonly ask: (items: readonly In[]) => Promise<readonly Out[]>;
  waiting: Waiting<In, Out>[];
}

interface Waiting<In, Out> {
  readonly items: readonly In[];
  readonly resolve: (answers: Out[]) => void;
  readonly reject: (error: unknown) => void;
}

export class Lockstep {
  /** Runs that are under way. */
  #live = 0;
  #waiting = 0;
  /** With something waiting. */
  readonly #groups = new Set<{ send(): void }>();

  /**
   * Starts all runs and returns what they return, in order. What they ask `engine` and `updater` of
   * this object waits until each of the others waits too, or has ended: no run may wait for another
   * one by any other way. When all have ended, the first error is thrown.
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
   * The same engine; searches by vectors alone wait. What costs something, as the embedding of
   * texts does, is asked by each run for itself.
   */
  engine(engine: SearchEngine): SearchEngine {
    const known = new Map<string, Together<EngineQuery, Ranking>>();
    const togetherIn = ({ queries: _, ...rest }: SearchRequest): Together<EngineQuery, Ranking> =>
      found(known, JSON.stringify([rest.unit, rest.k, rest.scorer, rest.space]), () => ({
        ask: queries => engine.search({ ...rest, queries }, freeCall()),
        waiting: [],
      }));
    return engineWith(engine, {
      search: async (request, call) => {
        call.signal.throwIfAborted();
        if (request.queries.some(({ vector }) => vector === undefined))
          return engine.search(request, call);
        return this.#ask(togetherIn(request), request.queries);
      },
    });
  }

  /**
   * The same updater; updates wait. It is asked with a call that counts nothing, since it belongs
   * to several runs.
   */
  updater(updater: QueryUpdater): QueryUpdater {
    const { id, space, dimensions } = updater;
    const together: Together<Pair, Float32Array> = {
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
          together,
          queries.map((query, index): Pair => [query, passages[index]!]),
        );
      },
      ...(updater.publishedQuery
        ? { publishedQuery: (text, call) => updater.publishedQuery!(text, call) }
        : {}),
      ablated: variant => found(variants, variant, () => ablated(variant)),
    };
  }

  #ask<In, Out>(together: Together<In, Out>, items: readonly In[]): Promise<Out[]> {
    return new Promise((resolve, reject) => {
      together.waiting.push({ items, resolve, reject });
      if (together.waiting.length === 1) this.#groups.add({ send: () => void send(together) });
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
 * Asks for everything that waits at once, or, where that fails, for each by itself: one that cannot
 * be answered must not harm the others.
 */
async function send<In, Out>(together: Together<In, Out>): Promise<void> {
  const { waiting } = together;
  together.waiting = [];
  try {
    const answers = await answersTo(
      together,
      waiting.flatMap(({ items }) => items),
    );
    let from = 0;
    for (const { items, resolve } of waiting) resolve(answers.slice(from, (from += items.length)));
  } catch (error) {
    if (waiting.length === 1) waiting[0]!.reject(error);
    else
      for (const each of waiting)
        await together.ask(each.items).then(answers => each.resolve([...answers]), each.reject);
  }
}

async function answersTo<In, Out>(
  { ask }: Together<In, Out>,
  items: readonly In[],
): Promise<readonly Out[]> {
  const answers = await ask(items);
  if (answers.length !== items.length)
    throw new RangeError(`${answers.length} answers to ${items.length} questions`);
  return answers;
}

function found<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  if (!known.has(key)) known.set(key, make());
  return known.get(key)!;
}
