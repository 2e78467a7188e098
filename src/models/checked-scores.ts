/** The scores of a reranker, held to its word before anybody uses or keeps them. */
import { PortError } from '../errors.ts';
import type { Reranker } from './reranker.ts';

/** As many as pairs, and finite. Throws `PortError`. */
export function checkScores({ id }: Reranker, scores: Float32Array, pairs: number): void {
  const fail = (code: string, expected: string, received: string): PortError =>
    new PortError('reranker', code, `The reranker "${id}" gave scores that cannot be used`, {
      expected,
      received,
    });
  if (scores.length !== pairs) throw fail('wrong-count', `${pairs} scores`, String(scores.length));
  const bad = scores.find(score => !Number.isFinite(score));
  if (bad !== undefined) throw fail('not-finite', 'finite numbers', String(bad));
}
