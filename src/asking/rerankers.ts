/**
 * The rerankers of a run: the strategy's found by the name that it gives, and all of them counted
 * and held to their word.
 */
import { checkScores } from '../models/checked-scores.ts';
import { namedReranker } from '../models/named-reranker.ts';
import type { Reranker } from '../models/reranker.ts';
import type { Strategy } from '../strategies/strategy.ts';
import type { Call } from '../trace/call.ts';
import { metered } from './metered-kit.ts';

/**
 * The one that the strategy names; undefined for a strategy that names none. Throws
 * `InputError('unknown-reranker')`.
 */
export function rerankerOf(
  { reranker }: Pick<Strategy, 'reranker'>,
  given: readonly Reranker[] = [],
): Reranker | undefined {
  return reranker === undefined ? undefined : namedReranker(reranker, given);
}

/**
 * Guarded like every port: one finite score a text, or a `PortError`. Its pairs are reserved before
 * they are scored, whether or not a cache knows them, so that a run counts the same anew; what a
 * model behind it reserves besides goes into the run's ledger too. No texts, no call.
 */
export function meteredReranker(reranker: Reranker, runCall: Call): Reranker {
  return {
    id: reranker.id,
    async score(query, texts, _call) {
      runCall.signal.throwIfAborted();
      if (texts.length === 0) return new Float32Array(0);
      return metered(runCall, 'reranker', 'score', { rerankedPairs: texts.length }, async () => {
        const scores = await reranker.score(query, texts, runCall);
        checkScores(reranker, scores, texts.length);
        return scores;
      });
    },
  };
}
