/**
 * Selects the candidates of a layer of a search tree that are expanded: the layer-wise top-K of
 * TreeHop (arXiv 2504.20114, section 3.3), the variant of its released code, and others.
 */

/** A hit of one of the layer's searches. Candidates are listed search by search, each by rank. */
export interface LayerCandidate {
  readonly id: string;
  readonly score: number;
  /**
   * Sum of the scores on the path from the first layer to this hit, its own included; by default
   * its own score.
   */
  readonly path?: number;
  /** True if an earlier layer kept it and the strategy prunes such duplicates. */
  readonly duplicate: boolean;
}

/**
 * `rank`: the first K that are not duplicates, by score, then by position; one passage may take two
 * places if two searches return it.
 * `rank-unique`: as `rank`, with each passage once, at its best score.
 * `path`: as `rank`, by the sum of the scores on the path, as in beam search over passages (MDR,
 * arXiv 2009.12756, section 2.3).
 * `argsort`: the rule of the released code, see `selectByArgsort`.
 * `off`: all, duplicates included.
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
 * Returns, for each candidate, whether it is expanded. Ties at the cut are broken by position, so
 * that at most `k` are expanded unless pruning is off.
 */
export function survivors(
  candidates: readonly LayerCandidate[],
  pruning: LayerPruning,
  k: number,
): boolean[] {
  if (pruning === 'off') return candidates.map(() => true);
  if (pruning === 'argsort') return selectByArgsort(candidates, k);
  const order = [...candidates.keys()].filter(index => !candidates[index]!.duplicate);
  const scoreOf = ({ score, path = score }: LayerCandidate): number =>
    pruning === 'path' ? path : score;
  order.sort((a, b) => scoreOf(candidates[b]!) - scoreOf(candidates[a]!) || a - b);
  const selected = new Set(
    (pruning === 'rank-unique' ? firstOfEach(order, candidates) : order).slice(0, k),
  );
  return candidates.map((_, index) => selected.has(index));
}

function firstOfEach(order: readonly number[], candidates: readonly LayerCandidate[]): number[] {
  const seen = new Set<string>();
  return order.filter(index => {
    const { id } = candidates[index]!;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** Score that replaces a duplicate's in the released code; cosines are at least -1. */
const BELOW_ALL = -5;

/**
 * Selects as the released code does: it takes `argsort(scores)`, the index of the i-th smallest
 * score, for the rank of candidate i. The two agree for a single sorted list only; from a layer of
 * several lists the selection is more or less arbitrary. It serves to reproduce published figures.
 * The sort is stable; NumPy's need not be among duplicates.
 */
function selectByArgsort(candidates: readonly LayerCandidate[], k: number): boolean[] {
  const scores = candidates.map(({ duplicate, score }) => (duplicate ? BELOW_ALL : score));
  const order = [...scores.keys()].sort((a, b) => scores[a]! - scores[b]! || a - b);
  const taken = order.map((place, index) => (candidates[index]!.duplicate ? BELOW_ALL : place));
  const threshold = Math.max(
    taken.reduce((most, value) => Math.max(most, value), BELOW_ALL) - k + 1,
    0,
  );
  return taken.map(value => value >= threshold);
}
