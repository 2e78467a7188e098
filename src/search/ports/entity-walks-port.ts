/** The port of walks over a graph of entities, for strategies that rank items by PageRank. */
import type { Filter } from '../../core/corpus/filter.ts';
import type { Ranking, Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Port } from '../ports.ts';
import { bothFilters } from '../retriever.ts';

/** An entity of the graph. */
export interface FoundEntity {
  /** Words in lower case, without marks. */
  readonly name: string;
  /** Number of items that mention it: 1 divided by it is its specificity. */
  readonly items: number;
}

export interface EntityWalkRequest {
  readonly unit: Unit;
  /** Entities to start at, by the names of `entities`, each with a weight of at least 0. */
  readonly entities: readonly (readonly [name: string, weight: number])[];
  /** Items to start at. Needs `through: 'items'`. */
  readonly items?: readonly (readonly [id: string, weight: number])[];
  /**
   * `entities`: the walk goes over entities alone, and an item has the sum of those that it
   * mentions (HippoRAG); `items`: items are nodes too, joined to what they mention (HippoRAG 2).
   */
  readonly through: 'entities' | 'items';
  /** Probability of following an edge; 0.5 if missing. */
  readonly damping?: number;
  /**
   * Joins names that may mean one entity, by trigrams and contained names; false if missing. The
   * edges of the collection are found at the first walk that asks for them.
   */
  readonly synonyms?: boolean;
  /**
   * Hub control: entities in a greater share of items, and in more than 50, take no part, and no
   * walk starts there; 1 if missing, which keeps all.
   */
  readonly hubs?: number;
  /** Items of documents that pass it are returned; the walk goes over all. */
  readonly filter?: Filter;
  /** Largest number of items. */
  readonly k: number;
}

export interface EntityWalks {
  /**
   * Returns the entity of each name: the one of that name, else the one of the most items whose
   * name has it as words; undefined if there is none.
   */
  entities(unit: Unit, names: readonly string[], call: Call): Promise<(FoundEntity | undefined)[]>;
  /**
   * Ranks items by personalised PageRank; none of score 0. Throws `InputError('unknown-entity' |
   * 'unknown-id' | 'bad-seed' | 'bad-parameter' | 'bad-k')`.
   */
  walk(request: EntityWalkRequest, call: Call): Promise<Ranking>;
}

export const ENTITY_WALKS: Port<EntityWalks> = {
  name: 'entity-walks',
  summary: 'walks over a graph of entities',
  methods: {
    entities: { nothing: (_unit, names) => names.map(() => undefined) },
    // A walk ranks items as a search does.
    walk: {
      usage: () => ({ retrievals: 1 }),
      nothing: () => [],
      within: (filter, [request, call]) => [
        { ...request, filter: bothFilters(filter, request.filter)! },
        call,
      ],
    },
  },
};
