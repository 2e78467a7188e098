/** Fuses several rankings of the same query into one, by ranks or by scores. */
import { compareHits, type Hit, type Ranking } from './ranking.ts';

/**
 * Fuses by reciprocal rank: the score of an item is the sum of w / (k + rank) over the rankings
 * that contain it, ranks from 1 (Cormack, Clarke and Büttcher, Reciprocal Rank Fusion Outperforms
 * Condorcet and Individual Rank Learning Methods, SIGIR 2009, doi 10.1145/1571941.1572114, with k =
 * 60 and no weights).
 *
 * @example
 * ```ts
 * import { reciprocalRankFusion } from 'multihop/retrieval';
 *
 * const hit = (id: string, score: number) => ({ id, documentId: id, start: 0, end: 9, score });
 * const fused = reciprocalRankFusion([[hit('a', 3), hit('b', 2)], [hit('b', 0.9)]]);
 * console.log(fused.map(({ id }) => id)); // ['b', 'a']
 * ```
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
 * Fuses by the weighted sum of min-max scaled scores (Lee, Analyses of Multiple Evidence
 * Combination, SIGIR 1997, doi 10.1145/258525.258587; CombSUM with weights). Weights are scaled to
 * sum to 1. An item that a ranking lacks scores 0 there, as its last item does; if all scores of a
 * ranking are equal, each is 1.
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
 * Fuses by the maximum of an item's scores, scaled as for `weightedFusion` (CombMAX: Fox and Shaw,
 * Combination of Multiple Searches, TREC-2, 1994).
 */
export function bestFusion(rankings: readonly Ranking[]): Ranking {
  return fuse(
    rankings,
    ranking => scaled(ranking),
    scores => Math.max(...scores),
  );
}

/** Scales scores linearly from 0, the lowest (or `lowest`), to 1, the highest. */
export function scaled(ranking: Ranking, lowest: number = Number.POSITIVE_INFINITY): number[] {
  let [least, most] = [lowest, Number.NEGATIVE_INFINITY];
  for (const { score } of ranking) [least, most] = [Math.min(least, score), Math.max(most, score)];
  const range = most - least;
  return ranking.map(({ score }) => (range > 0 ? (score - least) / range : 1));
}

interface Fused {
  readonly id: string;
  readonly hit: Hit;
  score: number;
  /** Scores of an item that is in several rankings; undefined if it is in one, which is usual. */
  scores: number[] | undefined;
}

/** Combines the scores of each item and sorts in total order. */
function fuse(
  rankings: readonly Ranking[],
  scoresOf: (ranking: Ranking, index: number) => readonly number[],
  combine: (scores: number[]) => number = sumInOrder,
): Ranking {
  const items = new Map<string, Fused>();
  for (const [index, ranking] of rankings.entries()) {
    const scores = scoresOf(ranking, index);
    for (const [position, hit] of ranking.entries()) {
      const entry = items.get(hit.id);
      if (entry) (entry.scores ??= [entry.score]).push(scores[position]!);
      else items.set(hit.id, { id: hit.id, hit, score: scores[position]!, scores: undefined });
    }
  }
  for (const entry of items.values()) if (entry.scores) entry.score = combine(entry.scores);
  return Array.from(items.values())
    .sort(compareHits)
    .map(({ hit, score }) => ({ ...hit, score }));
}

/**
 * Sums independently of order, so that rounding does not break the tie of ranks 1, 2, 3 with ranks
 * 3, 1, 2.
 */
function sumInOrder(numbers: number[]): number {
  // The sum of two numbers is commutative, and most items are in one or two rankings.
  if (numbers.length > 2) numbers.sort((a, b) => a - b);
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
