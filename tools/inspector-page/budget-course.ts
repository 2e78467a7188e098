/** Follows what a run spent: after each hop, and after the reading. */

import { defined } from '../../src/core/defined.ts';
import { addUsage, LIMIT_NAMES, type LimitName, type Usage } from '../../src/core/trace/usage.ts';
import type { RunRecord } from './run-record.ts';

/** One amount over the course of a run. */
export interface Course {
  readonly name: LimitName;
  /** The limit of the budget; missing for none. */
  readonly limit?: number;
  /** Spent at the start, after each hop, and at the end; the last is missing while it runs. */
  readonly spent: readonly number[];
}

export const LIMIT_WORDS: Readonly<Record<LimitName, string>> = {
  hops: 'hops',
  retrievals: 'searches',
  rerankedPairs: 'reranked pairs',
  documents: 'documents',
  contextTokens: 'context words',
  modelCalls: 'model calls',
  modelTokens: 'model tokens',
  usd: 'US dollars',
  ms: 'milliseconds',
};

/** Returns the words of a limit for an amount of it. */
export const amountWords = (name: LimitName, amount: number): string =>
  amount === 1 ? LIMIT_WORDS[name].replace(/(?<=ch)es$|s$/, '') : LIMIT_WORDS[name];

/** Returns a course for each amount that was spent or is limited, in the order of the limits. */
export function coursesOf(run: RunRecord): Course[] {
  const { hops, times, asked, end } = run;
  let sum: Usage = {};
  const steps: (Usage & { readonly ms?: number })[] = [{}];
  for (const [index, hop] of hops.entries()) {
    sum = addUsage(sum, hop.spent);
    steps.push({ ...sum, ms: times[index] ?? 0 });
  }
  if (end) steps.push({ ...end.spent, ms: end.ms });
  const budget = asked?.budget ?? {};
  return LIMIT_NAMES.flatMap(name => {
    const limit = Object.hasOwn(budget, name) ? budget[name] : undefined;
    const spent = steps.map(step => step[name] ?? 0);
    if (limit === undefined && spent.every(amount => amount === 0)) return [];
    return [defined({ name, limit, spent })];
  });
}
