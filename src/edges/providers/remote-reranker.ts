/** Implements what remote rerankers share: requests of bounded size, validation, metering. */
import type { Reranker } from '../../models/reranker.ts';
import type { Call } from '../../trace/call.ts';
import { checkedScores } from './checked-answer.ts';
import { bytesOf, type MeteredResult, metered, SPECIAL_TOKENS_PER_TEXT } from './metered.ts';
import { requestBatches } from './request-batches.ts';

export interface RemoteRankingModel {
  readonly id: string;
  readonly label: string;
  /** Field that holds a score. */
  readonly key: string;
  readonly textsPerRequest: number;
  /** Returns the ranking of all texts as received. */
  request(query: string, texts: readonly string[], call: Call): Promise<MeteredResult<unknown>>;
}

const BYTES_PER_REQUEST = 512 * 1024;

export function remoteReranker(remote: RemoteRankingModel): Reranker {
  return {
    id: remote.id,
    async score(query, texts, call) {
      const scores = new Float32Array(texts.length);
      const queryText = query === '' ? ' ' : query.toWellFormed();
      const full = texts.map(text => (text === '' ? ' ' : text.toWellFormed()));
      for (const [start, end] of requestBatches(full, {
        texts: remote.textsPerRequest,
        bytes: BYTES_PER_REQUEST,
      })) {
        const some = full.slice(start, end);
        // A cross-encoder reads the query once for each text.
        const bytes = bytesOf(some) + bytesOf([queryText]) * some.length;
        const atMost = bytes + SPECIAL_TOKENS_PER_TEXT * some.length;
        const ranking = await metered(call, 'reranker', 'score', atMost, bytes, () =>
          remote.request(queryText, some, call),
        );
        scores.set(checkedScores(ranking, some.length, remote.key, remote.label), start);
      }
      return scores;
    },
  };
}
