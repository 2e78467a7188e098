/** Adapts any reranking model of the AI SDK to the port `Reranker`. */
import { defined } from '../core/defined.ts';
import type { Reranker } from '../models/reranker.ts';
import {
  type AiRerankingModel,
  aiCallOf,
  callAiModel,
  checkAiModel,
  optionsMark,
  type ProviderOptions,
} from './ai-models.ts';
import { remoteReranker } from './remote-reranker.ts';
import type { OnNote } from './request-parameters.ts';
import type { RetryOptions } from './retry-loop.ts';

export interface AiRerankerOptions {
  /** Passed on unchanged. They may change the scores, so they are part of the reranker's id. */
  readonly providerOptions?: ProviderOptions;
  /** Limit on one attempt. Milliseconds. */
  readonly totalMs?: number;
  readonly retries?: RetryOptions;
  /** Receives a note on what the model refuses, once; by default a process warning. */
  readonly onNote?: OnNote | undefined;
}

/**
 * Returns a reranker over an AI SDK model. Its calls report no usage: tokens are estimated. Throws
 * `InputError` if `model` is not one.
 */
export function aiReranker(model: AiRerankingModel, options: AiRerankerOptions = {}): Reranker {
  checkAiModel(model, 'doRerank', ['v3', 'v4']);
  const name = `${model.provider}:${model.modelId}`;
  const id = name + optionsMark(options.providerOptions);
  const label = `The model "${name}"`;
  const ai = aiCallOf({ port: 'reranker', label }, options);
  const { providerOptions } = options;
  return remoteReranker({
    id,
    label,
    key: 'relevanceScore',
    textsPerRequest: 100,
    onNote: options.onNote,
    async request(query, texts, call) {
      const documents = { type: 'text' as const, values: [...texts] };
      const answer = await callAiModel(ai, call, abortSignal =>
        model.doRerank(
          defined({ documents, query, topN: texts.length, abortSignal, providerOptions }),
        ),
      );
      return { value: answer?.ranking, tokens: undefined };
    },
  });
}
