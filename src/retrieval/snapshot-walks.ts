/** Serves walks over the entities of a snapshot; the graph of a unit is made at its first use. */
import type { Passage } from '../corpus/document.ts';
import { InputError } from '../errors.ts';
import type { Ranking, Unit } from '../ranking/ranking.ts';
import type { Call } from '../trace/call.ts';
import { EntityGraph, type MentioningItems } from './entity-graph.ts';
import type { EntityWalkRequest, EntityWalks, FoundEntity } from './entity-walks-port.ts';
import type { SentenceEntities } from './sentence-entities.ts';
import type { SentencePlaces } from './sentence-places.ts';

/** The items of one snapshot, which mention entities. */
export interface WalkSource {
  /** Throws `InputError('unknown-id')`. */
  item(unit: Unit, id: string): Passage;
  /** Returns the items of a document, in its order. */
  parts(unit: Unit, documentId: string): readonly Passage[];
  /** Opens the entities of all sentences. */
  entities(call: Call): Promise<SentenceEntities>;
}

export class SnapshotWalks implements EntityWalks {
  private readonly source: WalkSource;
  private readonly graphs = new Map<Unit, EntityGraph>();

  constructor(source: WalkSource) {
    this.source = source;
  }

  async entities(
    unit: Unit,
    names: readonly string[],
    call: Call,
  ): Promise<(FoundEntity | undefined)[]> {
    call.signal.throwIfAborted();
    const graph = await this.graphOf(unit, call);
    return names.map(mention => {
      const entity = graph.find(mention);
      if (entity === undefined) return undefined;
      return { name: graph.names[entity]!, items: graph.frequencyOf(entity) };
    });
  }

  async walk(request: EntityWalkRequest, call: Call): Promise<Ranking> {
    call.signal.throwIfAborted();
    const { unit, through, damping = 0.5, k, synonyms = false, hubs = 1 } = request;
    if (!Number.isInteger(k) || k < 0)
      throw new InputError('bad-k', 'The number of items', {
        expected: 'a whole number of at least 0',
        received: String(k),
      });
    if (!(hubs > 0 && hubs <= 1))
      throw new InputError('bad-parameter', 'The share of items beyond which an entity is a hub', {
        expected: 'a number above 0 and at most 1',
        received: String(hubs),
      });
    const graph = await this.graphOf(unit, call);
    const seeds = this.seedsOf(request, graph);
    const edges = { synonyms, hubs };
    const found =
      through === 'items'
        ? graph.throughItems(seeds, damping, k, edges)
        : graph.throughEntities(seeds, damping, k, edges);
    return found.map(({ item, score }) => {
      const { id, documentId, start, end } = this.source.item(unit, graph.items[item]!);
      return { id, documentId, start, end, score };
    });
  }

  private seedsOf(
    { unit, entities, items = [], through }: EntityWalkRequest,
    graph: EntityGraph,
  ): Map<number, number> {
    if (items.length > 0 && through === 'entities')
      throw new InputError('bad-seed', 'Items to start at, and a walk over entities alone', {
        expected: "through: 'items'",
        received: through,
      });
    const seeds = new Map<number, number>();
    for (const [name, weight] of entities) {
      const node = graph.numberOf(name);
      if (node === undefined)
        throw new InputError('unknown-entity', `There is no entity "${name}"`, {
          expected: 'a name that `entities` returned',
        });
      seeds.set(node, weight);
    }
    for (const [id, weight] of items) {
      const node = graph.nodeOf(id);
      if (node === undefined) throw new InputError('unknown-id', `There is no ${unit} "${id}"`);
      seeds.set(node, weight);
    }
    return seeds;
  }

  private async graphOf(unit: Unit, call: Call): Promise<EntityGraph> {
    let graph = this.graphs.get(unit);
    if (!graph) {
      const index = await this.source.entities(call);
      graph = new EntityGraph(index, ({ places }) => this.itemsAmong(unit, places));
      this.graphs.set(unit, graph);
    }
    return graph;
  }

  /** Finds the item that holds the start of each sentence, else the first that ends after it. */
  private itemsAmong(unit: Unit, places: SentencePlaces): MentioningItems {
    const ids: string[] = [];
    const itemOf = new Uint32Array(places.size);
    for (const [document, id] of places.documents.entries()) {
      const items = this.source.parts(unit, id);
      const first = ids.length;
      for (const item of items) ids.push(item.id);
      const [start, end] = [places.starts[document]!, places.starts[document + 1]!];
      const sentences = items.length > 1 ? this.source.parts('sentence', id) : [];
      for (let sentence = start, at = 0; sentence < end; sentence++) {
        const from = sentences[sentence - start]?.start ?? 0;
        while (at + 1 < items.length && items[at]!.end <= from) at += 1;
        itemOf[sentence] = first + at;
      }
    }
    return { ids, itemOf };
  }
}
