/** The port of rerankers: models that read a query and a text together. */
import type { Call } from '../trace/call.ts';

export interface Reranker {
  readonly id: string;
  /**
   * One finite score a text, in order; higher is better. Scores of different queries need not
   * compare; `reranked(..., ask=clauses)` is for models whose logits do, as those of
   * cross-encoders. Throws `PortError` for the world's faults.
   */
  score(query: string, texts: readonly string[], call: Call): Promise<Float32Array>;
}
