/** Any embedding model of the AI SDK as an embedder. */
import type { Embedder } from '../../models/embedder.ts';
import {
  type AiEmbeddingModel,
  callAiModel,
  checkAiModel,
  optionsMark,
  type ProviderOptions,
} from './ai-models.ts';
import { type RemoteEmbedderOptions, remoteEmbedder } from './remote-embedder.ts';
import { RetryLoop, type RetryOptions } from './retry-loop.ts';

export interface AiEmbedderOptions extends RemoteEmbedderOptions {
  /**
   * Passed on, by role: some providers want to be told which it is. They may change the vectors, so
   * they are a part of the embedder's id.
   */
  readonly providerOptions?: {
    readonly query?: ProviderOptions;
    readonly passage?: ProviderOptions;
  };
  /** Limit on one attempt. Milliseconds. */
  readonly totalMs?: number;
  readonly retries?: RetryOptions;
}

/** Requests under way where the model allows several. */
const AT_ONCE = 4;
/** Texts in a request where the model names no limit. */
const TEXTS = 64;

/** Throws `InputError` for what is no such model, `PortError` when it cannot be asked. */
export async function aiEmbedder(
  model: AiEmbeddingModel,
  options: AiEmbedderOptions = {},
): Promise<Embedder> {
  checkAiModel(model, 'doEmbed', ['v2', 'v3', 'v4']);
  const who = `The model "${model.provider}:${model.modelId}"`;
  const ai = {
    port: 'embedder' as const,
    who,
    loop: new RetryLoop('embedder', who, options.retries),
    totalMs: options.totalMs ?? 90_000,
  };
  const most = await model.maxEmbeddingsPerCall;
  const remote = {
    name: `${model.provider}:${model.modelId}${optionsMark(options.providerOptions)}`,
    who,
    model: model.modelId,
    textsPerRequest: Math.max(1, Math.min(most ?? TEXTS, TEXTS)),
    requestsAtOnce: (await model.supportsParallelCalls) ? AT_ONCE : 1,
  };
  return remoteEmbedder(
    {
      ...remote,
      async request(texts, as, call) {
        const providerOptions = options.providerOptions?.[as];
        const more = providerOptions === undefined ? {} : { providerOptions };
        const answer = await callAiModel(ai, call, abortSignal =>
          model.doEmbed({ values: [...texts], abortSignal, ...more }),
        );
        return { value: answer?.embeddings, tokens: answer?.usage?.tokens };
      },
    },
    options,
  );
}
