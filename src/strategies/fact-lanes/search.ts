/**
 * Searches every lane of `fact-lanes` in every scope, by words and by vectors, in one pass each,
 * and collects the candidates.
 */

import type { Hit, Ranking, Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Search, SearchRef } from '../../core/trace/trace.ts';
import { aboutWords } from '../../language/english/question/about-cues.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import type { RankerKind } from '../../models/fact-ranker/fact-ranker.ts';
import { requirePort } from '../../search/capabilities.ts';
import type { SearchEngine } from '../../search/engine.ts';
import { type Retriever, type StrategyQuery, searchAll } from '../../search/retriever.ts';
import { isFittedSpace } from '../../search/space-names.ts';
import { VECTORS } from '../../search/vectors-port.ts';
import { mostAreHeaded } from './corpus-kind.ts';
import { FoundScores, type NameHits } from './found-hits.ts';
import { FoundPassages } from './found-passages.ts';
import { narrowScopes, type ParsedQuestion, scopesOf } from './question.ts';
import type { FactLanesSettings } from './settings.ts';

/**
 * The parts of a retriever that are searched separately: the first that searches by words, and the
 * first that searches a vector space.
 */
export interface Signals {
  readonly words: Retriever | undefined;
  readonly vectors: Retriever | undefined;
}

export function signalsOf(retriever: Retriever, useVectors: boolean): Signals {
  const parts = retriever.parts ?? [retriever];
  const words = parts.find(({ space }) => space === undefined);
  const vectors = parts.find(({ space }) => space !== undefined);
  // A retriever without words keeps its vectors, whatever the setting: nothing else can search.
  return { words, vectors: useVectors || !words ? vectors : undefined };
}

/**
 * Returns the kind of weights: learnt separately for words alone, for spaces fitted on the corpus
 * and for embedders, each for articles and for linked documents.
 */
export function kindOf(space: string | undefined, linked: boolean): RankerKind {
  const signal = space === undefined ? 'words' : isFittedSpace(space) ? 'lsa' : 'vectors';
  return linked ? `open-${signal}` : signal;
}

/** Depth of `max-p`: documents that are found need sentences to be candidates. */
const PARTS_DEPTH = 300;

/** The unit of candidates. */
export const SEARCHED = 'sentence';

export interface SentenceHit {
  readonly hit: Hit;
  /** The search that ranks it highest, and its rank there, from 0. */
  search: SearchRef;
  place: number;
}

/** Collects the searches of a run, hop by hop, and the scores that they give by lane. */
export class LaneSearches {
  /** Searches of the current hop. */
  private searches: Search[] = [];
  private hop = 0;
  /** In the order in which they were found; numbers by id. */
  readonly found: SentenceHit[] = [];
  private readonly numbers = new Map<string, number>();
  /** By lane: the score by words of each sentence, and of each document. */
  readonly words: FoundScores[];
  readonly documents: Map<string, number>[];
  /** Score of each sentence in searches for names, divided by the search's best. */
  readonly named: FoundScores = new FoundScores();
  /** Searches for names alone, of names that a best sentence introduces. */
  readonly links: NameHits[] = [];
  /** By lane: the hits of the searches by its content words, if there were any. */
  readonly content: ContentHits[] = [];
  /** Passages of documents with headings, if there are any. */
  readonly passages: FoundPassages = new FoundPassages();
  /** The first search that found a document as a whole. */
  readonly documentSearch: Map<string, SearchRef> = new Map();
  /**
   * By lane: its vector, where there is one, and the score of the deepest hit of its search over
   * everything.
   */
  readonly queries: (Float32Array | undefined)[];
  readonly floors: number[];
  /** The limit that prevented searches, if any. */
  short: 'retrievals' | 'rerankedPairs' | undefined;
  /**
   * The most pairs that a search has cost so far, if its retriever reranks and the run limits
   * pairs.
   */
  private pairs = 0;

