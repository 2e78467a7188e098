<<<<<<< HEAD
/** The engine that is searched and written to, and the retrievers that ask it. */
// Inside the room: clauses.ts, dense.ts, engine-retriever.ts, filtered.ts, fused.ts, hybrid.ts,
// lexical.ts, max-p.ts, readings.ts, reranked.ts, space-names.ts, vector-spaces.ts

export {
  type Capabilities,
  checkRequirements,
  type FilterOperation,
  type Requirements,
  requirePort,
} from './capabilities.ts';
export {
  DEFAULT_CHUNKER,
  EmbeddedEngine,
  type EmbeddedOptions,
  sameDocument,
} from './embedded-engine.ts';
export { type Cut, Embeddings } from './embeddings.ts';
export {
  CATALOGUE,
  type Catalogue,
  type Engine,
  type EngineQuery,
  type EngineSnapshot,
  engineWith,
  type FieldValue,
  RECORDS,
  type Records,
  SEARCH,
  type Search,
  type SearchEngine,
  type SearchRequest,
  type Stored,
  wrapEngine,
} from './engine.ts';
export { EXPLAIN, type Explain, type ExplainRequest, type Explanation } from './explain-port.ts';
export { checkFilterValues } from './filter-values.ts';
export {
  type Port,
  type PortCall,
  type PortMethod,
  type ServedPort,
  servedPorts,
  servePort,
  wrapPort,
} from './ports.ts';
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
export { cutBy, type PackedIndexes, type ServePorts, Snapshot } from './snapshot.ts';
export {
  DEFAULT_TEMPLATE,
  type TextTemplate,
  textTemplates,
  withHeader,
} from './text-templates.ts';
export type { StoredVectors } from './vector-spaces.ts';
export { VECTORS, type Vectors } from './vectors-port.ts';
=======
/**
 * The retrievers and chunkers by name, the embedded engine, and the parts for writing a retriever or an
 * engine.
 */
export { chunkers } from '../corpus/chunk.ts';
export type { Chunker } from '../corpus/chunker.ts';
export { matches } from '../corpus/filter.ts';
export { parseFilter } from '../corpus/filter-expression.ts';
export { reciprocalRankFusion } from '../ranking/fusion.ts';
export { compareHits } from '../ranking/ranking.ts';
export { EmbeddedEngine, type EmbeddedOptions } from './embedded-engine.ts';
export type { EngineQuery, Explanation, FieldValue, SearchRequest, Stored } from './engine.ts';
export type { RetrieverModels, RetrieverQuery } from './retriever.ts';
export { retrievers } from './retrievers.ts';
>>>>>>> 65814a9 (Keep 12 public entries with 179 names, each in one entry)
