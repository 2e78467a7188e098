/**
 * Orders candidates of `fact-lanes` by a model that reads question and text together (Nogueira and
 * Cho, Passage Re-ranking with BERT, 2019). Its order alone counts: sums with scores by words rank
 * worse.
 */
import { bestPlaces } from '../../models/fact-ranker/features.ts';
import { rerankerNeed } from '../usual-settings.ts';
import type { LanesRun } from './run.ts';

/**
 * Returns the scores of a reranker for the best candidates by `scores`, as many as the setting
 * `candidates` and the run's limit on pairs allow; the others stand behind them in their old order.
 * Returns `scores` where the run has no reranker.
 *
 * @param textOf what the model reads of a candidate, by its place
 */
export async function rerankedScores(
  { kit, settings, call }: Pick<LanesRun, 'kit' | 'settings' | 'call'>,
  question: string,
  scores: readonly number[],
  textOf: (at: number) => string,
): Promise<readonly number[]> {
  const need = rerankerNeed(settings.reranker);
  const reranker = need && kit.resource(need);
  if (!reranker) return scores;
  const room = Math.min(settings.candidates, call.left().rerankedPairs ?? scores.length);
  const best = bestPlaces(Float64Array.from(scores), room);
  if (best.length === 0) return scores;
  const given = await reranker.score(question, best.map(textOf), call);
  const least = Math.min(...given);
  const most = Math.max(...scores);
  const behind = scores.map(score => least - 1 - (most - score));
  for (const [place, at] of best.entries()) behind[at] = given[place]!;
  return behind;
}
