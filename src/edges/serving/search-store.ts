/**
 * Searches an opened store and shows its hits with titles, quotes and explanations: each text once,
 * with the number of its places.
 */
import type { Document } from '../../corpus/document.ts';
import type { Filter } from '../../corpus/filter.ts';
import { InputError } from '../../errors.ts';
import type { Explanation } from '../../indexes/explanation.ts';
import { lookupIn } from '../../models/resources.ts';
import { parseName, printValue } from '../../naming/name.ts';
import type { Hit, Ranking } from '../../ranking/ranking.ts';
import { requirePort } from '../../retrieval/capabilities.ts';
import type { Staleness } from '../../retrieval/derived-index.ts';
import { type EngineSnapshot, type SearchEngine, wrapEngine } from '../../retrieval/engine.ts';
import { EXPLAIN } from '../../retrieval/explain-port.ts';
import { checkFilterValues } from '../../retrieval/filter-values.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import { freeCall } from '../../trace/call.ts';
import { takeTurns, turnsOfWork } from '../clock.ts';
import { givenOf } from '../runs/opened-resources.ts';
import type { SearchHit } from './document-store.ts';
import { aboutDocument, bestQuote, documentsOf } from './evidence-view.ts';
import type { SearchedStore } from './searched-store.ts';

/** A store, or another engine, with what was opened for a search. */
export interface Searched extends Pick<SearchedStore, 'resources' | 'retriever'> {
  readonly store: { snapshot(): Promise<EngineSnapshot> };
}

export interface SearchRequest {
  readonly query: string;
  /** Largest number of hits. */
  readonly k: number;
  readonly filter?: Filter | undefined;
  /** Adds to each hit how its score comes about; for `lexical` retrievers alone. */
  readonly explain?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface SearchResult {
  readonly retriever: Pick<Retriever, 'name' | 'unit'>;
  readonly hits: SearchHit[];
  /** Indexes of earlier documents that the search used. */
  readonly stale: readonly Staleness[];
}

/**
 * Throws `InputError`: `empty-query`, an unknown field or value of the filter, or `no-explanation`.
 */
export async function searchStore(
  { store, resources, retriever: unbound }: Searched,
  { query, k, filter, explain = false, signal }: SearchRequest,
): Promise<SearchResult> {
  checkQuery(query);
  await using snapshot = await store.snapshot();
  // Searches that came together, and share the read of a manifest, begin in turns of their own.
  await takeTurns();
  const engine = pausedEngine(snapshot, signal);
  const call = freeCall(signal);
  const retriever = unbound.bind(engine, lookupIn(givenOf(resources)));
  if (filter) await checkFilterValues(filter, engine, call);
  const ranked = (most: number): Promise<Ranking> =>
    retriever
      .retrieve([{ text: query }], most, call, filter ? { filter } : {})
      .then(([ranking]) => ranking!);
  const scorer = explain ? scorerOf(retriever.name) : undefined;
  const hits = (await distinctHits(ranked, k, engine)).map(async (found, index) => {
    const { hit, document, others } = found;
    const { id, score, start, end } = hit;
    const quotes = bestQuote(query, document, [[start, end]]);
    const places =
      others.length === 0
        ? {}
        : { places: others.length + 1, others: others.slice(0, OTHERS_NAMED) };
    const shown: SearchHit = {
      ...{ rank: index + 1, id, ...aboutDocument(document), score, start, end, quotes },
      ...places,
    };
    return scorer === undefined
      ? shown
      : { ...shown, explanation: await explanationOf(query, hit, { engine, retriever, scorer }) };
  });
  return { retriever, hits: await Promise.all(hits), stale: staleOf(snapshot) };
}

/** Most hits among which other texts are sought in place of duplicates. */
const MOST_RANKED = 1000;

/** Other hits with a text that are named; `places` counts all. */
const OTHERS_NAMED = 20;

interface DistinctHit {
  readonly hit: Hit;
  readonly document: Document;
  /** Ids of later hits with the same text, white space aside. */
  readonly others: string[];
}

/** Returns the first `k` hits whose texts differ, of a ranking that is deepened for duplicates. */
async function distinctHits(
  ranked: (most: number) => Promise<Ranking>,
  k: number,
  engine: SearchEngine,
): Promise<DistinctHit[]> {
  for (let most = k; ; most = Math.min(4 * most, MOST_RANKED)) {
    const ranking = await ranked(most);
    const documents = await documentsOf(
      ranking.map(({ documentId }) => documentId),
      engine,
    );
    const byText = new Map<string, DistinctHit>();
    for (const hit of ranking) {
      const document = documents.get(hit.documentId)!;
      const text = document.text.slice(hit.start, hit.end).replace(/\s+/g, ' ').trim();
      const key = text === '' ? `id ${hit.id}` : `text ${text}`;
      const first = byText.get(key);
      if (first) first.others.push(hit.id);
      else byText.set(key, { hit, document, others: [] });
    }
    if (byText.size >= k || ranking.length < most || most >= MOST_RANKED)
      return [...byText.values()].slice(0, k);
  }
}

/** Lets the event loop run between calls of the engine, and ends them at an abort. */
function pausedEngine(engine: SearchEngine, signal: AbortSignal | undefined): SearchEngine {
  const { due, turn } = turnsOfWork();
  return wrapEngine(engine, async ({ next }) => {
    // Looked at right before the work: of calls that are made together, the first have worked.
    if (due()) await turn();
    signal?.throwIfAborted();
    return next();
  });
}

/** Returns the stale indexes of a store's snapshot; other engines have none. */
const staleOf = (engine: EngineSnapshot & { stale?(): Staleness[] }): Staleness[] =>
  engine.stale?.() ?? [];

function checkQuery(query: string): void {
  if (typeof query !== 'string' || query.trim() === '')
    throw new InputError('empty-query', 'The query is empty', { expected: 'some words' });
}

interface Explaining {
  readonly engine: SearchEngine;
  readonly retriever: Retriever;
  readonly scorer: string;
}

const explanationOf = (
  query: string,
  { id }: Hit,
  { engine, retriever, scorer }: Explaining,
): Promise<Explanation> =>
  requirePort(engine, EXPLAIN, 'An explanation of scores').explain(
    { unit: retriever.unit, query, id, scorer },
    freeCall(),
  );

/** Returns the scorer in a retriever's name. Only the inverted index explains its scores. */
function scorerOf(retriever: string): string {
  const { name, args } = parseName(retriever);
  if (name !== 'lexical')
    throw new InputError(
      'no-explanation',
      `The retriever "${retriever}" cannot explain its scores`,
      { expected: 'lexical(...)' },
    );
  const scorer = args.find(({ key }) => key === undefined || key === 'scorer');
  return scorer ? printValue(scorer.value) : 'bm25';
}
