/** Declares the port of rerankers: models that score a query and a text together. */
import type { Call } from '../core/trace/call.ts';

export interface Reranker {
  readonly id: string;
  /**
   * Returns one finite score for each text, in order; higher is better. Scores of different queries
   * need not be comparable; `reranked(..., ask=clauses)` requires models whose logits are, such as
   * cross-encoders. Throws `PortError` for faults of the environment.
   */
  score(query: string, texts: readonly string[], call: Call): Promise<Float32Array>;
}
