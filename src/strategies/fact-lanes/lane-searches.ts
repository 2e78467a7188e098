/** Collects the searches of `fact-lanes` hop by hop, and the scores that they give by lane. */
import type { Hit, Ranking, Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Search, SearchRef } from '../../core/trace/trace.ts';
import { type Retriever, type StrategyQuery, searchAll } from '../../search/retriever.ts';
import { FoundPassages } from './found-passages.ts';

/** Depth of `max-p`: documents that are found need sentences to be candidates. */
export const PARTS_DEPTH = 300;

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
  private hop: number;
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
  /** The limit that prevented searches, or the reading of candidates, if any. */
  short: 'retrievals' | 'rerankedPairs' | undefined;
  /**
   * The most pairs that a search has cost so far, if its retriever reranks and the run limits
   * pairs.
   */
  private pairs = 0;

  /** `hop`: the place of the first hop in the trace. */
  constructor(lanes: number, hop = 0) {
    this.hop = hop;
    const rows = <T>(make: () => T): T[] => Array.from({ length: lanes }, make);
    this.words = rows(() => new FoundScores());
    this.documents = rows(() => new Map());
    this.queries = rows(() => undefined);
    this.floors = rows(() => 0);
  }

  /** The place of the current hop in the trace. */
  get place(): number {
    return this.hop;
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

  /** Adds a search of passages in a lane; those of a line of a plan go into its own `found`. */
  addPassages(
    search: Search,
    lane: number,
    by: 'words' | 'content' = 'words',
    found: FoundPassages = this.passages,
  ): void {
    found.add(search, this.record(search), lane, by);
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

/** Hits of a search for a name alone, and the sentence that introduces the name. */
export interface NameHits {
  /** Words of the name as `padded` gives them. */
  readonly words: string;
  readonly hits: Ranking;
  /** Rank of that sentence when the name was searched, from 0. */
  readonly rank: number;
  readonly documentId: string;
}

/** The best score of each sentence in some searches, by the number of the sentence. */
export class FoundScores {
  private readonly scores: number[] = [];

  add(number: number, score: number): void {
    const { scores } = this;
    while (scores.length <= number) scores.push(Number.NEGATIVE_INFINITY);
    if (score > scores[number]!) scores[number] = score;
  }

  /** Returns the lowest score, at most 0. */
  floor(): number {
    let floor = 0;
    for (const score of this.scores)
      if (score < floor && score !== Number.NEGATIVE_INFINITY) floor = score;
    return floor;
  }

  /** Returns the scores of the first `size` sentences, each at least `floor`. */
  upTo(size: number, floor: number): Float64Array {
    const row = new Float64Array(size).fill(floor);
    const { scores } = this;
    for (let at = 0; at < size && at < scores.length; at++)
      if (scores[at]! > floor) row[at] = scores[at]!;
    return row;
  }
}
