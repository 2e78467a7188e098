/** The port of facts between entities, which a graph of triples states. */
import type { Filter } from '../../core/corpus/filter.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Port } from '../ports.ts';
import { bothFilters } from '../retriever.ts';
import type { FoundEntity } from './entity-walks-port.ts';

/** A fact of the graph: how often documents state it makes no difference. */
export interface FoundFact {
  readonly head: FoundEntity;
  /** In the words of the recogniser. */
  readonly relation: string;
  readonly tail: FoundEntity;
  /** Above 0: a fact that shares no such word with the text is not returned. */
  readonly score: number;
}

export interface EntityFactsRequest {
  /** Items that the entities are counted in. */
  readonly unit: Unit;
  readonly text: string;
  /** Facts are returned that a document states which passes it. */
  readonly filter?: Filter;
  /** Largest number of facts. */
  readonly k: number;
}

export interface EntityFacts {
  /**
   * Ranks facts by the words that they share with a text (BM25 without stop words), those of equal
   * score by their words; none in a graph of a recogniser that states no relations. Throws
   * `InputError('bad-k' | 'unknown-field')`.
   */
  facts(request: EntityFactsRequest, call: Call): Promise<FoundFact[]>;
}

export const ENTITY_FACTS: Port<EntityFacts> = {
  name: 'entity-facts',
  summary: 'facts between entities',
  methods: {
    facts: {
      usage: () => ({ retrievals: 1 }),
      nothing: () => [],
      within: (filter, [request, call]) => [
        { ...request, filter: bothFilters(filter, request.filter)! },
        call,
      ],
    },
  },
};
