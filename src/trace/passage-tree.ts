/**
 * The tree of passages that a run walked, read from its trace: each search grew from a hit of an
 * earlier one.
 */
import type { Hop, RejectionReason } from './trace.ts';

/** A passage as one search found it. The same passage under two parents is two nodes. */
export interface PassageNode {
  readonly id: string;
  readonly documentId: string;
  readonly score: number;
  /** Where its search stands, from 0. */
  readonly hop: number;
  readonly search: number;
  /** The index of the node from which its search grew; missing below the question. */
  readonly parent?: number;
  /** Whether a search grew from it. */
  readonly expanded: boolean;
  /** Why it is no evidence; missing when it was kept. */
  readonly rejected?: RejectionReason;
}

/**
 * Every hit that a hop kept or rejected, in the order of hops, searches and ranks. A parent stands
 * before its children.
 */
export function passageTree(
  hops: readonly Pick<Hop, 'searches' | 'kept' | 'rejected'>[],
): PassageNode[] {
  const nodes: { -readonly [K in keyof PassageNode]: PassageNode[K] }[] = [];
  const places = new Map<string, number>();
  const key = (hop: number, search: number, id: string): string => `${hop} ${search} ${id}`;
  for (const [hop, { searches, kept, rejected }] of hops.entries()) {
    const keptHere = new Set(kept.map(({ search: at, id }) => key(at.hop, at.search, id)));
    const whys = new Map(
      rejected.map(({ search: at, id, why }) => [key(at.hop, at.search, id), why]),
    );
    for (const [search, { from, hits }] of searches.entries()) {
      const parent =
        from?.id === undefined ? undefined : places.get(key(from.hop, from.search, from.id));
      if (parent !== undefined) nodes[parent]!.expanded = true;
      for (const { id, documentId, score } of hits) {
        const own = key(hop, search, id);
        const why = whys.get(own);
        if (why === undefined && !keptHere.has(own)) continue;
        places.set(own, nodes.length);
        nodes.push({
          ...{ id, documentId, score, hop, search, expanded: false },
          ...(parent === undefined ? {} : { parent }),
          ...(why === undefined ? {} : { rejected: why }),
        });
      }
    }
  }
  return nodes;
}
