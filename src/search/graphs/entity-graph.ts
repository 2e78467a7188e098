/** Entities and items as nodes of a graph: the second view of the entities of sentences. */

import { JointSteps } from '../../core/joint-steps.ts';
import { bestOf, type ScoredItem } from '../../core/ranking/top.ts';
import { STEP, type Steps } from '../../core/steps.ts';
import { entityName } from '../../models/entity-recogniser.ts';
import { Adjacency } from '../indexes/graph/adjacency.ts';
import {
  addCoOccurrences,
  EdgeList,
  entitiesOfItems,
  UNIT,
} from '../indexes/graph/entity-edges.ts';
import { inverted, type Lists, listOf } from '../indexes/graph/mentions.ts';
import { WalkGraph } from '../indexes/graph/page-rank.ts';
import { type SynonymPair, synonymPairSteps } from '../indexes/graph/synonyms.ts';
import { RecentlyUsed } from '../indexes/recently-used.ts';
import {
  type NumberedMentions,
  numberedMentions,
  type SentenceEntities,
} from './sentence-entities.ts';

/** Items in the order of their documents; `itemOf` gives the item of each sentence. */
export interface MentioningItems {
  readonly ids: readonly string[];
  readonly itemOf: Uint32Array;
}

/** Seeds by number of node. */
export type Seeds = ReadonlyMap<number, number>;

type Ranks = Steps<readonly ScoredItem[]>;

/** Edges that a walk may follow besides relations. */
export interface WalkEdges {
  /** Joins names that may mean one entity. */
  readonly synonyms: boolean;
  /** Entities in a greater share of items are no part of the graph; 1 keeps all. */
  readonly hubs: number;
}

/**
 * Items that an entity may have in any collection: in a folder of twenty documents a name in three
 * is what joins them, not a hub. The number of ChainRAG's shared corpora.
 */
const FEW = 50;

export class EntityGraph {
  readonly items: readonly string[];
  readonly names: readonly string[];
  private readonly numbers: ReadonlyMap<string, number>;
  /** The entities of each item, and the items of each entity. */
  private readonly entitiesOf: Lists;
  private readonly itemsOf: Lists;
  private nodes: ReadonlyMap<string, number> | undefined;
  private readonly relations: EdgeList = new EdgeList();
  private readonly walks = new RecentlyUsed<JointSteps<WalkGraph>>(MOST_GRAPHS);
  private pairs: JointSteps<readonly SynonymPair[]> | undefined;

  private constructor(mentions: NumberedMentions, { ids, itemOf }: MentioningItems) {
    [this.items, this.names] = [ids, mentions.names];
    this.numbers = new Map(mentions.names.map((name, number) => [name, number]));
    this.entitiesOf = entitiesOfItems(mentions, itemOf, ids.length);
    this.itemsOf = inverted(this.entitiesOf, mentions.names.length);
  }

  /** Makes the graph in steps. */
  static *of(
    index: SentenceEntities,
    itemsAmong: (mentions: NumberedMentions) => Steps<MentioningItems>,
  ): Steps<EntityGraph> {
    const mentions = numberedMentions(index);
    yield mentions.sequence.length;
    const graph = new EntityGraph(mentions, yield* itemsAmong(mentions));
    yield mentions.sequence.length;
    yield* graph.addRelations(index, mentions);
    return graph;
  }

  /** Returns the number of an entity's node. */
  numberOf(name: string): number | undefined {
    return this.numbers.get(name);
  }

  /** Returns the number of items that mention an entity. */
  frequencyOf(entity: number): number {
    return this.itemsOf.starts[entity + 1]! - this.itemsOf.starts[entity]!;
  }

  /** Returns the node of an item; undefined if it is unknown. */
  nodeOf(id: string): number | undefined {
    this.nodes ??= new Map(this.items.map((item, at) => [item, this.names.length + at]));
    return this.nodes.get(id);
  }

  /** Returns the entity of a name, else the one of the most items that has it as words. */
  find(mention: string): number | undefined {
    const name = entityName(mention);
    const exact = this.numbers.get(name);
    if (exact !== undefined || name === '') return exact;
    let found: number | undefined;
    for (const [number, other] of this.names.entries())
      if (other.includes(name) && ` ${other} `.includes(` ${name} `))
        if (found === undefined || this.frequencyOf(number) > this.frequencyOf(found))
          found = number;
    return found;
  }

