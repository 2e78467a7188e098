/** What a run has used, and what it may use. */

/**
 * The things that a budget limits. `ms` is wall time and stands in budgets and summaries, never in
 * hashed content.
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
 * What was used; a missing key is zero. `retrievals` counts searches, `rerankedPairs` pairs of a
 * query and a text that a reranker scored, `hops` counts rounds, `contextTokens` counts word runs
 * (the paper's unit).
 */
export type Usage = Readonly<Partial<Record<Exclude<LimitName, 'ms'>, number>>>;

/** What may be used, all at once; a missing key is no limit. */
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
 * The sum of two amounts of one thing. Money is counted in whole billionths of a dollar, or sums of
 * many calls would depend on their order.
 */
export function addAmounts(key: LimitName, a: number, b: number): number {
  return key === 'usd' ? Math.round((a + b) * 1e9) / 1e9 : a + b;
}

/** The sum of two usages. Keys that are zero in both stay away. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Record<string, number> = { ...a };
  for (const [key, value] of Object.entries(b))
    sum[key] = addAmounts(key as LimitName, sum[key] ?? 0, value);
  return sum;
}

/** `a - b`, key by key, without the keys that come to zero. */
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
