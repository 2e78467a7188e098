/** The inverted index and its scorers: pure, synchronous, over typed arrays. */
// Inside the room: lexical/, lsa/, mulberry32.ts, top.ts, vector/, web-assembly.ts
export type { Explanation } from './explanation.ts';
export {
  type Analysis,
  BOOSTED_FACTS,
  type BoostedFact,
  type Field,
  factOf,
  indexedFields,
  type LexicalItem,
} from './lexical/item.ts';
export {
  LexicalIndex,
  type LexicalQuery,
  type Packed,
  type ScoredItem,
} from './lexical/lexical-index.ts';
export type { QueryTerm } from './lexical/query.ts';
export type { Boost, Scorer, WeighedTerm, Weighing } from './lexical/scorer.ts';
export { scorers } from './lexical/scorers.ts';
export {
  type PackedHeader,
  packedBytes,
  packIndex,
  type StoredArray,
  unpackIndex,
} from './lexical/stored.ts';
export { type FittedSpace, fittedSpaces } from './lsa/fitted-spaces.ts';
export { Lsa } from './lsa/lsa.ts';
export type { PackedLsa } from './lsa/stored.ts';
export type { SearchMode } from './search-mode.ts';
export {
  type PackedVectors,
  VectorIndex,
  type VectorOptions,
  type VectorQuery,
} from './vector/vector-index.ts';
