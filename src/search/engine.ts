/**
 * Defines the ports of search engines: the embedded engine in this process, or a remote engine of
 * the same shape. One law suite checks all engines.
 */
import type { AnalysisCache } from '../core/corpus/analysis-cache.ts';
import type { Document, Passage } from '../core/corpus/document.ts';
import type { Filter } from '../core/corpus/filter.ts';
import type { Ranking, Unit } from '../core/ranking/ranking.ts';
import type { Call } from '../core/trace/call.ts';
import type { CapableEngine } from './capabilities.ts';
import { type Port, type PortCall, wrapPort } from './ports.ts';

export interface EngineQuery {
  readonly text?: string;
  /** Replaces the text: of the space's dimensions, finite, not normalised. */
  readonly vector?: Float32Array;
  /** Applied before top-k. */
  readonly filter?: Filter;
  /** Texts: an item is found only if it holds every term of them. For searches by terms alone. */
  readonly holding?: readonly string[];
}

export interface SearchRequest {
  readonly unit: Unit;
  /** Largest number of hits, for each query. */
  readonly k: number;
  readonly queries: readonly EngineQuery[];
  /** Canonical name of a lexical scorer, `bm25` if missing. */
  readonly scorer?: string;
  /**
   * True if somebody typed the texts to search. Identifiers in them are then found as they are
   * spelled, before texts that have only their parts; a question counts those that no prose holds.
   */
  readonly typed?: boolean;
  /**
   * Vector space to search instead of the terms, an embedder's id; the score is the inner product.
   * The engine embeds a query that has only a text; a blank text finds nothing. Throws
   * `InputError('unknown-space')`. Excludes a scorer.
   */
  readonly space?: string;
}

/** Finds items by terms or in a vector space. */
export interface Search {
  /** Returns one ranking per query, in one pass for all. */
  search(request: SearchRequest, call: Call): Promise<Ranking[]>;
}

export const SEARCH: Port<Search> = {
  name: 'search',
  summary: 'searches',
  methods: { search: { nothing: ({ queries }) => queries.map(() => []) } },
};

/** Reads whole records. */
export interface Records {
  /** Returns records in the order of the ids. Throws `InputError('unknown-id')`. */
  read(unit: 'document', ids: readonly string[], call: Call): Promise<Document[]>;
  read(unit: 'passage' | 'sentence', ids: readonly string[], call: Call): Promise<Passage[]>;
  read(unit: Unit, ids: readonly string[], call: Call): Promise<(Document | Passage)[]>;
  /**
   * Returns the pieces that documents are cut into, one list a document, in the document's order.
   * Throws `InputError('unknown-id')`.
   */
  parts(
    unit: 'passage' | 'sentence',
    documentIds: readonly string[],
    call: Call,
  ): Promise<Passage[][]>;
}

export const RECORDS: Port<Records> = {
  name: 'records',
  summary: 'records',
  methods: { read: {}, parts: {} },
};

/** A value of a metadata field and the number of documents that have it. */
export interface FieldValue {
  readonly value: string | number | boolean;
  readonly documents: number;
}

/** Selects values of a field. Pages concatenate to the whole list. */
export interface ValuesRequest {
  /** Counts only documents that pass it. */
  readonly filter?: Filter;
  /** Selects texts that begin with it. */
  readonly prefix?: string;
  /**
   * `frequency`, if missing: most frequent first, then ascending. Values ascend from booleans to
   * numbers to texts by their code units.
   */
  readonly order?: 'frequency' | 'ascending' | 'descending';
  /** Largest number of values. */
  readonly limit?: number;
  /**
   * Continues after this value, which need not exist: the last one of the page before. In the order
   * `frequency` it includes its number of documents.
   */
  readonly after?: Pick<FieldValue, 'value'> & Partial<FieldValue>;
}

/** Lists metadata fields and their values: grounds metadata extraction. */
export interface Catalogue {
  /** Returns the values of a field with their number of documents. */
  values(field: string, request: ValuesRequest, call: Call): Promise<FieldValue[]>;
  /** Returns the names of all metadata fields, sorted. */
  fields(call: Call): Promise<string[]>;
}

export const CATALOGUE: Port<Catalogue> = {
  name: 'catalogue',
  summary: 'a catalogue of metadata',
  methods: { values: { nothing: () => [] }, fields: { nothing: () => [] } },
};

/**
 * One immutable state of a corpus, to read from. Serves the ports that every engine has, and
 * optional ones by name: `engine.port(VECTORS)`.
 */
export interface SearchEngine extends Search, Records, Catalogue, CapableEngine {
  /**
   * Keeps analyses of the texts of this snapshot, by id. `ask` gives an engine without one a cache
   * for the run.
   */
  readonly analysis?: AnalysisCache;
}

/** A state that holds resources of its engine, such as a transaction, until it is disposed of. */
export interface EngineSnapshot extends SearchEngine, AsyncDisposable {
  /**
   * Names the state on a server that may lose it: two snapshots of one name show the same. A run
   * whose calls fail with `PortError('snapshot-lost')` goes on in a second snapshot of that name.
   */
  readonly state?: string;
}

/** Counts of documents of a write: added, changed, unchanged, removed. */
export interface Stored {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
}

/** An engine that can be written to. Reading takes a snapshot. */
export interface Engine {
  /**
   * Adds new documents, replaces changed ones, and leaves unchanged ones alone. Throws
   * `InputError('duplicate-id')` for two documents with one id.
   */
  put(documents: readonly Document[], call: Call): Promise<Stored>;
  /** Removes documents. Throws `InputError('unknown-id')` before removing any. */
  remove(ids: readonly string[], call: Call): Promise<Stored>;
  /** Opens the newest state for reading: one `ask` reads one snapshot. */
  snapshot(): Promise<EngineSnapshot>;
}

/** Returns the engine with every method of every port wrapped by `around`. */
export function wrapEngine(
  engine: SearchEngine,
  around: (call: PortCall) => Promise<unknown>,
): SearchEngine {
  return {
    ...wrapPort(SEARCH, engine, around),
    ...wrapPort(RECORDS, engine, around),
    ...wrapPort(CATALOGUE, engine, around),
    analysis: engine.analysis,
    capabilities: engine.capabilities,
    port(port) {
      const inner = engine.port(port);
      return inner && wrapPort(port, inner, around);
    },
  };
}

/** Returns the engine with some of its methods or its capabilities replaced. */
export function engineWith(engine: SearchEngine, changes: Partial<SearchEngine>): SearchEngine {
  return { ...wrapEngine(engine, ({ next }) => next()), ...changes };
}
