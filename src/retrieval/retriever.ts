/** A retriever turns query texts into rankings, asking an engine, and a reranker where it has one. */
import type { Filter } from '../corpus/filter.ts';
import type { Reranker } from '../models/reranker.ts';
import type { Ranking, Unit } from '../ranking/ranking.ts';
import type { Call } from '../trace/call.ts';
import type { Kept, Search } from '../trace/trace.ts';
import type { SearchEngine } from './engine.ts';

export interface RetrieverQuery {
  readonly text: string;
  readonly filter?: Filter;
}

export interface Retriever {
  /** Canonical. */
  readonly name: string;
  /** What it returns when the caller does not say. */
  readonly unit: Unit;
  /** One ranking a query, at most `k` hits each, in total order. */
  retrieve(
    queries: readonly RetrieverQuery[],
    k: number,
    call: Call,
    within?: { readonly unit?: Unit; readonly filter?: Filter },
  ): Promise<Ranking[]>;
}

/** The models that a run was given, by their ids. */
export interface RetrieverModels {
  readonly rerankers?: readonly Reranker[];
}

/** A retriever before it knows its engine. */
export interface UnboundRetriever {
  readonly name: string;
  /** Throws `InputError` where a model that it needs is missing. */
  bind(engine: SearchEngine, models?: RetrieverModels): Retriever;
}

/** Both conditions, or the one that is there. */
export function bothFilters(a: Filter | undefined, b: Filter | undefined): Filter | undefined {
  return a && b ? { op: 'and', filters: [a, b] } : (a ?? b);
}

/** One query as a strategy asks it. */
export interface StrategyQuery extends RetrieverQuery {
  readonly from?: Search['from'];
}

/** Asks several queries at once and returns them as the searches of a hop. */
export async function searchAll(
  retriever: Retriever,
  queries: readonly StrategyQuery[],
  k: number,
  call: Call,
  within?: { readonly unit?: Unit; readonly filter?: Filter },
): Promise<Search[]> {
  const rankings = await retriever.retrieve(queries, k, call, within);
  return rankings.map((hits, index) => {
    const { text, filter, from } = queries[index]!;
    const all = bothFilters(filter, within?.filter);
    return {
      text,
      retriever: retriever.name,
      unit: within?.unit ?? retriever.unit,
      ...(all ? { filter: all } : {}),
      ...(from ? { from } : {}),
      hits,
    };
  });
}

/** A hit as evidence. A document's own span is left out: no `spans` means the whole document. */
export function keptFrom(search: Search, searchIndex: number, hit: Ranking[number]): Kept {
  const item = { id: hit.id, documentId: hit.documentId, search: searchIndex, score: hit.score };
  return search.unit === 'document' ? item : { ...item, spans: [[hit.start, hit.end]] };
}
