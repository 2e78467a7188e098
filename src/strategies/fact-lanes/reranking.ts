/**
 * Orders candidates of `fact-lanes` by a model that reads question and text together (Nogueira and
 * Cho, Passage Re-ranking with BERT, 2019). Over sections its scores weigh five times the ranks by
 * words. Over short documents, such as rules and chats, it is one more member of their sum.
 */
import { hasEnglishWords, questionLanguage } from '../../language/question-language.ts';
import { bestPlaces } from '../../models/fact-ranker/features.ts';
import { AUTO, idOf, rerankerNeed } from '../usual-settings.ts';
import type { LanesRun } from './run.ts';

/** Pairs that a reranker reads of one question, in all its hops. */
const MOST_PAIRS = 200;

type Reranking = Pick<LanesRun, 'kit' | 'settings' | 'call' | 'pairs' | 'searches'>;

/**
 * The weight of the ranks by words beside the scores of the model, the best of 0 to 0.5 on the mean
 * of five domains (`lab ranker judge`), both for the small ranker and for its teacher.
 */
const BY_WORDS = 0.2;

/** The places of the candidates that a reranker has read, and its scores of them. */
interface Read {
  readonly places: readonly number[];
  readonly given: Float32Array;
}

/**
 * Returns scores by a reranker and by words for the best candidates by `scores`; the others stand
 * behind them in their old order. Returns `scores` where nothing is read.
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
  const given = withRanks(read.given);
  const least = Math.min(...given);
  const most = Math.max(...scores);
  const behind = scores.map(score => least - 1 - (most - score));
  for (const [place, at] of read.places.entries()) behind[at] = given[place]!;
  return behind;
}

/** Adds ranks by words to scores of a model, which stand in the order of these ranks. */
export function withRanks(given: ArrayLike<number>, weight: number = BY_WORDS): Float64Array {
  const byModel = standardised(Float64Array.from(given));
  const byWords = standardised(byModel.map((_, place) => -Math.log1p(place)));
  return byModel.map((score, place) => score + weight * byWords[place]!);
}

/** Returns numbers with mean 0 and standard deviation 1, or 0s if all are equal. */
function standardised(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return values.map(value => (value - mean) / (Math.sqrt(square) || 1));
}

/**
 * Adds a member to sums of members whose greatest is 1: the scores of a reranker for the best
 * candidates, scaled from 0 to 1, and 0 for those that are not read. Parameters as above.
 */
export async function scoresWithReranker(
  run: Reranking,
  question: string,
  scores: readonly number[],
  textOf: (at: number) => string,
): Promise<readonly number[]> {
  const read = await readBest(run, question, scores, textOf, 1);
  if (!read) return scores;
  const least = Math.min(...read.given);
  const range = Math.max(...read.given) - least || 1;
  const sums = [...scores];
  for (const [place, at] of read.places.entries())
    sums[at]! += (read.given[place]! - least) / range;
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
  if (!reranker || (idOf(settings.reranker) === AUTO && !isEnglish(question))) return undefined;
  const share = Math.floor((MOST_PAIRS - run.pairs) / shares);
  const most = Math.min(settings.candidates, share, scores.length);
  const room = Math.min(most, call.left().rerankedPairs ?? most);
  if (room < most) run.searches.short ??= 'rerankedPairs';
  const places = bestPlaces(Float64Array.from(scores), room);
  if (places.length === 0) return undefined;
  run.pairs += places.length;
  return { places, given: await reranker.score(question, places.map(textOf), call) };
}

/** Tells whether a question may be English, as all text is that the shipped ranker learnt from. */
const isEnglish = (question: string): boolean =>
  questionLanguage(question).code === 'en' &&
  (hasEnglishWords(question) || /^\p{ASCII}*$/u.test(question));
