/**
 * Decides which segments are merged: tiers of sizes that grow by a factor (the log-structured merge
 * of O'Neil et al. 1996, with the tiers of Lucene). The decision depends only on sizes.
 */

export interface SegmentSize {
  readonly live: number;
  readonly removed: number;
}

export interface MergePolicy {
  /** Returns the positions of the segments to merge next; none if all may stay. */
  readonly next: (sizes: readonly SegmentSize[]) => readonly number[];
  /** Most documents that a write merges before it returns. */
  readonly atOnce: number;
  /** Documents of each larger merge that a write merges for each document that it writes. */
  readonly pace: number;
}

/** Segments of one tier that are merged into one of the next. */
export const TIER_SIZE = 8;

/** Segments are packed into one of up to this size; larger ones form tiers. */
export const SMALLEST = 1024;

/** Returns the tier of a segment with so many live documents. */
function tierOf(live: number): number {
  let tier = 0;
  for (let size = SMALLEST; size <= live; size *= TIER_SIZE) tier++;
  return tier;
}

/**
 * Returns the segments to merge next, or none. n documents put one by one are copied O(log n)
 * times and stand in O(log n) segments; a segment that lost half of its documents is rewritten.
 */
export function nextMerge(sizes: readonly SegmentSize[]): number[] {
  const tiers = new Map<number, number[]>();
  for (const [at, { live, removed }] of sizes.entries()) {
    if (removed > live) return [at];
    const tier = tierOf(live);
    tiers.set(tier, [...(tiers.get(tier) ?? []), at]);
  }
  const packed = packable(tiers.get(0) ?? [], sizes);
  if (packed.length > 1) return packed;
  for (const tier of [...tiers.keys()].sort((a, b) => a - b)) {
    const members = tiers.get(tier)!;
    if (members.length >= TIER_SIZE) return members;
  }
  return [];
}

/** Returns the smallest segments that fit into one of the lowest tier. */
function packable(members: readonly number[], sizes: readonly SegmentSize[]): number[] {
  let total = 0;
  return [...members]
    .sort((a, b) => sizes[a]!.live - sizes[b]!.live)
    .filter(at => (total += sizes[at]!.live) <= SMALLEST);
}

/**
 * Packs small segments at once. Spreads a larger merge over the writes after it: it ends before
 * half as many documents are written as it holds, hence before the next merge of its tier.
 */
export const tieredMerges: MergePolicy = { next: nextMerge, atOnce: SMALLEST, pace: 2 };
