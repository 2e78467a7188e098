/**
 * The searches of `fact-lanes`: every lane in every scope, by words and by vectors, in one pass
 * each; and the candidates that they found.
 */
import type { RankerKind } from '../../models/fact-ranker/fact-ranker.ts';
import type { Hit, Unit } from '../../ranking/ranking.ts';
import { requirePort } from '../../retrieval/capabilities.ts';
import type { SearchEngine } from '../../retrieval/engine.ts';
import { type Retriever, type StrategyQuery, searchAll } from '../../retrieval/retriever.ts';
import { isFittedSpace } from '../../retrieval/space-names.ts';
import { VECTORS } from '../../retrieval/vectors-port.ts';
import type { Call } from '../../trace/call.ts';
import type { Search, SearchRef } from '../../trace/trace.ts';
import { type AskedLanes, narrowScopes, scopesOf } from './question.ts';
import type { FactLanesSettings } from './settings.ts';

/**
 * The parts of a retriever that are asked apart: the first that searches by words, and the first
 * that searches a vector space.
 */
export interface Signals {
  readonly words: Retriever | undefined;
  readonly vectors: Retriever | undefined;
}

export function signalsOf(retriever: Retriever, useVectors: boolean): Signals {
  const parts = retriever.parts ?? [retriever];
  const words = parts.find(({ space }) => space === undefined);
  const vectors = parts.find(({ space }) => space !== undefined);
  // A retriever of vectors alone stays one, whatever it is told: without it nothing would be found.
  return { words, vectors: useVectors || !words ? vectors : undefined };
}

/**
 * Weights are learnt for words alone, for spaces that are fitted on the corpus, and for embedders;
 * for questions that name a source, and for open ones.
 */
export function kindOf(space: string | undefined, open: boolean): RankerKind {
  const signal = space === undefined ? 'words' : isFittedSpace(space) ? 'lsa' : 'vectors';
  return open ? `open-${signal}` : signal;
}

/** What is searched for the candidates: sentences. */
export const SEARCHED = 'sentence';

export interface FoundSentence {
  readonly hit: Hit;
  /** The search in which it stands highest, and its place there. */
  search: SearchRef;
  place: number;
}

/** All searches of a run, hop by hop, and what is known from them of each lane. */
export class LaneSearches {
  /** Those of the hop that is under way. */
  private searches: Search[] = [];
  private hop = 0;
  readonly found: Map<string, FoundSentence> = new Map();
  /** By lane: the score of each sentence by words; of each document. */
  readonly words: Map<string, number>[];
  readonly documents: Map<string, number>[];
  /** The score of each sentence in searches for names, as a share of the search's best. */
  readonly named: Map<string, number> = new Map();
  /** The first search that found a document as a whole. */
  readonly documentSearch: Map<string, SearchRef> = new Map();
  /**
   * By lane: its vector, where there is one, and the score of the deepest hit of its search over
   * everything.
   */
  readonly queries: (Float32Array | undefined)[];
  readonly floors: number[];
  /** The limit that left searches unmade, if any. */
  short: 'retrievals' | 'rerankedPairs' | undefined;
  /**
   * How many pairs a search has cost so far, where its retriever reranks and the run may not read
   * without end.
   */
  private pairs = 0;

  constructor(lanes: number) {
    const rows = <T>(make: () => T): T[] => Array.from({ length: lanes }, make);
    this.words = rows(() => new Map());
    this.documents = rows(() => new Map());
    this.queries = rows(() => undefined);
    this.floors = rows(() => 0);
  }

  /** Ends the hop: returns its searches. */
  endHop(): Search[] {
    const { searches } = this;
    this.searches = [];
    this.hop++;
    return searches;
  }

  private record(search: Search): SearchRef {
    return { hop: this.hop, search: this.searches.push(search) - 1 };
  }

  /** Adds one search of sentences to the hop. */
  add(search: Search): void {
    const ref = this.record(search);
    for (const [place, hit] of search.hits.entries()) {
      const known = this.found.get(hit.id);
      if (!known) this.found.set(hit.id, { hit, search: ref, place });
      else if (place < known.place) Object.assign(known, { search: ref, place });
    }
  }

  addWords(lane: number, search: Search): void {
    this.add(search);
    for (const { id, score } of search.hits)
      this.words[lane]!.set(id, Math.max(score, this.words[lane]!.get(id) ?? score));
  }