  constructor(lanes: number) {
    const rows = <T>(make: () => T): T[] => Array.from({ length: lanes }, make);
    this.words = rows(() => new FoundScores());
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

  /** Adds one search of sentences to the hop, and its scores, divided by `best`, to `scores`. */
  add(search: Search, scores?: FoundScores, best = 1): void {
    const ref = this.record(search);
    const { found, numbers } = this;
    for (let place = 0; place < search.hits.length; place++) {
      const hit = search.hits[place]!;
      const number = numbers.get(hit.id) ?? found.length;
      const known = found[number];
      if (known === undefined) {
        numbers.set(hit.id, number);
        found.push({ hit, search: ref, place });
      } else if (place < known.place) {
        known.search = ref;
        known.place = place;
      }
      scores?.add(number, hit.score / best);
    }
  }

  addWords(lane: number, search: Search): void {
    this.add(search, this.words[lane]!);
  }

  /** Adds a search for a name. */
  addNamed(search: Search): void {
    const best = search.hits[0]?.score ?? 0;
    // Only scores of searches by words, which are positive, can be compared.
    if (best > 0) this.add(search, this.named, best);
    else this.add(search);
  }

  /**
   * Searches the first queries, as many as the run's limits admit, so that a pass that exceeds a
   * limit still finds candidates.
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

  /** Adds a search of passages in a lane. */
  addPassages(search: Search, lane: number, by: 'words' | 'content' = 'words'): void {
    this.passages.add(search, this.record(search), lane, by);
  }

  /** Adds a search of documents; `lane` if it was searched by words. */
  addDocuments(search: Search, lane?: number): void {
    const ref = this.record(search);
    for (const { id, score } of search.hits) {
      if (lane !== undefined) this.documents[lane]!.set(id, score);
      if (!this.documentSearch.has(id)) this.documentSearch.set(id, ref);
    }
  }
}

/** Hits of searches by the content words of one lane. */
export interface ContentHits {
  readonly sentences: Ranking;
  readonly documents: Ranking;
}

/**
 * Searches sentences and documents by the content words of each lane, in a hop of their own:
 * function words favour short ones.
 */
export async function searchContentWords(
  searches: LaneSearches,
  { lanes, found }: { readonly lanes: readonly string[]; readonly found: readonly SentenceHit[] },
  words: Retriever,
  depth: number,
  call: Call,
): Promise<void> {
  // The candidates decide that it is searched.
  const from = { ...found[0]!.search, id: found[0]!.hit.id };
  const queries = lanes.map(lane => ({ text: [...contentWords(lane)].join(' '), from }));
  const documents = await searches.ask(words, queries, depth, call, 'document');
  const deep = Math.max(depth, PARTS_DEPTH);
  const sentences = await searches.ask(words, queries, deep, call, SEARCHED);
  for (const search of documents) searches.addDocuments(search);
  for (const search of sentences) searches.add(search);
  for (const lane of lanes.keys())
    searches.content.push({
      sentences: sentences[lane]?.hits ?? [],
      documents: documents[lane]?.hits ?? [],
    });
}

/** Searches passages by each lane, in a hop of their own. */
export async function searchPassages(
  searches: LaneSearches,
  { lanes, found }: { readonly lanes: readonly string[]; readonly found: readonly SentenceHit[] },
  words: Retriever,
  call: Call,
): Promise<void> {
  // The candidates decide that it is searched.
  const from = { ...found[0]!.search, id: found[0]!.hit.id };
  // Function words favour short passages, so the question is searched by its content words too.
  const content = [...contentWords(lanes[0]!)].join(' ');
  const about = aboutWords(lanes[0]!);
  const more = about === '' ? [content] : [content, `${content} ${about}`];
  const queries = [...lanes, ...more].map(text => ({ text, from }));
  const passages = await searches.ask(words, queries, PARTS_DEPTH, call, 'passage');
  for (const [at, search] of passages.entries())
    if (at < lanes.length) searches.addPassages(search, at);
    else searches.addPassages(search, 0, 'content');
}

/**
 * Searches passages of each project by its query. `from`: the hit that leads to them. Returns the
 * hits of each.
 */
export async function searchProjects(
  searches: LaneSearches,
  from: NonNullable<StrategyQuery['from']>,
  queries: readonly { readonly text: string }[],
  words: Retriever,
  call: Call,
): Promise<(readonly Hit[])[]> {
  const asked = queries.map(({ text }) => ({ text, from }));
  const made = await searches.ask(words, asked, PARTS_DEPTH, call, 'passage');
  for (const search of made) searches.addPassages(search, 0);
  return made.map(({ hits }) => hits);
}

interface LaneQuery {
  readonly lane: number;
  readonly query: StrategyQuery;
}

const laneQueries = (parsed: ParsedQuestion, scopes: typeof scopesOf): LaneQuery[] =>
  parsed.lanes.flatMap((lane, index) =>
    scopes(lane, parsed).map(filter => ({
      lane: index,
      query: filter ? { text: lane.text, filter } : { text: lane.text },
    })),
  );

/**
 * Searches all lanes in all scopes, the whole question over everything first. Returns false if
 * vectors of sentences are of no use: those of an embedder, where most documents have headings, so
 * that sections are ranked, by words (`keepsSections`), and every sentence would be embedded for
 * nothing.
 */
export async function searchLanes(
  result: LaneSearches,
  parsed: ParsedQuestion,
  signals: Signals,
  engine: SearchEngine,
  { settings: { depth, unit }, keepsSections }: LaneSearchOptions,
  call: Call,
): Promise<boolean> {
  const inLanes = laneQueries(parsed, scopesOf);
  const queries = inLanes.map(({ query }) => query);
  const { words, vectors } = signals;
  const askWords = async (): Promise<readonly Search[]> => {
    const sentences = words ? await result.ask(words, queries, depth, call, SEARCHED) : [];
    for (const [index, search] of sentences.entries())
      result.addWords(inLanes[index]!.lane, search);
    return sentences;
  };
  // Searches are recorded in the order of their calls: a limit cuts the last ones.
  const embeds = vectors !== undefined && !isFittedSpace(vectors.space!);
  const wordsFirst = keepsSections && embeds;
  const headed = wordsFirst && (await areHeaded(await askWords(), engine, call));
  const narrow = laneQueries(parsed, narrowScopes);
  // Every item has a vector, so this search has full depth, as a trace's first should.
  if (vectors && !headed) await searchVectors(result, parsed, narrow, vectors, engine, depth, call);
  if (!wordsFirst) await askWords();
  if (words) {
    const documents = await result.ask(words, queries, depth, call, 'document');
    for (const [index, search] of documents.entries())
      result.addDocuments(search, inLanes[index]!.lane);
  } else if (vectors && unit === 'document') {
    // A kept document must be a hit of a search for documents. Documents have other vectors than
    // sentences, so the engine embeds the lanes again.
    for (const search of await result.ask(vectors, queries, depth, call, 'document'))
      result.addDocuments(search);
  }
  return !headed;
}

export interface LaneSearchOptions {
  readonly settings: FactLanesSettings;
  /** True if sections are kept where most documents have headings. */
  readonly keepsSections: boolean;
}

/** Returns true if most documents that the searches found have headings. */
async function areHeaded(
  searches: readonly Search[],
  engine: SearchEngine,
  call: Call,
): Promise<boolean> {
  const ids = new Set(searches.flatMap(({ hits }) => hits.map(({ documentId }) => documentId)));
  return mostAreHeaded(await engine.read('document', [...ids], call));
}

async function searchVectors(
  result: LaneSearches,
  { lanes }: ParsedQuestion,
  inLanes: readonly LaneQuery[],
  retriever: Retriever,
  engine: SearchEngine,
  depth: number,
  call: Call,
): Promise<void> {
  const texts = lanes.map(({ text }) => text);
  // Each lane is embedded once for all its scopes.
  for (const [lane, vector] of (
    await requirePort(engine, VECTORS, 'The strategy "fact-lanes"').queryVectors(
      SEARCHED,
      texts,
      retriever.space!,
      call,
    )
  ).entries())
    result.queries[lane] = vector;
  // A lane without a vector finds nothing; the whole question is recorded all the same.
  const possible = inLanes.filter(
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
