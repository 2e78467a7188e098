/** The ports of models - embedder and reranker - and what decorates them. */
export { type CachedEmbedderOptions, cachedEmbedder } from './cached-embedder.ts';
export { type CachedRerankerOptions, cachedReranker } from './cached-reranker.ts';
export { checkScores } from './checked-scores.ts';
export { checkVectors, embedChecked } from './checked-vectors.ts';
export type { Embedder, EmbeddingRole } from './embedder.ts';
export type { Reranker } from './reranker.ts';
export type { ContentHash, VectorCache } from './vector-cache.ts';
