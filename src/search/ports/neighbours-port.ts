/**
 * The port of edges between items, for strategies that follow them: links of documents, and the
 * edges of graphs (co-occurrence, similarity, adjacency).
 */
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Port } from '../ports.ts';

/** `out` leads away from the item that was asked for, `in` to it; `both` has no direction. */
export type EdgeDirection = 'out' | 'in' | 'both';

/**
 * An edge as one of its items sees it. Its other item has it too: `in` instead of `out`, of the
 * same label and weight.
 */
export interface Edge {
  /** The item at the other end, of the same unit. */
  readonly to: string;
  /** One of the labels that the engine states in `capabilities.edges`. */
  readonly label: string;
  readonly direction: EdgeDirection;
  /** Positive; compares edges of one label: the number of links, a similarity. */
  readonly weight: number;
}

export interface NeighboursRequest {
  readonly unit: Unit;
  readonly ids: readonly string[];
  /**
   * Selects edges by label. If missing, all that need no model: those of a vector space would have
   * every sentence embedded, and are named.
   */
  readonly labels?: readonly string[];
  /** Selects edges by direction; all if missing. */
  readonly directions?: readonly EdgeDirection[];
  /** Largest number of edges an item. */
  readonly limit?: number;
}

export interface Neighbours {
  /**
   * Returns the edges of each item, one list an id: the greatest weight first, then by label, `to`
   * and direction. No item is its own neighbour. Throws
   * `InputError('unknown-id' | 'unknown-label' | 'bad-limit')`.
   */
  neighbours(request: NeighboursRequest, call: Call): Promise<Edge[][]>;
}

export const NEIGHBOURS: Port<Neighbours> = {
  name: 'neighbours',
  summary: 'edges between items',
  methods: { neighbours: { nothing: ({ ids }) => ids.map(() => []) } },
};

/** Orders edges as the port returns them. */
export function compareEdges(a: Edge, b: Edge): number {
  return (
    b.weight - a.weight ||
    order(a.label, b.label) ||
    order(a.to, b.to) ||
    order(a.direction, b.direction)
  );
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
