/** What all rerankers behind a provider share: requests of bounded size, checks, metering. */
import type { Reranker } from '../../models/reranker.ts';
import type { Call } from '../../trace/call.ts';
import { checkedScores } from './checked-answer.ts';
import { type Answered, bytesOf, MARKS_PER_TEXT, metered } from './metered.ts';
import { requestBatches } from './request-batches.ts';

export interface RemoteRankingModel {
  readonly id: string;
  readonly who: string;
  /** The field of a score. */
  readonly key: string;
  readonly textsPerRequest: number;
  /** The ranking of all texts as it came. */
  request(query: string, texts: readonly string[], call: Call): Promise<Answered<unknown>>;
}

const BYTES_PER_REQUEST = 512 * 1024;

export function remoteReranker(remote: RemoteRankingModel): Reranker {
  return {
    id: remote.id,
    async score(query, texts, call) {
      const scores = new Float32Array(texts.length);
      const asked = query === '' ? ' ' : query.toWellFormed();
      const full = texts.map(text => (text === '' ? ' ' : text.toWellFormed()));
      for (const [start, end] of requestBatches(full, {
        texts: remote.textsPerRequest,
        bytes: BYTES_PER_REQUEST,
      })) {
        const some = full.slice(start, end);
        // A cross-encoder reads the question once for each text.
        const bytes = bytesOf(some) + bytesOf([asked]) * some.length;
        const atMost = bytes + MARKS_PER_TEXT * some.length;
        const ranking = await metered(call, 'reranker', 'score', atMost, bytes, () =>
          remote.request(asked, some, call),
        );
        scores.set(checkedScores(ranking, some.length, remote.key, remote.who), start);
      }
      return scores;
    },
  };
}
