/**
 * Serves links of documents as edges. Links that lead away are read from the outline of the
 * document itself; links that lead to it from the derived index of all links, which is opened only
 * for them.
 */
import type { Document, Passage } from '../corpus/document.ts';
import type { Unit } from '../ranking/ranking.ts';
import type { Call } from '../trace/call.ts';
import { type DocumentLinks, linksOf, type StatedLink } from './document-links.ts';
import { anchorStart, LinkTargets } from './link-targets.ts';
import type { Edge, EdgeDirection } from './neighbours-port.ts';

/** The label of these edges. */
export const LINK = 'link';

/** The documents of one snapshot, of which edges are made. */
export interface LinkSource {
  /** Undefined if there is none of that id. */
  document(id: string): Document | undefined;
  /** All documents, ascending by id. */
  all(): readonly Document[];
  /** Cuts a document into its items, in the document's order. */
  cut(unit: Unit, document: Document): readonly Passage[];
  /** Opens the links of all documents. */
  links(call: Call): Promise<DocumentLinks>;
}

export class LinkNeighbours {
  private readonly source: LinkSource;
  private readonly targets: LinkTargets;
  /** By document: the documents with a link to it. */
  private linking: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(source: LinkSource) {
    this.source = source;
    this.targets = new LinkTargets(
      id => source.document(id) !== undefined,
      () => source.all(),
    );
  }

  /** Returns the edges of each item, one list an item, in no order. */
  async edges(
    unit: Unit,
    items: readonly Passage[],
    directions: readonly EdgeDirection[],
    call: Call,
  ): Promise<Edge[][]> {
    const linking = directions.includes('in') ? await this.linkingDocuments(call) : undefined;
    return items.map(item => {
      const edges: Edge[] = [];
      if (directions.includes('out')) edges.push(...edgesOf(this.leadingAway(unit, item), 'out'));
      if (linking) edges.push(...edgesOf(this.leadingTo(unit, item, linking), 'in'));
      return edges;
    });
  }

  /** Counts the links of an item by the item that they lead to. */
  private leadingAway(unit: Unit, item: Passage): Map<string, number> {
    const counts = new Map<string, number>();
    const document = this.source.document(item.documentId)!;
    const items = this.source.cut(unit, document);
    for (const link of linksOf(document)) {
      if (itemAt(items, link.start)?.id !== item.id) continue;
      const to = this.leadsTo(unit, link);
      if (to !== undefined && to !== item.id) counts.set(to, (counts.get(to) ?? 0) + 1);
    }
    return counts;
  }

  /** Counts the links to an item by the item in which they stand. */
  private leadingTo(
    unit: Unit,
    { id, documentId }: Passage,
    linking: ReadonlyMap<string, readonly string[]>,
  ): Map<string, number> {
    const counts = new Map<string, number>();
    for (const from of linking.get(documentId) ?? []) {
      const document = this.source.document(from)!;
      const items = this.source.cut(unit, document);
      for (const link of linksOf(document)) {
        if (this.leadsTo(unit, link) !== id) continue;
        const at = itemAt(items, link.start)?.id;
        if (at !== undefined && at !== id) counts.set(at, (counts.get(at) ?? 0) + 1);
      }
    }
    return counts;
  }

  /** Returns the item that a link leads to; undefined outside the store. */
  private leadsTo(unit: Unit, { target }: StatedLink): string | undefined {
    const place = this.targets.find(target);
    if (!place) return undefined;
    if (unit === 'document') return place.id;
    const document = this.source.document(place.id)!;
    return itemAt(this.source.cut(unit, document), anchorStart(document, place.anchor))?.id;
  }

  private async linkingDocuments(call: Call): Promise<ReadonlyMap<string, readonly string[]>> {
    if (this.linking) return this.linking;
    const linking = new Map<string, Set<string>>();
    for (const [from, links] of await this.source.links(call))
      for (const { target } of links) {
        const to = this.targets.find(target)?.id;
        if (to === undefined) continue;
        const known = linking.get(to);
        if (known) known.add(from);
        else linking.set(to, new Set([from]));
      }
    this.linking = new Map([...linking].map(([to, from]) => [to, [...from]]));
    return this.linking;
  }
}

/** Returns the item that holds an offset, else the first that begins after it. */
const itemAt = (items: readonly Passage[], offset: number): Passage | undefined =>
  items.find(({ end }) => end > offset) ?? items.at(-1);

const edgesOf = (counts: ReadonlyMap<string, number>, direction: EdgeDirection): Edge[] =>
  [...counts].map(([to, weight]) => ({ to, label: LINK, direction, weight }));