  /** Of a search for a name. */
  addNamed(search: Search): void {
    this.add(search);
    const best = search.hits[0]?.score ?? 0;
    // The scores of a search by words lie above 0; of another nothing is known but the order.
    if (best > 0)
      for (const { id, score } of search.hits)
        this.named.set(id, Math.max(score / best, this.named.get(id) ?? 0));
  }

  /**
   * As many of the queries, from the first on, as the run may still ask: a pass that has no room as
   * a whole still finds something.
   */
  async ask(
    retriever: Retriever,
    queries: readonly StrategyQuery[],
    depth: number,
    call: Call,
    unit: Unit,
  ): Promise<Search[]> {
    const { retrievals, rerankedPairs: pairs } = call.left();
    const affordable =
      pairs === undefined || this.pairs === 0 ? queries.length : pairs / this.pairs;
    const room = Math.max(0, Math.floor(Math.min(retrievals ?? queries.length, affordable)));
    if (room < queries.length)
      this.short ??= affordable < (retrievals ?? queries.length) ? 'rerankedPairs' : 'retrievals';
    const possible = queries.slice(0, room);
    if (possible.length === 0) return [];
    const searches = await searchAll(retriever, possible, depth, call, { unit });
    if (pairs !== undefined)
      this.pairs = Math.max(
        this.pairs,
        (pairs - (call.left().rerankedPairs ?? pairs)) / possible.length,
      );
    return searches;
  }

  /** By words: of each lane too. */
  addDocuments(search: Search, lane?: number): void {
    const ref = this.record(search);
    for (const { id, score } of search.hits) {
      if (lane !== undefined) this.documents[lane]!.set(id, score);
      if (!this.documentSearch.has(id)) this.documentSearch.set(id, ref);
    }
  }
}

interface Asking {
  readonly lane: number;
  readonly query: StrategyQuery;
}

const askingIn = (asked: AskedLanes, scopes: typeof scopesOf): Asking[] =>
  asked.lanes.flatMap((lane, index) =>
    scopes(lane, asked).map(filter => ({
      lane: index,
      query: filter ? { text: lane.text, filter } : { text: lane.text },
    })),
  );

/** Searches all lanes in all scopes; first the whole question over everything. */
export async function searchLanes(
  result: LaneSearches,
  asked: AskedLanes,
  signals: Signals,
  engine: SearchEngine,
  { depth, unit }: FactLanesSettings,
  call: Call,
): Promise<void> {
  const asking = askingIn(asked, scopesOf);
  // Every item has a vector, so that this search is as deep as is asked, as the first of a trace
  // should be.
  if (signals.vectors)
    await searchVectors(
      result,
      asked,
      askingIn(asked, narrowScopes),
      signals.vectors,
      engine,
      depth,
      call,
    );
  const queries = asking.map(({ query }) => query);
  if (signals.words) {
    const searches = await result.ask(signals.words, queries, depth, call, SEARCHED);
    for (const [index, search] of searches.entries()) result.addWords(asking[index]!.lane, search);
    const documents = await result.ask(signals.words, queries, depth, call, 'document');
    for (const [index, search] of documents.entries())
      result.addDocuments(search, asking[index]!.lane);
  } else if (signals.vectors && unit === 'document') {
    // What is kept must have been found as such. Documents have other vectors than sentences, so
    // the engine embeds the lanes anew.
    for (const search of await result.ask(signals.vectors, queries, depth, call, 'document'))
      result.addDocuments(search);
  }
}

async function searchVectors(
  result: LaneSearches,
  { lanes }: AskedLanes,
  asking: readonly Asking[],
  retriever: Retriever,
  engine: SearchEngine,
  depth: number,
  call: Call,
): Promise<void> {
  const texts = lanes.map(({ text }) => text);
  // Each lane is embedded once, however many scopes it is searched in.
  for (const [lane, vector] of (
    await requirePort(engine, VECTORS, 'The strategy "fact-lanes"').queryVectors(
      SEARCHED,
      texts,
      retriever.space!,
      call,
    )
  ).entries())
    result.queries[lane] = vector;
  // A lane without a direction in the space finds nothing there; that the question was asked is
  // noted all the same.
  const possible = asking.filter(
    ({ lane }, index) => index === 0 || result.queries[lane] !== undefined,
  );
  const queries = possible.map(({ lane, query }) => {
    const vector = result.queries[lane];
    return vector ? { ...query, vector } : query;
  });
  for (const [index, search] of (
    await result.ask(retriever, queries, depth, call, SEARCHED)
  ).entries()) {
    result.add(search);
    const { lane, query } = possible[index]!;
    if (query.filter === undefined) result.floors[lane] = search.hits.at(-1)?.score ?? 0;
  }
}
