/** The inverted index and its scorers: pure, synchronous, over typed arrays. */
// Inside the room: lexical/bm25.ts, lexical/build.ts, lexical/compiled-postings.ts, lexical/compiled-search.ts, lexical/dictionary.ts, lexical/exhaustive.ts, lexical/explain.ts, lexical/facts.ts, lexical/inverted.ts, lexical/kernel.ts, lexical/kernel.wasm.ts, lexical/query.ts, lexical/s1.ts, lexical/stop-terms.ts, lexical/term-reader.ts, lexical/top.ts
export type { Explanation } from './explanation.ts';
export { type Analysis, BOOSTED_FACTS, type BoostedFact, type Field, factOf, indexedFields, type LexicalItem } from './lexical/item.ts';
export { type Found, LexicalIndex, type LexicalQuery, type Packed, type SearchMode } from './lexical/lexical-index.ts';
export type { Boost, QueryTerm, Scorer, WeighedTerm, Weighing } from './lexical/scorer.ts';
export { scorers } from './lexical/scorers.ts';
export { type PackedHeader, packedBytes, packIndex, type StoredArray, unpackIndex } from './lexical/stored.ts';
