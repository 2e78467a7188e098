/** Validates the scores of a reranker before they are used or stored. */
import { PortError } from '../core/errors.ts';
import type { Reranker } from './reranker.ts';

/** Checks that there is one finite score for each pair. Throws `PortError`. */
export function checkScores({ id }: Reranker, scores: Float32Array, pairs: number): void {
  const fail = (code: string, expected: string, received: string): PortError =>
    new PortError('reranker', code, `The reranker "${id}" returned invalid scores`, {
      expected,
      received,
    });
  if (scores.length !== pairs) throw fail('wrong-count', `${pairs} scores`, String(scores.length));
  const bad = scores.find(score => !Number.isFinite(score));
  if (bad !== undefined) throw fail('not-finite', 'finite numbers', String(bad));
}
