/**
 * Serves walks over the entities of a snapshot, and the facts between them; the graph of a unit is
 * made at its first use.
 */
import type { Passage } from '../../core/corpus/document.ts';
import type { Filter } from '../../core/corpus/filter.ts';
import { InputError } from '../../core/errors.ts';
import { JointSteps } from '../../core/joint-steps.ts';
import type { Ranking, Unit } from '../../core/ranking/ranking.ts';
import { finishWithPauses, STEP, type Steps } from '../../core/steps.ts';
import type { Call } from '../../core/trace/call.ts';
import { checkCount, unknownId } from '../checked-search.ts';
import type { Turn } from '../derived/derived-index.ts';
import type { EntityFacts, EntityFactsRequest, FoundFact } from '../ports/entity-facts-port.ts';
import type { EntityWalkRequest, EntityWalks, FoundEntity } from '../ports/entity-walks-port.ts';
import { EntityGraph, type MentioningItems } from './entity-graph.ts';
import { FactIndex } from './fact-index.ts';
import type { SentenceEntities } from './sentence-entities.ts';
import type { SentencePlaces } from './sentence-places.ts';

/** The items of one snapshot, which mention entities. */
export interface WalkSource {
  /** Throws `InputError('unknown-id')`. */
  item(unit: Unit, id: string): Passage;
  /** Returns the items of a document, in its order. */
  parts(unit: Unit, documentId: string): readonly Passage[];
  /** Returns the documents that pass. Throws `InputError('unknown-field')`. */
  passing(filter: Filter): ReadonlySet<string>;
  /** Opens the entities of all sentences. */
  entities(call: Call): Promise<SentenceEntities>;
  /** Gives the event loop a turn; without it only the time that is left ends long work. */
  readonly turn?: Turn;
}

export class SnapshotWalks implements EntityWalks, EntityFacts {
  private readonly source: WalkSource;
  private stated: FactIndex | undefined;
  private readonly graphs = new Map<Unit, JointSteps<EntityGraph>>();

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
      return entity === undefined ? undefined : foundIn(graph, entity);
    });
  }

  async facts({ unit, text, k, filter }: EntityFactsRequest, call: Call): Promise<FoundFact[]> {
    call.signal.throwIfAborted();
    checkCount(k, 'The number of facts');
    const graph = await this.graphOf(unit, call);
    const entities = await this.source.entities(call);
    // Every unit has the same entities.
    const stated = (this.stated ??= new FactIndex(
      entities,
      name => graph.numberOf(name) !== undefined,
    ));
    const entityOf = (name: string): FoundEntity => foundIn(graph, graph.numberOf(name)!);
    return stated.search(text, k, filter && this.source.passing(filter)).map(({ item, score }) => {
      const { head, relation, tail } = stated.facts[item]!;
      return { head: entityOf(head), relation, tail: entityOf(tail), score };
    });
  }

  async walk(request: EntityWalkRequest, call: Call): Promise<Ranking> {
    call.signal.throwIfAborted();
    const { unit, through, damping = 0.5, synonyms = false, hubs = 1, filter } = request;
    checkCount(request.k, 'The number of items');
    if (!(hubs > 0 && hubs <= 1))
      throw new InputError('bad-parameter', 'The share of items beyond which an entity is a hub', {
        expected: 'a number above 0 and at most 1',
        received: String(hubs),
      });
    const graph = await this.graphOf(unit, call);
    const seeds = this.seedsOf(request, graph);
    const edges = { synonyms, hubs };
    const k = filter ? graph.items.length : request.k;
    const steps =
      through === 'items'
        ? graph.throughItems(seeds, damping, k, edges)
        : graph.throughEntities(seeds, damping, k, edges);
    const found = await this.finished(steps, call);
    const hits = found.map(({ item, score }) => {
      const { id, documentId, start, end } = this.source.item(unit, graph.items[item]!);
      return { id, documentId, start, end, score };
    });
    if (!filter) return hits;
    const passing = this.source.passing(filter);
    return hits.filter(({ documentId }) => passing.has(documentId)).slice(0, request.k);
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
      if (node === undefined) throw unknownId(unit, id);
      seeds.set(node, weight);
    }
    return seeds;
  }

  private async graphOf(unit: Unit, call: Call): Promise<EntityGraph> {
    if (!this.graphs.has(unit)) {
      const index = await this.source.entities(call);
      const begin = () => EntityGraph.of(index, ({ places }) => this.itemsAmong(unit, places));
      if (!this.graphs.has(unit)) this.graphs.set(unit, new JointSteps(begin));
    }
    return this.finished(this.graphs.get(unit)!.finished(), call);
  }

  /** Takes steps until a call is aborted or its time is over. */
  private finished<T>(steps: Steps<T>, call: Call): Promise<T> {
    return finishWithPauses(steps, async () => {
      if (call.pause) await call.pause();
      else await this.source.turn?.();
      call.signal.throwIfAborted();
      if (call.left().ms === 0) call.refuse('ms');
    });
  }

  /** Finds the item that holds the start of each sentence, else the first that ends after it. */
  private *itemsAmong(unit: Unit, places: SentencePlaces): Steps<MentioningItems> {
    const ids: string[] = [];
    const itemOf = new Uint32Array(places.size);
    let work = 0;
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
      if ((work += CUT * (1 + end - start)) < STEP) continue;
      yield work;
      work = 0;
    }
    return { ids, itemOf };
  }
}

/** Cutting a sentence takes as long as so many sums. */
const CUT = 256;

const foundIn = (graph: EntityGraph, entity: number): FoundEntity => ({
  name: graph.names[entity]!,
  items: graph.frequencyOf(entity),
});
