/** The port that explains scores. */

import type { Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Explanation } from '../indexes/explanation.ts';
import type { Port } from '../ports.ts';

export type { Explanation };

export interface ExplainRequest {
  readonly unit: Unit;
  readonly query: string;
  readonly id: string;
  readonly scorer?: string;
  /** True if somebody typed the query to search. */
  readonly typed?: boolean;
}

export interface Explain {
  /** Returns the parts of an item's lexical score for a query. */
  explain(request: ExplainRequest, call: Call): Promise<Explanation>;
}

export const EXPLAIN: Port<Explain> = {
  name: 'explain',
  summary: 'explanations of scores',
  methods: { explain: {} },
};
