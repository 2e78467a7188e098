/**
 * Exports the ports of models and their decorators: caches, cassettes, prices, metering.
 *
 * @module multihop/models
 */

export type { ResourcePort } from '../core/port.ts';
export { cachedEmbedder } from './cached-embedder.ts';
export { type CompletionStore, cachedModel, replayedModel } from './cached-model.ts';
export { cachedReranker } from './cached-reranker.ts';
export { readTokenClassifiers } from './efficient-rag/read-token-classifiers.ts';
export type { TokenClassifiers } from './efficient-rag/token-classifiers.ts';
export type { Embedder } from './embedder.ts';
export type { Message } from './language-model.ts';
export { meteredModel } from './metered-model.ts';
export { ports } from './ports.ts';
export { pricedModel } from './priced-model.ts';
export type { QueryUpdater } from './query-updater.ts';
export type { QuestionAnswerer } from './question-answerer.ts';
export { openRanker } from './ranker/open-ranker.ts';
export type { Reranker } from './reranker.ts';
export { generateStructured } from './structured.ts';
