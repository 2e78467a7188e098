/**
 * Orders candidates of `fact-lanes` by a model that reads question and text together (Nogueira and
 * Cho, Passage Re-ranking with BERT, 2019). Over sections its order alone counts, as sums with
 * scores by words rank worse; over short documents, such as rules and chats, sums rank better.
 */
import { bestPlaces } from '../../models/fact-ranker/features.ts';
import { rerankerNeed } from '../usual-settings.ts';
import type { LanesRun } from './run.ts';

/** Pairs that a reranker reads of one question, in all its hops. */
const MOST_PAIRS = 200;

type Reranking = Pick<LanesRun, 'kit' | 'settings' | 'call' | 'pairs' | 'searches'>;

/** The places of the candidates that a reranker has read, and its scores of them. */
interface Read {
  readonly places: readonly number[];
  readonly given: Float32Array;
}

/**
 * Returns the scores of a reranker for the best candidates by `scores`; the others stand behind
 * them in their old order. Returns `scores` where nothing is read.
 *
 * @param textOf what the model reads of a candidate, by its place
 * @param shares the texts, this one included, that share the pairs left
 */
export async function rerankedScores(
  run: Reranking,
  question: string,
  scores: readonly number[],
  textOf: (at: number) => string,
  shares = 1,
): Promise<readonly number[]> {
  const read = await readBest(run, question, scores, textOf, shares);
  if (!read) return scores;
  const least = Math.min(...read.given);
  const most = Math.max(...scores);
  const behind = scores.map(score => least - 1 - (most - score));
  for (const [place, at] of read.places.entries()) behind[at] = read.given[place]!;
  return behind;
}

/**
 * Adds to the best of `scores` those of a reranker, which are scaled to vary as much and are 0 for
 * the worst and for candidates that are not read. Parameters as above.
 */
export async function scoresWithReranker(
  run: Reranking,
  question: string,
  scores: readonly number[],
  textOf: (at: number) => string,
): Promise<readonly number[]> {
  const read = await readBest(run, question, scores, textOf, 1);
  if (!read) return scores;
  const { places, given } = read;
  const unit = deviation(places.map(at => scores[at]!)) / (deviation([...given]) || 1);
  const least = Math.min(...given);
  const sums = [...scores];
  for (const [place, at] of places.entries()) sums[at]! += unit * (given[place]! - least);
  return sums;
}

/**
 * Has the reranker of the run read the best candidates, as many as the setting `candidates`,
 * `MOST_PAIRS` and the run's limit on pairs allow. A limit that left some unread ends the run.
 */
async function readBest(
  run: Reranking,
  question: string,
  scores: readonly number[],
  textOf: (at: number) => string,
  shares: number,
): Promise<Read | undefined> {
  const { kit, settings, call } = run;
  const reranker = kit.resource(rerankerNeed(settings.reranker));
  if (!reranker) return undefined;
  const share = Math.floor((MOST_PAIRS - run.pairs) / shares);
  const most = Math.min(settings.candidates, share, scores.length);
  const room = Math.min(most, call.left().rerankedPairs ?? most);
  if (room < most) run.searches.short ??= 'rerankedPairs';
  const places = bestPlaces(Float64Array.from(scores), room);
  if (places.length === 0) return undefined;
  run.pairs += places.length;
  return { places, given: await reranker.score(question, places.map(textOf), call) };
}

/** Returns the standard deviation. */
function deviation(scores: readonly number[]): number {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length);
}
