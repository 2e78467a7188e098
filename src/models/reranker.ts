/** Declares the port of rerankers: models that score a query and a text together. */
import type { Call } from '../core/trace/call.ts';
import { invalidOutput } from './invalid-output.ts';

export interface Reranker {
  readonly id: string;
  /**
   * Returns one finite score for each text, in order; higher is better. Scores of different queries
   * need not be comparable; `reranked(..., ask=clauses)` requires models whose logits are, such as
   * cross-encoders. Throws `PortError` for faults of the environment.
   */
  score(query: string, texts: readonly string[], call: Call): Promise<Float32Array>;
}

/** Checks that there is one finite score for each pair. Throws `PortError`. */
export function checkScores(
  { id }: Pick<Reranker, 'id'>,
  scores: Float32Array,
  pairs: number,
): void {
  const fail = invalidOutput('reranker', `The reranker "${id}" returned invalid scores`);
  if (scores.length !== pairs) throw fail('wrong-count', `${pairs} scores`, String(scores.length));
  const bad = scores.find(score => !Number.isFinite(score));
  if (bad !== undefined) throw fail('not-finite', 'finite numbers', String(bad));
}
