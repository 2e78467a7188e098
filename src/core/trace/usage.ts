/** Defines the usage and the budget of a run. */

/**
 * Names of limits. `ms` is wall time and occurs in budgets and summaries, never in hashed content.
 */
export type LimitName =
  | 'hops'
  | 'retrievals'
  | 'rerankedPairs'
  | 'documents'
  | 'contextTokens'
  | 'modelCalls'
  | 'modelTokens'
  | 'usd'
  | 'ms';

/**
 * Amounts used; a missing key is zero. `retrievals` counts searches, `rerankedPairs` pairs of a
 * query and a text that a reranker scored, `hops` counts rounds, `contextTokens` counts word runs
 * (the paper's unit).
 */
export type Usage = Readonly<Partial<Record<Exclude<LimitName, 'ms'>, number>>>;

/**
 * Limits that hold together; a missing key is no limit.
 *
 * @example
 * ```ts
 * import { ask, type Budget, ingest } from 'multihop';
 *
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const budget: Budget = { contextTokens: 4, retrievals: 5 };
 * const { spent, stopped } = await ask('Who built the engine?', { engine, budget });
 * console.log(spent.contextTokens, stopped);
 * ```
 */
export type Budget = Readonly<Partial<Record<LimitName, number>>>;

export const LIMIT_NAMES: readonly LimitName[] = [
  'hops',
  'retrievals',
  'rerankedPairs',
  'documents',
  'contextTokens',
  'modelCalls',
  'modelTokens',
  'usd',
  'ms',
];

/**
 * Returns the sum of two amounts. Rounds US dollars to whole billionths, so that sums do not depend
 * on their order.
 */
export function addAmounts(key: LimitName, a: number, b: number): number {
  return key === 'usd' ? Math.round((a + b) * 1e9) / 1e9 : a + b;
}

/** Returns the sum of two usages, key by key. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Record<string, number> = { ...a };
  for (const [key, value] of Object.entries(b))
    sum[key] = addAmounts(key as LimitName, sum[key] ?? 0, value);
  return sum;
}

/** Returns `a - b`, key by key, without keys that are zero. */
export function subtractUsage(a: Usage, b: Usage): Usage {
  const rest: Record<string, number> = {};
  for (const [key, value] of Object.entries(a)) {
    const difference = addAmounts(
      key as LimitName,
      value,
      -((b as Record<string, number>)[key] ?? 0),
    );
    if (difference !== 0) rest[key] = difference;
  }
  return rest;
}
