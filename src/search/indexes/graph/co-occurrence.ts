/** Joins sentences that share a key entity (ChainRAG, arXiv 2502.14245, section 3.1). */
import { importances, keyEntities } from './key-entities.ts';
import {
  type DistinctMentions,
  distinctMentions,
  inverted,
  type Lists,
  listOf,
  type Mentions,
} from './mentions.ts';

export interface CoOccurrenceOptions {
  /** Share of the entities that are key entities; 0.6 if missing, as the paper has it. */
  readonly share?: number;
  /** Entities of more sentences join none; 50 if missing. */
  readonly most?: number;
}

/** Edges are found as they are asked for: all of them would be dozens a sentence. */
export class CoOccurrence {
  /** 1 for each entity that joins sentences. */
  readonly joins: Uint8Array;
  private readonly entities: DistinctMentions;
  private readonly sentences: Lists;

  constructor(mentions: Mentions, { share = 0.6, most = 50 }: CoOccurrenceOptions = {}) {
    this.entities = distinctMentions(mentions);
    this.sentences = inverted(this.entities, mentions.entities);
    const keys = keyEntities(importances(this.entities, this.sentences), share);
    const { starts } = this.sentences;
    this.joins = keys.map((isKey, entity) =>
      starts[entity + 1]! - starts[entity]! <= most ? isKey : 0,
    );
  }

  /**
   * Returns the sentences that share a key entity with this one, each with the sum of how rare they
   * are: ln(1 + (n - f + 0.5) / (f + 0.5)) for an entity in f of n sentences.
   */
  neighbours(sentence: number): Map<number, number> {
    const weights = new Map<number, number>();
    const count = this.entities.starts.length - 1;
    // Ascending, so that both ends of an edge add in one order.
    for (const entity of listOf(this.entities, sentence)) {
      if (this.joins[entity] === 0) continue;
      const holding = listOf(this.sentences, entity);
      const rarity = Math.log(1 + (count - holding.length + 0.5) / (holding.length + 0.5));
      for (const other of holding)
        if (other !== sentence) weights.set(other, (weights.get(other) ?? 0) + rarity);
    }
    return weights;
  }
}
