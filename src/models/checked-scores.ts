/** Validates the scores of a reranker before they are used or stored. */
import { invalidOutput } from './invalid-output.ts';
import type { Reranker } from './reranker.ts';

/** Checks that there is one finite score for each pair. Throws `PortError`. */
export function checkScores({ id }: Reranker, scores: Float32Array, pairs: number): void {
  const fail = invalidOutput('reranker', `The reranker "${id}" returned invalid scores`);
  if (scores.length !== pairs) throw fail('wrong-count', `${pairs} scores`, String(scores.length));
  const bad = scores.find(score => !Number.isFinite(score));
  if (bad !== undefined) throw fail('not-finite', 'finite numbers', String(bad));
}
