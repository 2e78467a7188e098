/** Implements what remote rerankers share: requests of bounded size, validation, metering. */

import type { Call } from '../core/trace/call.ts';
import type { Reranker } from '../models/reranker.ts';
import { checkedScores } from './checked-answer.ts';
import { CutTexts, textOf } from './cut-texts.ts';
import type { RefusedError } from './fault.ts';
import { fitted } from './fitted-text.ts';
import { bytesOf, type MeteredResult, metered, SPECIAL_TOKENS_PER_TEXT } from './metered.ts';
import { RequestSize, requestBatches } from './request-batches.ts';
import { type OnNote, warnProcess } from './request-parameters.ts';

export interface RemoteRankingModel {
  readonly id: string;
  readonly label: string;
  /** Field that holds a score. */
  readonly key: string;
  readonly textsPerRequest: number;
  readonly onNote?: OnNote | undefined;
  /** Returns the ranking of all texts as received. */
  request(query: string, texts: readonly string[], call: Call): Promise<MeteredResult<unknown>>;
}

const BYTES_PER_REQUEST = 512 * 1024;

export function remoteReranker(remote: RemoteRankingModel): Reranker {
  const { id, key, label } = remote;
  const { onNote = warnProcess } = remote;
  const size = new RequestSize(remote.textsPerRequest, label, onNote);
  const cuts = new CutTexts(label, onNote);
  return {
    id,
    async score(query, texts, call) {
      const scores = new Float32Array(texts.length);
      const queryText = query === '' ? ' ' : query.toWellFormed();
      const full = texts.map(text => (text === '' ? ' ' : text.toWellFormed()));
      const request = async (some: readonly string[]): Promise<Float32Array> => {
        // A cross-encoder reads the query once for each text.
        const bytes = bytesOf(some) + bytesOf([queryText]) * some.length;
        const atMost = bytes + SPECIAL_TOKENS_PER_TEXT * some.length;
        const ranking = await metered(call, 'reranker', 'score', atMost, bytes, () =>
          remote.request(queryText, some, call),
        );
        return checkedScores(ranking, some.length, key, label);
      };
      const alone = async (text: string, error: RefusedError): Promise<number> => {
        const fit = await fitted(text, error, call, request);
        if (!fit) throw error.ofText(textOf(text, undefined));
        cuts.add(text, { kept: fit.kept, error });
        return fit.result;
      };
      const limits = { texts: size.texts, bytes: BYTES_PER_REQUEST, alone: size.isLong };
      for (const [start, end] of requestBatches(full, limits))
        scores.set(await size.halved(full.slice(start, end), call, { request, alone }), start);
      return scores;
    },
  };
}
