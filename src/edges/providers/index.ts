/**
 * Models behind the ports of embedder, reranker and language model: on this machine, behind the AI
 * SDK, behind HTTP.
 */
// Inside the room: ai-faults.ts, ai-language-stream.ts, ai-models.ts, checked-answer.ts,
// endpoint.ts, fault.ts, http-exchange.ts, metered.ts, model-folder.ts, optional-package.ts,
// recorded-address.ts, remote-embedder.ts, retry-loop.ts, sdk-fetch.ts, stopped-text.ts
export { type AiEmbedderOptions, aiEmbedder } from './ai-embedder.ts';
export { type AiLanguageModelOptions, aiLanguageModel } from './ai-language-model.ts';
export type { AiLanguageModel } from './ai-language-shapes.ts';
export type { AiEmbeddingModel, AiRerankingModel, ProviderOptions } from './ai-models.ts';
export { type AiRerankerOptions, aiReranker } from './ai-reranker.ts';
export type { EndpointOptions } from './endpoint.ts';
export { environmentKey, recordedKey } from './environment-key.ts';
export { GENERATION_LIMITS, type GenerationLimits } from './generation-limits.ts';
export { HTTP_LIMITS, type HttpLimits } from './http-exchange.ts';
export {
  cohereReranker,
  type HttpRerankerOptions,
  jinaReranker,
  type NamedRerankerOptions,
  teiReranker,
} from './http-rerankers.ts';
export {
  type EmbeddingTraits,
  embeddingTraits,
  KNOWN_EMBEDDERS,
  KNOWN_RERANKERS,
  type Pooling,
  type Prefixes,
} from './known-models.ts';
export {
  type OpenAiCompatibleOptions,
  openAiCompatibleEmbedder,
} from './openai-compatible-embedder.ts';
export {
  type OpenAiCompatibleModelOptions,
  openAiCompatibleModel,
} from './openai-compatible-language-model.ts';
export {
  knownModels,
  type ResolveOptions,
  resolveEmbedder,
  resolveLanguageModel,
  resolveReranker,
} from './resolve-model.ts';
export type { RetryOptions } from './retry-loop.ts';
export { Secret } from './secret.ts';
export {
  type LocalEmbedder,
  type TransformersEmbedderOptions,
  transformersEmbedder,
} from './transformers-embedder.ts';
export {
  type LocalLanguageModel,
  type TransformersLanguageModelOptions,
  transformersLanguageModel,
} from './transformers-language-model.ts';
export {
  type LocalReranker,
  type TransformersRerankerOptions,
  transformersReranker,
} from './transformers-reranker.ts';
