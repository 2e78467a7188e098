/**
 * Exports embedders, rerankers, question answerers and language models: local, over the AI SDK, or
 * over HTTP.
 *
 * @module multihop/providers
 */
import { checkNode } from '../platform/node-version.ts';

export { Secret } from '../platform/secret.ts';
export { aiEmbedder } from './ai-embedder.ts';
export { aiLanguageModel } from './ai-language-model.ts';
export { aiReranker } from './ai-reranker.ts';
export { environmentKey } from './environment-key.ts';
export { cohereReranker, jinaReranker, teiReranker } from './http-rerankers.ts';
export { ggufLanguageModel } from './llama/gguf-language-model.ts';
export { openAiCompatibleEmbedder } from './openai-compatible-embedder.ts';
export { openAiCompatibleModel } from './openai-compatible-language-model.ts';
export { knownModels, resolveModel } from './resolve-model.ts';
export { transformersEmbedder } from './transformers-embedder.ts';
export { transformersLanguageModel } from './transformers-language-model.ts';
export { transformersQuestionAnswerer } from './transformers-question-answerer.ts';
export { transformersReranker } from './transformers-reranker.ts';

checkNode();
