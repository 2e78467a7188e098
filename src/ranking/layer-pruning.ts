/**
 * Which candidates of a layer of a search tree are expanded: the layer-wise top-K of TreeHop (arXiv
 * 2504.20114, section 3.3), and what the released code does in its place.
 */

/** A hit of one of the layer's searches, in flat order: search by search, each by rank. */
export interface LayerCandidate {
  readonly id: string;
  readonly score: number;
  /**
   * The sum of the scores on its path, its own included: of the first layer's hit that it grew
   * from, and so on. Its own score where it is missing.
   */
  readonly path?: number;
  /** Kept before this layer, where that counts. */
  readonly duplicate: boolean;
}

/**
 * `rank`: the first K that are no duplicates, by score and then by place; one passage that two
 * searches found may take two places.
 * `rank-unique`: the same, each passage once, where it scores best.
 * `path`: as `rank`, by the sum of the scores on the whole path, as a beam search of passages does
 * (MDR, arXiv 2009.12756, section 2.3): a hit counts for less where what led to it hardly fitted
 * the question.
 * `argsort`: what the released code does, see `byArgsort`.
 * `off`: all, duplicates too.
 */
export type LayerPruning = 'rank' | 'rank-unique' | 'path' | 'argsort' | 'off';
export const LAYER_PRUNINGS: readonly LayerPruning[] = [
  'rank',
  'rank-unique',
  'path',
  'argsort',
  'off',
];

/**
 * For each candidate whether it is expanded. Ties at the cut are broken by place, so that never
 * more than `k` are, unless pruning is off.
 */
export function survivors(
  candidates: readonly LayerCandidate[],
  pruning: LayerPruning,
  k: number,
): boolean[] {
  if (pruning === 'off') return candidates.map(() => true);
  if (pruning === 'argsort') return byArgsort(candidates, k);
  const order = [...candidates.keys()].filter(place => !candidates[place]!.duplicate);
  const worth = ({ score, path = score }: LayerCandidate): number =>
    pruning === 'path' ? path : score;
  order.sort((a, b) => worth(candidates[b]!) - worth(candidates[a]!) || a - b);
  const chosen = new Set(
    (pruning === 'rank-unique' ? firstOfEach(order, candidates) : order).slice(0, k),
  );
  return candidates.map((_, place) => chosen.has(place));
}

function firstOfEach(order: readonly number[], candidates: readonly LayerCandidate[]): number[] {
  const seen = new Set<string>();
  return order.filter(place => {
    const { id } = candidates[place]!;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** The score that stands in for a duplicate's in the released code; cosines are no less than -1. */
const BELOW_ALL = -5;

/**
 * The released code takes `argsort(scores)` - which candidate is the i-th smallest - for the rank
 * of candidate i. The two are the same for a single sorted list alone; of a layer of several a more
 * or less arbitrary part is left. It is here so that published figures can be repeated. The sort is
 * stable, which NumPy's need not be among the duplicates.
 */
function byArgsort(candidates: readonly LayerCandidate[], k: number): boolean[] {
  const scores = candidates.map(({ duplicate, score }) => (duplicate ? BELOW_ALL : score));
  const order = [...scores.keys()].sort((a, b) => scores[a]! - scores[b]! || a - b);
  const taken = order.map((place, index) => (candidates[index]!.duplicate ? BELOW_ALL : place));
  const threshold = Math.max(
    taken.reduce((most, value) => Math.max(most, value), BELOW_ALL) - k + 1,
    0,
  );
  return taken.map(value => value >= threshold);
}
