/**
 * Defines the laws of rerankers: one finite score a text, whatever stands beside it, and the best
 * for the text that a query repeats.
 */
import { freeCall } from '../core/trace/call.ts';
import type { Reranker } from '../models/reranker.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
import { holds, type Law, law, same, throws } from './law.ts';

export interface RerankerLawsOptions {
  /**
   * Largest difference between scores of one text in different calls; 1e-3 by default. Quantised
   * models pad and round by batch.
   */
  readonly tolerance?: number;
}

const TEXTS = FIXTURE_DOCUMENTS.map(({ text }) => text);
const ODD = ['', ' \n\t ', '?', '東京は日本の首都です。😀', '\ud800 \u0000 $& "', 'x'.repeat(5000)];

/**
 * Returns the laws of a reranker.
 *
 * @example
 * ```ts
 * import { overlapReranker, rerankerLaws } from 'multihop/testing';
 *
 * for (const law of rerankerLaws(overlapReranker())) await law.run();
 * ```
 */
export function rerankerLaws(
  reranker: Reranker,
  { tolerance = 1e-3 }: RerankerLawsOptions = {},
): Law[] {
  const scored = async (query: string, texts: readonly string[]): Promise<Float32Array> => {
    const scores = await reranker.score(query, texts, freeCall());
    same(scores.length, texts.length, 'scores');
    holds(scores.every(Number.isFinite), 'scores', 'finite numbers', [...scores]);
    return scores;
  };
  return [
    law('reranker: has an id', () => holds(reranker.id !== '', 'id', 'a name', reranker.id)),
    law('reranker: returns one finite score per text, and none for no texts', async () => {
      for (const query of [...ODD, FIXTURE_QUESTIONS[0]!.text])
        for (const texts of [[], ODD, TEXTS]) await scored(query, texts);
    }),
    law('reranker: a text has one score, alone and beside others', async () => {
      for (const { text: query } of FIXTURE_QUESTIONS.slice(0, 3)) {
        const together = await scored(query, TEXTS);
        for (const [at, text] of TEXTS.entries()) {
          const apart = Math.abs((await scored(query, [text]))[0]! - together[at]!);
          holds(apart <= tolerance, `"${text.slice(0, 60)}"`, `at most ${tolerance} apart`, apart);
        }
      }
    }),
    law('reranker: no text scores higher than the one that a query repeats', async () => {
      for (const [at, query] of TEXTS.entries()) {
        const scores = await scored(query, TEXTS);
        const most = Math.max(...scores);
        holds(
          most - scores[at]! <= tolerance,
          `"${query.slice(0, 60)}"`,
          'the highest score',
          most,
        );
      }
    }),
    law('reranker: rejects an aborted call', () =>
      throws(
        () => reranker.score('Who?', TEXTS, freeCall(AbortSignal.abort())),
        () => true,
        'score',
        'an error',
      ),
    ),
  ];
}