  /** Returns true for an entity in more items than the share allows, and in more than `FEW`. */
  isHub(entity: number, share: number): boolean {
    const items = this.frequencyOf(entity);
    return items > FEW && items > share * this.items.length;
  }

  /** Ranks items by a walk over entities alone: each has the sum of those that it mentions. */
  *throughEntities(seeds: Seeds, damping: number, k: number, edges: WalkEdges): Ranks {
    const scores = yield* this.ranked(seeds, damping, edges, false);
    const sums = Float64Array.from(this.items, (_, item) =>
      listOf(this.entitiesOf, item).reduce((sum, entity) => sum + scores[entity]!, 0),
    );
    return best(sums, k);
  }

  /** Ranks items by a walk over entities and items. */
  *throughItems(seeds: Seeds, damping: number, k: number, edges: WalkEdges): Ranks {
    const scores = yield* this.ranked(seeds, damping, edges, true);
    return best(scores.slice(this.names.length), k);
  }

  /** No walk starts at a hub. */
  private *ranked(
    seeds: Seeds,
    damping: number,
    edges: WalkEdges,
    withItems: boolean,
  ): Steps<Float64Array> {
    const starts = [...seeds].filter(
      ([node]) => node >= this.names.length || !this.isHub(node, edges.hubs),
    );
    const graph = yield* this.walkGraph(edges, withItems);
    return graph.rank(new Map(starts), { damping, ...EXACTLY }).scores;
  }

  private *walkGraph(edges: WalkEdges, withItems: boolean): Steps<WalkGraph> {
    const key = `${edges.synonyms} ${edges.hubs} ${withItems}`;
    let walk = this.walks.get(key);
    if (!walk) {
      walk = new JointSteps(() => this.adjacency(edges, withItems));
      this.walks.set(key, walk);
    }
    return yield* walk.finished();
  }

  private *adjacency({ synonyms, hubs }: WalkEdges, withItems: boolean): Steps<WalkGraph> {
    const { names, items, relations } = this;
    const list = new EdgeList(relations);
    if (synonyms) {
      this.pairs ??= new JointSteps(() => synonymPairSteps(names));
      // Rounded, so that weights add up exactly in any order.
      for (const { from, to, cosine } of yield* this.pairs.finished())
        list.add(from, to, Math.ceil(UNIT * cosine));
    }
    yield STEP;
    if (withItems)
      for (const item of items.keys())
        for (const entity of listOf(this.entitiesOf, item)) list.add(entity, names.length + item);
    yield STEP;
    const isLeftOut = (node: number): boolean => node < names.length && this.isHub(node, hubs);
    const edges = list.edges(isLeftOut);
    yield edges.from.length;
    const graph = Adjacency.of(names.length + (withItems ? items.length : 0), edges);
    yield edges.from.length;
    return new WalkGraph(graph);
  }

  /** Joins entities by the triples of their document, by co-occurrence where it states none. */
  private *addRelations(index: SentenceEntities, mentions: NumberedMentions): Steps<void> {
    const { places, sequence, ends } = mentions;
    const isStated = new Uint8Array(places.size);
    let work = 0;
    for (const [id, { triples }] of index) {
      if (triples.length > 0) isStated.fill(1, ...places.spanOf(id)!);
      for (const { head, tail } of triples) {
        const [from, to] = [this.numbers.get(head), this.numbers.get(tail)];
        if (from !== undefined && to !== undefined) this.relations.add(from, to);
      }
      if ((work += LOOK_UP * (1 + triples.length)) < STEP) continue;
      yield work;
      work = 0;
    }
    for (let first = 0; first < ends.length; first += SENTENCES) {
      const start = first === 0 ? 0 : ends[first - 1]!;
      const some = ends.subarray(first, first + SENTENCES).map(end => end - start);
      addCoOccurrences(
        this.relations,
        { entities: mentions.entities, sequence: sequence.subarray(start), ends: some },
        sentence => isStated[first + sentence] === 1,
      );
      yield STEP;
    }
  }
}

/** Looking a name up takes as long as so many sums. */
const LOOK_UP = 16;
/** Sentences whose entities are joined in one step. */
const SENTENCES = 1024;

/** Graphs that are kept: strategies with their default settings need three of a unit. */
const MOST_GRAPHS = 4;

/** Walks go on until no score is off by more. */
const EXACTLY = { top: 0, tolerance: 1e-10 };

const best = (scores: Float64Array, k: number): ScoredItem[] =>
  bestOf(Uint32Array.from(scores.keys()), scores, scores.length, k).filter(
    ({ score }) => score > 0,
  );
