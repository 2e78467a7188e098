/** Documents, passages, the filters over their metadata, and the chunkers that cut them. */
// Inside the room: chunk-sentences.ts, chunk-tokens.ts, chunk-whole.ts, filter-tokens.ts
export { chunkers } from './chunk.ts';
export { type Chunker, passagesAt, sentencesOf } from './chunker.ts';
export {
  type Document,
  type Metadata,
  type MetadataValue,
  metadataText,
  type Passage,
  publishedDay,
  type Span,
} from './document.ts';
export {
  checkFilter,
  FILTER_LIMITS,
  type Filter,
  filterFields,
  matches,
  type Scalar,
} from './filter.ts';
export { parseFilter, printFilter } from './filter-expression.ts';
