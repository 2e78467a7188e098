/**
 * Implements TreeHop's inference for one question (arXiv 2504.20114, section 3) step by step. The
 * reference for the strategy `tree-hop`.
 */

export type OraclePruning = 'rank' | 'rank-unique' | 'path' | 'argsort' | 'off';

export interface OracleSettings {
  readonly k: number;
  readonly hops: number;
  readonly layer: number;
  readonly pruning: OraclePruning;
  readonly redundancy: boolean;
}

export interface OracleCandidate {
  /** Index of the layer's query that found it. */
  readonly parent: number;
  readonly id: number;
  readonly score: number;
  /** Sum of the scores from the first layer on. */
  readonly path: number;
  readonly duplicate: boolean;
}

export interface OracleHop {
  readonly candidates: readonly OracleCandidate[];
  readonly mask: readonly boolean[];
  /** Rows in flat order; without redundancy pruning a row may repeat. */
  readonly kept: readonly number[];
  /** The query vectors of the searches. */
  readonly searched: readonly Float32Array[];
}

/**
 * Selects the candidates that are expanded, by layer-wise pruning (arXiv 2504.20114, section 3.3).
 */
export function oracleSelect(
  scores: readonly number[],
  duplicates: readonly boolean[],
  pruning: OraclePruning,
  K: number,
  ids: readonly number[] = scores.map((_, i) => i),
): boolean[] {
  const n = scores.length;
  const mask = new Array<boolean>(n).fill(pruning === 'off');
  if (pruning === 'off') return mask;
  if (pruning === 'argsort') {
    const changed = scores.map((score, i) => (duplicates[i] ? -5 : score));
    // Selection sort: the smallest remaining score, the first among equals.
    const r: number[] = [];
    while (r.length < n) {
      let smallest = -1;
      for (let i = 0; i < n; i++)
        if (!r.includes(i) && (smallest < 0 || changed[i]! < changed[smallest]!)) smallest = i;
      r.push(smallest);
    }
    for (let i = 0; i < n; i++) if (duplicates[i]) r[i] = -5;
    const T = Math.max(Math.max(...r) - K + 1, 0);
    return r.map(value => value >= T);
  }
  // The best remaining candidate, the first among equals, until K are selected.
  for (let marked = 0; marked < K; marked++) {
    let best = -1;
    for (let i = 0; i < n; i++) {
      const twice =
        pruning === 'rank-unique' && mask.some((chosen, j) => chosen && ids[j] === ids[i]);
      if (!mask[i] && !duplicates[i] && !twice && (best < 0 || scores[i]! > scores[best]!))
        best = i;
    }
    if (best >= 0) mask[best] = true;
  }
  return mask;
}

/**
 * Runs the tree search. `update` returns the state of the next query. Omits final hops without
 * searches.
 */
export function oracleTree(
  root: Float32Array,
  rows: readonly Float32Array[],
  update: (q: Float32Array, c: Float32Array) => Float32Array,
  { k, hops, layer, pruning, redundancy }: OracleSettings,
): OracleHop[] {
  const seen = new Set<number>();
  let frontier = [root];
  let paths = [0];
  const result: OracleHop[] = [];
  for (let hop = 1; hop <= hops && frontier.length > 0; hop++) {
    const searched = frontier.map(h => (hop === 1 ? h : normalisedFloats(h)));
    const candidates = searched.flatMap((s, parent) =>
      rows
        .map((row, id) => ({
          parent,
          id,
          score: row.reduce((sum, value, i) => sum + value * s[i]!, 0),
          duplicate: redundancy && seen.has(id),
        }))
        .sort((a, b) => b.score - a.score || a.id - b.id)
        .slice(0, k)
        .map(candidate => ({ ...candidate, path: paths[parent]! + candidate.score })),
    );
    const columnOf = <T>(pick: (candidate: OracleCandidate) => T): T[] => candidates.map(pick);
    const mask = oracleSelect(
      columnOf(({ score, path }) => (pruning === 'path' ? path : score)),
      columnOf(({ duplicate }) => duplicate),
      pruning,
      layer || k,
      columnOf(({ id }) => id),
    );
    const kept: number[] = [];
    for (const [i, { id }] of candidates.entries()) {
      if (!mask[i] || (redundancy && seen.has(id))) continue;
      kept.push(id);
      seen.add(id);
    }
    result.push({ candidates, mask, kept, searched });
    paths = columnOf(({ path }) => path).filter((_, i) => mask[i]);
    frontier = candidates.flatMap(({ parent, id }, i) =>
      mask[i] ? [update(frontier[parent]!, rows[id]!)] : [],
    );
  }
  return result;
}

function normalisedFloats(h: Float32Array): Float32Array {
  const length = Math.max(Math.hypot(...h), 1e-12);
  return h.map(value => value / length);
}
