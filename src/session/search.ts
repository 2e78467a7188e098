/**
 * Searches a place once and shows its hits with titles, quotes and explanations: each text once,
 * with the number of its places.
 */

import type { Document } from '../core/corpus/document.ts';
import type { Filter } from '../core/corpus/filter.ts';
import { defined } from '../core/defined.ts';
import { InputError, PortError } from '../core/errors.ts';
import { parseName, printValue } from '../core/naming/name.ts';
import type { Metering } from '../core/port.ts';
import type { Hit, Ranking } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import { Ledger } from '../core/trace/ledger.ts';
import type { Budget, LimitName } from '../core/trace/usage.ts';
import { monotonicClock, takeTurns } from '../platform/clock.ts';
import { TimeLimit } from '../platform/time-limit.ts';
import { HopProgress, meteredCall, orAbort, pausedEngine } from '../run/metered-kit.ts';
import { meteringOf } from '../run/metering.ts';
import { pauseOfCall, pausesOf } from '../run/pauses.ts';
import { stoppedBy } from '../run/pull-hops.ts';
import { checkBudget } from '../run/run-budget.ts';
import { findResources, meteredLookup, needyOf } from '../run/run-resources.ts';
import { requirePort } from '../search/capabilities.ts';
import { engineWith, type SearchEngine } from '../search/engine.ts';
import { checkFilterValues } from '../search/filters/filter-values.ts';
import type { Explanation } from '../search/indexes/explanation.ts';
import { EXPLAIN, type ExplainRequest } from '../search/ports/explain-port.ts';
import type { Retriever } from '../search/retriever.ts';
import type { SearchHit } from './document-store.ts';
import { aboutDocument, bestQuote, documentsOf } from './evidence-view.ts';
import { resourcesByPort, type Searched } from './opened-resources.ts';
import { PhraseSearch } from './phrase-search.ts';

export interface SearchRequest {
  readonly query: string;
  /** Largest number of hits. */
  readonly k: number;
  readonly filter?: Filter | undefined;
  /** Adds to each hit how its score comes about; for `lexical` retrievers alone. */
  readonly explain?: boolean;
  /** Each of them ends the search. */
  readonly signals?: readonly (AbortSignal | undefined)[];
  /** Limits of the search: `ms`, `retrievals` and `rerankedPairs` can be met. */
  readonly budget?: Budget | undefined;
  /** The time on `monotonicClock` from which `ms` counts; now if missing. */
  readonly startedAt?: number | undefined;
}

export interface SearchResult {
  readonly retriever: Pick<Retriever, 'name' | 'unit'>;
  readonly hits: SearchHit[];
  /** Phrases in quotes that no item holds. */
  readonly absentPhrases: readonly string[];
  /** Number of documents that were searched, before any filter. */
  readonly documents: number;
}

/**
 * Throws `InputError`: `empty-query`, an unknown field or value of the filter, or `no-explanation`;
 * `PortError('budget-reached')` at a limit of the budget.
 */
export async function searchOnce(
  searched: Searched,
  request: SearchRequest,
): Promise<SearchResult> {
  checkQuery(request.query);
  const budget = checkBudget(request.budget ?? {});
  using time = new TimeLimit(budget.ms, request);
  const { signal, startedAt } = time;
  const ledger = new Ledger({ budget, signal, startedAt, clock: monotonicClock });
  try {
    return await orAbort(signal, searchWithin(ledger, searched, request));
  } catch (error) {
    const stopped = stoppedBy(error, signal);
    throw stopped?.by === 'limit' ? budgetReached(stopped.limit, budget) : error;
  }
}

async function searchWithin(
  ledger: Ledger,
  { place, resources, retriever: unbound }: Searched,
  { query, k, filter, explain = false }: SearchRequest,
): Promise<SearchResult> {
  await using snapshot = await place.snapshot();
  // Searches that came together, and share the read of a manifest, do not begin in one turn.
  await takeTurns();
  const { signal } = ledger;
  const pause = pausesOf({ clock: monotonicClock, turn: takeTurns, ledger }).inHops;
  const engine = typedEngine(pausedEngine(snapshot.engine, { signal, pause }));
  const progress = new HopProgress();
  const call = { ...meteredCall(ledger, progress), pause: pauseOfCall(pause, signal) };
  const needy = needyOf('retriever', unbound);
  const found = await findResources([needy], resourcesByPort(resources));
  const metering = (port: string): Metering => meteringOf(port, { call, progress });
  const retriever = unbound.bind(engine, meteredLookup(needy, found, metering));
  if (filter) await checkFilterValues(filter, engine, call);
  // One retrieval, also where its ranking is deepened.
  call.begin('retriever', 'search', { retrievals: 1 })({ retrievals: 1 });
  const phrases = new PhraseSearch(engine, { query, unit: retriever.unit, filter }, call);
  const ranked = async (most: number): Promise<Ranking> => {
    const [ranking] = await retriever.retrieve([{ text: query }], most, call, { filter });
    return phrases.first(ranking!, most);
  };
  const scorer = explain ? scorerOf(retriever.name) : undefined;
  const hits: SearchHit[] = [];
  for (const found of await distinctHits(ranked, k, engine)) {
    await call.pause();
    const hit = shownHit(query, found, hits.length + 1);
    const { unit } = retriever;
    const { id } = hit;
    if (scorer === undefined) hits.push(hit);
    else {
      const explanation = await explanationOf({ unit, query, id, scorer, typed: true }, engine);
      hits.push({ ...hit, explanation: withLift(explanation, hit, phrases.lifts.get(id)) });
    }
  }
  const { documents } = snapshot.corpus;
  return { retriever, hits, documents, absentPhrases: phrases.absent };
}

/** Returns the engine as it searches for what somebody typed. */
const typedEngine = (engine: SearchEngine): SearchEngine =>
  engineWith(engine, {
    search: (request, call) => engine.search({ ...request, typed: true }, call),
  });

function shownHit(query: string, { hit, document, others }: DistinctHit, rank: number): SearchHit {
  const { id, score, start, end } = hit;
  const quotes = bestQuote(query, document, [[start, end]]);
  const isOnce = others.length === 0;
  return defined<SearchHit>({
    rank,
    id,
    ...aboutDocument(document),
    score,
    start,
    end,
    quotes,
    places: isOnce ? undefined : others.length + 1,
    others: isOnce ? undefined : others.slice(0, OTHERS_NAMED),
  });
}

function budgetReached(limit: LimitName, budget: Budget): PortError {
  const most = limit in budget ? `: ${limit} ${budget[limit]}` : '';
  return new PortError('search', 'budget-reached', `The search met its limit${most}`, {
    hint: 'Search with a smaller k, by another retriever such as lexical, or with a larger budget.',
  });
}

/** Most hits among which other texts are sought in place of duplicates. */
const MOST_RANKED = 1000;

/** Most ids of other hits with a text; `places` counts all. */
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

function checkQuery(query: string): void {
  if (typeof query !== 'string' || query.trim() === '')
    throw new InputError('empty-query', 'The query is empty', { expected: 'some words' });
}

/** Adds what phrases in quotes add to a score. */
function withLift(explanation: Explanation, { score }: SearchHit, lift = 0): Explanation {
  if (lift === 0) return explanation;
  const parts = [{ name: 'phrases in quotes', value: lift }, explanation];
  return { name: explanation.name, value: score, formula: 'sum of the parts', parts };
}

const explanationOf = (request: ExplainRequest, engine: SearchEngine): Promise<Explanation> =>
  requirePort(engine, EXPLAIN, 'An explanation of scores').explain(request, freeCall());

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
