/**
 * The retrievers and chunkers by name, the embedded engine, and the parts for writing a retriever
 * or an engine.
 *
 * @module multihop/retrieval
 */
export { chunkers } from '../core/corpus/chunk.ts';
export type { Chunker } from '../core/corpus/chunker.ts';
export { parseFilter } from '../core/corpus/filter-expression.ts';
export { reciprocalRankFusion } from '../core/ranking/fusion.ts';
export { compareHits } from '../core/ranking/ranking.ts';
export { type Capabilities, type Requirements, requirePort } from './capabilities.ts';
export { EmbeddedEngine, type EmbeddedOptions } from './embedded-engine.ts';
export type {
  EngineQuery,
  EngineSnapshot,
  FieldValue,
  SearchRequest,
  Stored,
  ValuesRequest,
} from './engine.ts';
export { engineParts } from './engine-parts.ts';
export { EXPLAIN, type Explanation } from './ports/explain-port.ts';
export { VECTORS, type Vectors } from './ports/vectors-port.ts';
export { type Port, servedPorts, servePort } from './ports.ts';
export type { RetrieverQuery } from './retriever.ts';
export { retrievers } from './retrievers.ts';
