/** The engine that is searched and written to, and the retrievers that ask it. */
// Inside the room: clauses.ts, dense.ts, engine-retriever.ts, filtered.ts, fused.ts, hybrid.ts,
// lexical.ts, max-p.ts, readings.ts, reranked.ts, space-names.ts, vector-spaces.ts

export {
  DEFAULT_CHUNKER,
  EmbeddedEngine,
  type EmbeddedOptions,
  sameDocument,
} from './embedded-engine.ts';
export { type Cut, Embeddings } from './embeddings.ts';
export type {
  Engine,
  EngineQuery,
  Explanation,
  FieldValue,
  SearchEngine,
  SearchRequest,
  Stored,
} from './engine.ts';
export { checkFilterValues } from './filter-values.ts';
export {
  bothFilters,
  keptFrom,
  type Retriever,
  type RetrieverModels,
  type RetrieverQuery,
  type StrategyQuery,
  searchAll,
  type UnboundRetriever,
} from './retriever.ts';
export { retrievers } from './retrievers.ts';
export { cutBy, type PackedIndexes, Snapshot } from './snapshot.ts';
export {
  DEFAULT_TEMPLATE,
  type TextTemplate,
  textTemplates,
  withHeader,
} from './text-templates.ts';
export type { StoredVectors } from './vector-spaces.ts';
