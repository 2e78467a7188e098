/**
 * Reads the tree of passages from a trace, in which each later search has a parent hit.
 */
import { defined } from '../defined.ts';
import { InputError } from '../errors.ts';
import type { Hop, RejectionReason } from './trace.ts';

/** A passage as one search found it. The same passage under two parents is two nodes. */
export interface PassageNode {
  readonly id: string;
  readonly documentId: string;
  readonly score: number;
  /** Index of its search's hop, from 0. */
  readonly hop: number;
  readonly search: number;
  /** Index of the parent node of its search; missing for searches of the question. */
  readonly parent?: number;
  /** True if a search has it as its parent. */
  readonly expanded: boolean;
  /** Reason for rejecting it; missing if it was kept. */
  readonly rejected?: RejectionReason;
}

/**
 * Returns every hit that a hop kept or rejected, by hop, search and rank; parents precede their
 * children. Throws `InputError('hits-left-out')` for hops of a compact trace whose searches were
 * not for passages.
 */
export function passageTree(
  hops: readonly Pick<Hop, 'searches' | 'kept' | 'rejected'>[],
): PassageNode[] {
  if (hops.some(({ searches }) => searches.some(({ found }) => found !== undefined)))
    throw new InputError('hits-left-out', 'The trace leaves out hits of which the tree consists', {
      expected: 'a trace in full',
      hint: 'Seal it with all hits: sealEvents(events, hash, { full: true })',
      remedy: { id: 'full-trace' },
    });
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
        const place = key(hop, search, id);
        const why = whys.get(place);
        if (why === undefined && !keptHere.has(place)) continue;
        places.set(place, nodes.length);
        nodes.push(
          defined({ id, documentId, score, hop, search, expanded: false, parent, rejected: why }),
        );
      }
    }
  }
  return nodes;
}
