/** The engine that is searched and written to, and the retrievers that ask it. */
// Inside the room: lexical.ts
export { DEFAULT_CHUNKER, EmbeddedEngine, type EmbeddedOptions, sameDocument } from './embedded-engine.ts';
export type { Engine, EngineQuery, Explanation, FieldValue, SearchEngine, SearchRequest, Stored } from './engine.ts';
export {
  bothFilters,
  keptFrom,
  type Retriever,
  type RetrieverQuery,
  type StrategyQuery,
  searchAll,
  type UnboundRetriever,
} from './retriever.ts';
export { retrievers } from './retrievers.ts';
export { type PackedIndexes, Snapshot } from './snapshot.ts';
