/** One ranking from several of the same query: by ranks, or by scores. */
import { compareHits, type Hit, type Ranking } from './ranking.ts';

/**
 * Reciprocal rank fusion: the sum of w / (k + rank) over the rankings that hold the item, ranks
 * from 1 (Cormack, Clarke and Büttcher, Reciprocal Rank Fusion Outperforms Condorcet and Individual
 * Rank Learning Methods, SIGIR 2009, who take k = 60 and no weights).
 */
export function reciprocalRankFusion(
  rankings: readonly Ranking[],
  k = 60,
  weights: readonly number[] = rankings.map(() => 1),
): Ranking {
  return fuse(rankings, (ranking, index) =>
    ranking.map((_, position) => weights[index]! / (k + position + 1)),
  );
}

/**
 * The weighted sum of scores scaled to 0..1 by the best and the worst of each ranking (min-max:
 * Lee, Analyses of Multiple Evidence Combination, SIGIR 1997; CombSUM with weights). Weights are
 * scaled to add up to 1. An item that a ranking does
 * not hold gets 0 from it, as its worst does; equal scores are all 1.
 */
export function weightedFusion(
  rankings: readonly Ranking[],
  weights: readonly number[] = rankings.map(() => 1),
): Ranking {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return fuse(rankings, (ranking, index) =>
    scaled(ranking).map(score => (weights[index]! / sum) * score),
  );
}

/**
 * The greatest of an item's scores, scaled as for `weightedFusion` (CombMAX: Fox and Shaw,
 * Combination of Multiple Searches, TREC-2, 1994).
 */
export function bestFusion(rankings: readonly Ranking[]): Ranking {
  return fuse(rankings, scaled, scores => Math.max(...scores));
}

/** Scores from 0, the worst, to 1, the best. */
function scaled(ranking: Ranking): number[] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { score } of ranking) [least, most] = [Math.min(least, score), Math.max(most, score)];
  const range = most - least;
  return ranking.map(({ score }) => (range > 0 ? (score - least) / range : 1));
}

interface Fused {
  readonly id: string;
  readonly hit: Hit;
  score: number;
  /** Of an item that stands in several rankings; most stand in one, and keep its score. */
  scores: number[] | undefined;
}

/** What scores the same stands in the order of ids. */
function fuse(
  rankings: readonly Ranking[],
  scoresOf: (ranking: Ranking, index: number) => readonly number[],
  together: (scores: number[]) => number = sumInOrder,
): Ranking {
  const found = new Map<string, Fused>();
  for (const [index, ranking] of rankings.entries()) {
    const scores = scoresOf(ranking, index);
    for (const [position, hit] of ranking.entries()) {
      const entry = found.get(hit.id);
      if (entry) (entry.scores ??= [entry.score]).push(scores[position]!);
      else found.set(hit.id, { id: hit.id, hit, score: scores[position]!, scores: undefined });
    }
  }
  for (const entry of found.values()) if (entry.scores) entry.score = together(entry.scores);
  return Array.from(found.values())
    .sort(compareHits)
    .map(({ hit, score }) => ({ ...hit, score }));
}

/**
 * The same for the same numbers in any order: ranks 1, 2, 3 tie with ranks 3, 1, 2, and rounding
 * does not decide.
 */
function sumInOrder(numbers: number[]): number {
  // Two numbers add up the same either way, and most items are in one or two rankings.
  if (numbers.length > 2) numbers.sort((a, b) => a - b);
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
