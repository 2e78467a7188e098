/**
 * Adds the likeness of vectors to the scores of sections: one more member of their sum, for the best
 * sections alone, so that a corpus whose passages have no vectors yet embeds only these.
 */
import { bestPlaces } from '../../models/fact-ranker/features.ts';
import { requirePort } from '../../retrieval/capabilities.ts';
import type { SearchEngine } from '../../retrieval/engine.ts';
import { VECTORS } from '../../retrieval/vectors-port.ts';
import type { Call } from '../../trace/call.ts';
import type { Section } from './sections.ts';

/** Sections that are compared by vectors: several times as many as any budget of tokens holds. */
export const COMPARED_SECTIONS = 80;

const UNIT = 'passage';

export class SectionVectors {
  private readonly engine: SearchEngine;
  private readonly space: string;
  private readonly call: Call;

  constructor(engine: SearchEngine, space: string, call: Call) {
    [this.engine, this.space, this.call] = [engine, space, call];
  }

  /**
   * Returns the scores with the likeness of each of the best sections to the question added, scaled
   * from 0, the least alike of them, to 1. The others are left as they are.
   */
  async added(
    sections: readonly Section[],
    scores: readonly number[],
    question: string,
  ): Promise<number[]> {
    const { engine, space, call } = this;
    const best = bestPlaces(Float64Array.from(scores), COMPARED_SECTIONS);
    const port = requirePort(engine, VECTORS, 'The strategy "fact-lanes"');
    const [query] = await port.queryVectors(UNIT, [question], space, call);
    const all = [...scores];
    if (query === undefined || best.length === 0) return all;
    const ids = best.map(at => sections[at]!.passage.id);
    const [cosines] = await port.scores(UNIT, ids, [query], space, call);
    const [least, most] = [Math.min(...cosines!), Math.max(...cosines!)];
    for (const [place, at] of best.entries())
      if (most > least) all[at]! += (cosines![place]! - least) / (most - least);
    return all;
  }
}
