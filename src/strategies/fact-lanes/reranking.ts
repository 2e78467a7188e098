/**
 * Orders candidates of `fact-lanes` by a model that reads question and text together (Nogueira and
 * Cho, Passage Re-ranking with BERT, 2019). Its order alone counts: sums with scores by words rank
 * worse.
 */
import { inTurns } from '../../core/ranking/in-turns.ts';
import { bestPlaces } from '../../models/fact-ranker/features.ts';
import { rerankerNeed } from '../usual-settings.ts';
import type { LanesRun } from './run.ts';

/** Pairs that a reranker reads of one question, in all its texts and hops. */
const MOST_PAIRS = 200;

/**
 * Returns the scores of a reranker for the best candidates by `scores`, as many as the setting
 * `candidates`, `MOST_PAIRS` and the run's limit on pairs allow; the others stand behind them in
 * their old order. A limit that left some unread ends the run. Returns `scores` where the run has
 * no reranker.
 *
 * @param textOf what the model reads of a candidate, by its place
 * @param shares the texts, this one included, that share the pairs left
 */
export async function rerankedScores(
  run: Pick<LanesRun, 'kit' | 'settings' | 'call' | 'pairs' | 'searches'>,
  question: string,
  scores: readonly number[],
  textOf: (at: number) => string,
  shares = 1,
): Promise<readonly number[]> {
  const { kit, settings, call } = run;
  const reranker = kit.resource(rerankerNeed(settings.reranker));
  if (!reranker) return scores;
  const most = Math.min(
    settings.candidates,
    Math.floor((MOST_PAIRS - run.pairs) / shares),
    scores.length,
  );
  const room = Math.min(most, call.left().rerankedPairs ?? most);
  if (room < most) run.searches.short ??= 'rerankedPairs';
  const best = bestPlaces(Float64Array.from(scores), room);
  if (best.length === 0) return scores;
  const given = await reranker.score(question, best.map(textOf), call);
  run.pairs += best.length;
  const least = Math.min(...given);
  const top = Math.max(...scores);
  const behind = scores.map(score => least - 1 - (top - score));
  for (const [place, at] of best.entries()) behind[at] = given[place]!;
  return behind;
}

/**
 * Returns the candidates best first: for several texts, such as the clauses of a question, the best
 * of each by turns, as scores for different texts have no common scale. The texts share the pairs.
 */
export async function rerankedOrder(
  run: Parameters<typeof rerankedScores>[0],
  texts: readonly string[],
  scores: readonly number[],
  textOf: (at: number) => string,
): Promise<number[]> {
  const orders: number[][] = [];
  for (const [at, text] of texts.entries()) {
    const given = await rerankedScores(run, text, scores, textOf, texts.length - at);
    orders.push(bestPlaces(Float64Array.from(given), given.length));
  }
  return inTurns(orders, String);
}
