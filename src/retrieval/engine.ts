/**
 * The search engine's port: the embedded one in this process, or a remote one of the same shape.
 * One law suite runs over all.
 */
import type { AnalysisCache } from '../corpus/analysis-cache.ts';
import type { Document, Passage } from '../corpus/document.ts';
import type { Filter } from '../corpus/filter.ts';
import type { Explanation } from '../indexes/explanation.ts';
import type { Ranking, Unit } from '../ranking/ranking.ts';
import type { Call } from '../trace/call.ts';

export interface EngineQuery {
  readonly text?: string;
  /** Of the space's dimensions, finite, and used as it is; a text beside it is not read. */
  readonly vector?: Float32Array;
  /** Applied before top-k. */
  readonly filter?: Filter;
}

export interface SearchRequest {
  readonly unit: Unit;
  /** How many hits to return at most, one ranking a query. */
  readonly k: number;
  readonly queries: readonly EngineQuery[];
  /** The canonical name of a lexical scorer, `bm25` when missing. */
  readonly scorer?: string;
  /**
   * The vector space to search in instead of the terms: `lsa`, or an embedder's id; the score is
   * the inner product. A query with a text alone is embedded by the engine; one that has no
   * direction in the space (a blank, or for `lsa` no known word) finds nothing. Throws
   * `InputError('unknown-space')`. Not together with a scorer.
   */
  readonly space?: string;
}

/** A value of a metadata field and the number of documents that have it. */
export interface FieldValue {
  readonly value: string | number | boolean;
  readonly documents: number;
}

export type { Explanation };

/** One snapshot to read from: what it returns does not change while an `ask` runs. */
export interface SearchEngine {
  /**
   * Keeps what is computed from the texts of this snapshot, by id. `ask` gives an engine without one
   * a cache for the run.
   */
  readonly analysis?: AnalysisCache;
  /** One ranking a query, in one pass for all. */
  search(request: SearchRequest, call: Call): Promise<Ranking[]>;
  /**
   * Vectors of items, for strategies that compute with them; zeros where an item has no direction
   * in the space.
   */
  vectors(unit: Unit, ids: readonly string[], space: string, call: Call): Promise<Float32Array[]>;
  /**
   * What a search of the space for each vector scores these items, one list a vector: for
   * strategies that compare more than a search returns; 0 for an item without a direction in the
   * space, which no search returns.
   * Throws `InputError('unknown-id' | 'unknown-space' | 'wrong-dimensions' | 'not-finite')`.
   */
  scores(
    unit: Unit,
    ids: readonly string[],
    vectors: readonly Float32Array[],
    space: string,
    call: Call,
  ): Promise<Float64Array[]>;
  /**
   * The vectors by which a search of these items for these texts goes, of length 1; undefined for a
   * text without a direction in the space, and for all texts where there is no item. Throws
   * `InputError('unknown-space')`.
   */
  queryVectors(
    unit: Unit,
    texts: readonly string[],
    space: string,
    call: Call,
  ): Promise<(Float32Array | undefined)[]>;
  /** Whole records by id. Throws `InputError('unknown-id')`. */
  read(unit: 'document', ids: readonly string[], call: Call): Promise<Document[]>;
  read(unit: 'passage' | 'sentence', ids: readonly string[], call: Call): Promise<Passage[]>;
  read(unit: Unit, ids: readonly string[], call: Call): Promise<(Document | Passage)[]>;
  /**
   * What documents are cut into, one list a document, in the document's order. Throws
   * `InputError('unknown-id')`.
   */
  parts(
    unit: 'passage' | 'sentence',
    documentIds: readonly string[],
    call: Call,
  ): Promise<Passage[][]>;
  /**
   * The catalogue of a field's values, most frequent first, then by value: what grounds metadata
   * extraction.
   */
  values(field: string, call: Call): Promise<FieldValue[]>;
  /** The names of all metadata fields, sorted. */
  fields(call: Call): Promise<string[]>;
  /** Why an item scores what it scores for a query. */
  explain(
    request: {
      readonly unit: Unit;
      readonly query: string;
      readonly id: string;
      readonly scorer?: string;
    },
    call: Call,
  ): Promise<Explanation>;
}

/** What was written: which documents are new, changed, the same as before, or gone. */
export interface Stored {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
}

/** An engine that can be written to. */
export interface Engine extends SearchEngine {
  /**
   * Adds new documents, replaces changed ones, leaves the same ones alone. Two documents with one
   * id in a batch are an `InputError`.
   */
  put(documents: readonly Document[], call: Call): Promise<Stored>;
  /** Removes documents. Throws `InputError('unknown-id')` before removing any. */
  remove(ids: readonly string[], call: Call): Promise<Stored>;
  /** An immutable view: one ask reads one snapshot. */
  snapshot(): Promise<SearchEngine>;
}
