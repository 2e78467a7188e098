/** The ports of models (language model, embedder, reranker) and their decorators. */
// Inside the room: efficient-rag/chunk-features.ts, efficient-rag/filter-features.ts,
// efficient-rag/network.ts, efficient-rag/shipped.ts, efficient-rag/term-weights.ts,
// efficient-rag/word-features.ts, efficient-rag/words.ts, checked-fields.ts, fact-ranker/,
// fact-reader/, through-cache.ts
export { type CachedEmbedderOptions, cachedEmbedder } from './cached-embedder.ts';
export {
  type CompletionStore,
  cachedModel,
  completionKey,
  type ReplayedModel,
  replayedModel,
  type StoredModelOptions,
} from './cached-model.ts';
export { type CachedRerankerOptions, cachedReranker } from './cached-reranker.ts';
export { checkedCompletion, LONGEST_COMPLETION } from './checked-completion.ts';
export { checkScores } from './checked-scores.ts';
export { checkVectors, embedChecked } from './checked-vectors.ts';
export {
  LITE_FORMAT,
  type LiteCheckpoint,
  liteParameters,
  readLite,
  writeLite,
} from './efficient-rag/lite-checkpoint.ts';
export {
  type Decision,
  LITE_PARTS,
  type LiteModel,
  type LitePart,
  liteClassifiers,
} from './efficient-rag/lite-classifiers.ts';
export {
  CHUNK_TAGS,
  type Chunk,
  type ChunkTag,
  filterSentence,
  type LabeledChunk,
  type Labeler,
  type QueryFilter,
  type TokenClassifiers,
} from './efficient-rag/token-classifiers.ts';
export type { Embedder, EmbeddingRole } from './embedder.ts';
export { jsonIn, jsonValuesIn, withoutThinking } from './json-in-text.ts';
export { KNOWN_PRICES } from './known-prices.ts';
export type {
  Completion,
  JsonSchema,
  LanguageModel,
  Message,
  Prompt,
  TokenUsage,
} from './language-model.ts';
export { type MeteredModel, type ModelSpending, meteredModel } from './metered-model.ts';
export { namedReranker } from './named-reranker.ts';
export type { PlannedCalls } from './planned-calls.ts';
export { type Price, type PriceTable, priceIn, usdOf } from './price.ts';
export { pricedModel } from './priced-model.ts';
export { firstTokens, promptTokens } from './prompt-tokens.ts';
export type { QueryUpdater } from './query-updater.ts';
export { repairable } from './repairable-calls.ts';
export type { Reranker } from './reranker.ts';
export { reservedModel, usageOf } from './reserved-model.ts';
export { generateStructured, REPAIR_TOKENS, type Structured } from './structured.ts';
export type { ContentHash, VectorCache } from './vector-cache.ts';
