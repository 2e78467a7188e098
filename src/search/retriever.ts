/**
 * Defines retrievers, which turn queries into rankings: they search an engine, and may call a
 * reranker.
 */
import type { Filter } from '../core/corpus/filter.ts';
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import type { Need, ResourceLookup } from '../core/port.ts';
import type { Ranking, Unit } from '../core/ranking/ranking.ts';
import type { Call } from '../core/trace/call.ts';
import type { EvidenceItem, Search, SearchRef } from '../core/trace/trace.ts';
import type { SearchEngine } from './engine.ts';

export interface RetrieverQuery {
  /** Empty if a vector without a text replaces it. */
  readonly text: string;
  /** Replaces the text, in the retriever's own `space`; for retrievers with a space alone. */
  readonly vector?: Float32Array;
  readonly filter?: Filter;
}

export interface Retriever {
  /** Canonical name with settings. */
  readonly name: string;
  /** Unit of its hits if the caller names none. */
  readonly unit: Unit;
  /**
   * Canonical name of the one vector space in which it compares each query with each item; missing
   * for other retrievers.
   */
  readonly space?: string;
  /** Retrievers that it fuses, for strategies that weigh the parts themselves. */
  readonly parts?: readonly Retriever[];
  /** Returns one ranking per query, of at most `k` hits, in total order. */
  retrieve(
    queries: readonly RetrieverQuery[],
    k: number,
    call: Call,
    within?: { readonly unit?: Unit; readonly filter?: Filter },
  ): Promise<Ranking[]>;
}

/**
 * A retriever before it is bound to an engine.
 *
 * @example
 * ```ts
 * import { ask, ingest, type UnboundRetriever } from 'multihop';
 *
 * const passages: UnboundRetriever = {
 *   name: 'passages',
 *   bind: engine => ({
 *     name: 'passages',
 *     unit: 'passage',
 *     retrieve: (queries, k, call, within) =>
 *       engine.search({ unit: within?.unit ?? 'passage', k, queries }, call),
 *   }),
 * };
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * console.log((await ask('Who built the engine?', { engine, retriever: passages })).retriever);
 * ```
 */
export interface UnboundRetriever {
  readonly name: string;
  /** The vector space that it searches itself. */
  readonly space?: string;
  /**
   * Resources of it and of the retrievers inside it, computed from its settings: embedders, which
   * the engine holds, and those that it looks up when it is bound.
   */
  readonly needs?: readonly Need[];
  /** Throws `InputError('missing-resource')` if `resource` does not find one of its needs. */
  bind(engine: SearchEngine, resource?: ResourceLookup): Retriever;
}

/** Returns the needs of several retrievers, as the declaration of one that is composed of them. */
export function needsOf(...parts: readonly UnboundRetriever[]): Pick<UnboundRetriever, 'needs'> {
  const needs = parts.flatMap(part => part.needs ?? []);
  return needs.length > 0 ? { needs } : {};
}

/**
 * Returns both conditions, or the one that is given.
 *
 * @example
 * ```ts
 * import { parseFilter } from 'multihop/retrieval';
 * import { bothFilters } from 'multihop/strategies';
 *
 * const given = parseFilter('source = "Ledger"');
 * console.log(bothFilters(given, { op: 'eq', field: 'category', value: 'ships' }));
 * ```
 */
export function bothFilters(a: Filter | undefined, b: Filter | undefined): Filter | undefined {
  return a && b ? { op: 'and', filters: [a, b] } : (a ?? b);
}

/** A query of a strategy, with its place in the trace. */
export interface StrategyQuery extends RetrieverQuery {
  readonly from?: Search['from'];
  /** Record of the vector in the trace. */
  readonly traced?: Search['vector'];
}

/** Returns the record of one query's search. */
export function searchOf(
  query: StrategyQuery,
  hits: Ranking,
  {
    retriever,
    unit,
    within,
  }: { readonly retriever: string; readonly unit: Unit; readonly within: Filter | undefined },
): Search {
  const { text, vector, filter, from, traced } = query;
  const all = bothFilters(filter, within);
  return defined({
    text: vector !== undefined && text === '' ? undefined : text,
    vector: traced,
    retriever,
    unit,
    filter: all,
    from,
    hits,
  });
}

/**
 * Searches several queries at once and returns them as the searches of a hop. Throws
 * `InputError('no-space')` for a vector if the retriever has no space.
 */
export async function searchAll(
  retriever: Retriever,
  queries: readonly StrategyQuery[],
  k: number,
  call: Call,
  within?: { readonly unit?: Unit; readonly filter?: Filter },
): Promise<Search[]> {
  if (retriever.space === undefined && queries.some(({ vector }) => vector !== undefined))
    throw new InputError(
      'no-space',
      `The retriever "${retriever.name}" has no vector space to search by a vector`,
      { expected: 'a retriever that searches one vector space, as dense(EMBEDDER) does' },
    );
  const rankings = await retriever.retrieve(queries, k, call, within);
  const place = {
    retriever: retriever.name,
    unit: within?.unit ?? retriever.unit,
    within: within?.filter,
  };
  return rankings.map((hits, index) => searchOf(queries[index]!, hits, place));
}

/**
 * Returns a hit of `search` as evidence; `ref` names that search in the trace. A document's own
 * span is left out: no `spans` means the whole document.
 *
 * @example
 * ```ts
 * import { keptFrom } from 'multihop/strategies';
 *
 * const hit = { id: 'a#p0000', documentId: 'a', start: 0, end: 27, score: 4.2 };
 * const search = { text: 'engine', retriever: 'lexical', unit: 'passage', hits: [hit] } as const;
 * console.log(keptFrom(search, { hop: 0, search: 0 }, hit).spans); // [[0, 27]]
 * ```
 */
export function keptFrom(search: Search, ref: SearchRef, hit: Ranking[number]): EvidenceItem {
  const item = { id: hit.id, documentId: hit.documentId, search: ref, score: hit.score };
  return search.unit === 'document' ? item : { ...item, spans: [[hit.start, hit.end]] };
}
