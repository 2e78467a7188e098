/** Serves the edges of a snapshot: links of documents, and the graph of sentences. */
import type { Passage } from '../../core/corpus/document.ts';
import { InputError } from '../../core/errors.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import { LINK, type LinkNeighbours } from '../links/link-neighbours.ts';
import {
  compareEdges,
  type Edge,
  type Neighbours,
  type NeighboursRequest,
} from '../ports/neighbours-port.ts';
import { Openings } from '../vectors/openings.ts';
import { ADJACENT, adjacentEdges, type EdgeLayer, edgesIn } from './sentence-graph.ts';

/** The items of one snapshot, between which edges are. */
export interface NeighbourSource {
  /** Labels of edges that are served. */
  readonly labels: readonly string[];
  /** Those of them that a request without labels is given. */
  readonly unasked: readonly string[];
  readonly links: LinkNeighbours;
  /** Throws `InputError('unknown-id')`. */
  item(unit: Unit, id: string): Passage;
  /** Returns the sentences of a document, in its order. */
  sentences(documentId: string): readonly Passage[];
  /** Opens the edges of a label of the graph. */
  layer(label: string, call: Call): Promise<EdgeLayer>;
}

export class SnapshotNeighbours implements Neighbours {
  private readonly source: NeighbourSource;
  private readonly layers = new Map<string, EdgeLayer>();
  private readonly openings = new Openings<EdgeLayer>();

  constructor(source: NeighbourSource) {
    this.source = source;
  }

  async neighbours(request: NeighboursRequest, call: Call): Promise<Edge[][]> {
    call.signal.throwIfAborted();
    const { source } = this;
    checkRequest(request, source.labels);
    const { unit, ids, directions, limit } = request;
    const labels = new Set(request.labels ?? source.unasked);
    const items = ids.map(id => source.item(unit, id));
    const lists = labels.has(LINK)
      ? await source.links.edges(unit, items, directions ?? ['out', 'in'], call)
      : items.map((): Edge[] => []);
    if (unit === 'sentence' && directions?.includes('both') !== false)
      for (const label of labels)
        if (label !== LINK) await this.addEdges(label, items, lists, call);
    return lists.map(edges => edges.sort(compareEdges).slice(0, limit));
  }

  private async addEdges(
    label: string,
    items: readonly Passage[],
    lists: readonly Edge[][],
    call: Call,
  ): Promise<void> {
    const layer =
      label === ADJACENT || items.length === 0 ? undefined : await this.open(label, call);
    for (const [at, item] of items.entries()) {
      const edges = layer
        ? edgesIn(layer, label, item)
        : adjacentEdges(item, this.source.sentences(item.documentId));
      for (const edge of edges) lists[at]!.push(edge);
    }
  }

  private async open(label: string, call: Call): Promise<EdgeLayer> {
    const known = this.layers.get(label);
    if (known) return known;
    return this.openings.open(label, call, async () => {
      const layer = await this.source.layer(label, call);
      this.layers.set(label, layer);
      return layer;
    });
  }
}

function checkRequest({ labels = [], limit }: NeighboursRequest, known: readonly string[]): void {
  const unknown = labels.find(label => !known.includes(label));
  if (unknown !== undefined)
    throw new InputError('unknown-label', `The engine has no edges "${unknown}"`, {
      expected: `labels that it states: ${known.join(', ')}`,
      received: unknown,
    });
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0))
    throw new InputError('bad-limit', 'The number of edges an item', {
      expected: 'a whole number of at least 0',
      received: String(limit),
    });
}
