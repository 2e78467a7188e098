/** Adapts any embedding model of the AI SDK to the port `Embedder`. */
import { defined } from '../core/defined.ts';
import type { Embedder } from '../models/embedder.ts';
import type { AiProvider } from './ai-faults.ts';
import {
  type AiEmbeddingModel,
  aiCallOf,
  callAiModel,
  checkAiModel,
  optionsMark,
  type ProviderOptions,
} from './ai-models.ts';
import { type RemoteEmbedderOptions, remoteEmbedder } from './remote-embedder.ts';
import type { RetryOptions } from './retry-loop.ts';

export interface AiEmbedderOptions extends RemoteEmbedderOptions {
  /**
   * Options of the provider by role, passed on unchanged. They may change the vectors, so they are
   * part of the embedder's id.
   */
  readonly providerOptions?: {
    readonly query?: ProviderOptions;
    readonly passage?: ProviderOptions;
  };
  /** Limit on one attempt. Milliseconds. */
  readonly totalMs?: number | undefined;
  readonly retries?: RetryOptions | undefined;
}

/** Concurrent requests if the model allows several. */
const MAX_CONCURRENT = 4;
/** Texts in a request if the model declares no limit. */
const TEXTS_PER_REQUEST = 64;

/**
 * Returns an embedder over an AI SDK model. Throws `InputError` if `model` is not one, `PortError`
 * if the provider fails.
 */
export async function aiEmbedder(
  model: AiEmbeddingModel,
  options: AiEmbedderOptions = {},
): Promise<Embedder> {
  checkAiModel(model, 'doEmbed', ['v2', 'v3', 'v4']);
  const name = `${model.provider}:${model.modelId}`;
  return embedderOver(model, { port: 'embedder', label: `The model "${name}"` }, name, options);
}

/** Returns an embedder under a name of its provider. */
export async function embedderOver(
  model: AiEmbeddingModel,
  provider: AiProvider,
  name: string,
  options: AiEmbedderOptions,
): Promise<Embedder> {
  const ai = aiCallOf(provider, options);
  const most = await model.maxEmbeddingsPerCall;
  return remoteEmbedder(
    {
      name: `${name}${optionsMark(options.providerOptions)}`,
      label: provider.label,
      model: model.modelId,
      textsPerRequest: Math.max(1, Math.min(most ?? TEXTS_PER_REQUEST, TEXTS_PER_REQUEST)),
      requestsAtOnce: (await model.supportsParallelCalls) ? MAX_CONCURRENT : 1,
      async request(texts, as, call) {
        const providerOptions = options.providerOptions?.[as];
        const answer = await callAiModel(ai, call, abortSignal =>
          model.doEmbed(defined({ values: [...texts], abortSignal, providerOptions })),
        );
        return { value: answer?.embeddings, tokens: answer?.usage?.tokens };
      },
    },
    options,
  );
}
