/**
 * Repeats the hops of an earlier run, so that a control reads its evidence and searches nothing.
 */

import type { Trace } from '../../core/trace/trace.ts';
import type { OpenHop, Strategy } from '../../strategies/strategy.ts';

/** Returns hops with their evidence alone, to be kept for many questions. */
export const evidenceOfHops = ({
  hops,
  corpusKind,
}: Pick<Trace, 'hops' | 'corpusKind'>): OpenHop[] =>
  hops.map(({ searches, kept }) => ({
    searches: searches.map(search => ({ ...search, hits: [] })),
    kept,
    rejected: [],
    corpusKind,
  }));

/**
 * Returns the strategy under the same name, which yields these hops whatever it is asked. A draft
 * of an answer and an abstention of the earlier run are not repeated, so that the reader answers.
 */
export function repeating(strategy: Strategy, hops: readonly OpenHop[]): Strategy {
  return {
    ...strategy,
    async *hops() {
      yield* hops;
      return { why: 'completed' };
    },
  };
}
