/**
 * Serves links of documents as edges, by the derived index of all links, which is opened at the
 * first request.
 */
import type { Document, Passage } from '../../core/corpus/document.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Edge, EdgeDirection } from '../ports/neighbours-port.ts';
import type { DocumentLinks } from './document-links.ts';
import { anchorStart, type LinkPlace, LinkTargets } from './link-targets.ts';

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
  private opened: Promise<OpenLinks> | undefined;

  constructor(source: LinkSource) {
    this.source = source;
  }

  /** Returns the edges of each item, one list an item, in no order. */
  async edges(
    unit: Unit,
    items: readonly Passage[],
    directions: readonly EdgeDirection[],
    call: Call,
  ): Promise<Edge[][]> {
    if (directions.length === 0) return items.map(() => []);
    const open = await this.open(call);
    return items.map(item => {
      const edges: Edge[] = [];
      if (directions.includes('out'))
        edges.push(...edgesOf(this.leadingAway(unit, item, open), 'out'));
      if (directions.includes('in')) edges.push(...edgesOf(this.leadingTo(unit, item, open), 'in'));
      return edges;
    });
  }

  /** Counts the links of an item by the item that they lead to. */
  private leadingAway(unit: Unit, item: Passage, open: OpenLinks): Map<string, number> {
    const counts = new Map<string, number>();
    const { documentId: from } = item;
    const links = open.links.get(from)?.links ?? [];
    const at = links.length > 0 ? this.itemsAt(unit, from) : undefined;
    for (const link of links) {
      if (at?.(link.start) !== item.id) continue;
      const to = this.leadsTo(unit, open.targets.find(link.target, from));
      if (to !== undefined && to !== item.id) counts.set(to, (counts.get(to) ?? 0) + 1);
    }
    return counts;
  }

  /** Counts the links to an item by the item in which they stand. */
  private leadingTo(unit: Unit, { id, documentId }: Passage, open: OpenLinks): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [from, links] of open.linking().get(documentId) ?? []) {
      const itemAt = this.itemsAt(unit, from);
      for (const [start, place] of links) {
        if (this.leadsTo(unit, place) !== id) continue;
        const at = itemAt(start);
        if (at !== undefined && at !== id) counts.set(at, (counts.get(at) ?? 0) + 1);
      }
    }
    return counts;
  }

  /** Returns the item that a link leads to; undefined outside the store. */
  private leadsTo(unit: Unit, place: LinkPlace | undefined): string | undefined {
    if (!place) return undefined;
    if (unit === 'document') return place.id;
    const start = place.start ?? anchorStart(this.source.document(place.id)!, place.anchor);
    return this.itemsAt(unit, place.id)(start);
  }

  /**
   * Returns what finds the item of a document that holds an offset, else the first that begins
   * after it. A whole document is not read for it.
   */
  private itemsAt(unit: Unit, id: string): (offset: number) => string | undefined {
    if (unit === 'document') return () => id;
    const items = this.source.cut(unit, this.source.document(id)!);
    return offset => (items.find(({ end }) => end > offset) ?? items.at(-1))?.id;
  }

  private async open(call: Call): Promise<OpenLinks> {
    this.opened ??= this.source.links(call).then(links => new OpenLinks(this.source, links));
    try {
      return await this.opened;
    } catch (error) {
      // The call that opened it was aborted, perhaps; another one may open it.
      this.opened = undefined;
      throw error;
    }
  }
}

/** The links of all documents, and what they lead to. */
class OpenLinks {
  readonly links: DocumentLinks;
  readonly targets: LinkTargets;
  private byTarget: LinksTo | undefined;

  constructor(source: LinkSource, links: DocumentLinks) {
    this.links = links;
    const has = (id: string): boolean => source.document(id) !== undefined;
    this.targets = new LinkTargets({ has, all: () => source.all(), links });
  }

  /** By document: the documents with links to it, and those links. */
  linking(): LinksTo {
    if (this.byTarget) return this.byTarget;
    const linking = new Map<string, Map<string, [number, LinkPlace][]>>();
    for (const [from, { links }] of this.links)
      for (const { start, target } of links) {
        const place = this.targets.find(target, from);
        if (place === undefined) continue;
        const froms = linking.get(place.id) ?? new Map<string, [number, LinkPlace][]>();
        linking.set(place.id, froms);
        froms.set(from, [...(froms.get(from) ?? []), [start, place]]);
      }
    return (this.byTarget = linking);
  }
}

type LinksTo = ReadonlyMap<string, ReadonlyMap<string, readonly (readonly [number, LinkPlace])[]>>;

const edgesOf = (counts: ReadonlyMap<string, number>, direction: EdgeDirection): Edge[] =>
  [...counts].map(([to, weight]) => ({ to, label: LINK, direction, weight }));
