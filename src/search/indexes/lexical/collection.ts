/**
 * Searches one version of a collection in segments as if it were one segment. Scores depend only on
 * the sums of the segments' statistics.
 */

import { InputError } from '../../../core/errors.ts';
import type { ScoredItem } from '../../../core/ranking/top.ts';
import { STEP, type Steps } from '../../../core/steps.ts';
import { languageTerm, STEMMED_LANGUAGES } from '../../../language/stems/stems.ts';
import type { Explanation } from '../explanation.ts';
import { RecentlyUsed } from '../recently-used.ts';
import { searchAbove } from './bounded.ts';
import { findTerm, termBytes } from './dictionary.ts';
import { searchExhaustively } from './exhaustive.ts';
import { explainItem } from './explain.ts';
import { heldItems } from './held-items.ts';
import { documentFrequency, postingCount } from './inverted.ts';
import type { Analysis } from './item.ts';
import { type QueryTerm, readTerms, writtenTerm } from './query.ts';
import type { Boost, Collection, Scorer, WeighedTerm, Weighing } from './scorer.ts';
import type { LexicalSegment } from './segment.ts';
import type { SegmentView } from './segment-view.ts';
import type { TermBytes } from './term-reader.ts';

export interface CollectionPart {
  readonly view: SegmentView<LexicalSegment>;
  /** Returns the id, which orders items of different segments with equal scores. */
  readonly idOf: (item: number) => string;
}

export interface CollectionQuery {
  readonly text: string;
  /** True if somebody typed the text to search, so that its spelling counts. */
  readonly typed?: boolean | undefined;
  /**
   * One array per part with one byte per item, 1 if a live item may be returned; applied before
   * top-k. By default all live items may be returned.
   */
  readonly allowed?: readonly Uint8Array[];
  /** Texts: an item is found only if it holds every term of them. */
  readonly holding?: readonly string[] | undefined;
}

/** Makes a result of an item, given by its part and its position in the part's segment. */
export type ToHit<Hit> = (part: number, item: number, score: number) => Hit;

interface RankedItem extends ScoredItem {
  readonly part: number;
}

/** The terms of a query in one segment. */
interface PartQuery {
  readonly terms: readonly WeighedTerm[];
  readonly boosts: readonly Boost[];
  /** True if compiled postings hold the contributions of its terms. */
  readonly isCompiled: boolean;
}

/** Most scorers that stay prepared. */
const KEEP_READY = 4;

export class LexicalCollection implements Collection {
  readonly analysis: Analysis;
  readonly views: readonly SegmentView<LexicalSegment>[];
  readonly size: number;
  readonly total: number;
  private readonly parts: readonly CollectionPart[];
  /** Parts by descending number of postings: large parts set the floor for small ones. */
  private readonly order: readonly number[];
  private readonly ready = new RecentlyUsed<Weighing>(KEEP_READY);
  private readonly known = new Map<SegmentView, Uint32Array>();
  private stemmed: readonly string[] | undefined;

  constructor(analysis: Analysis, parts: readonly CollectionPart[]) {
    this.analysis = analysis;
    this.parts = parts;
    this.views = parts.map(({ view }) => view);
    this.size = this.views.reduce((sum, { size }) => sum + size, 0);
    this.total = this.views.reduce((sum, { total }) => sum + total, 0);
    const postings = this.views.map(({ segment }) => postingCount(segment.inverted));
    this.order = [...parts.keys()].sort((a, b) => postings[b]! - postings[a]! || a - b);
  }

  /**
   * Returns the best k items of each query, score descending, then id ascending, as `toHit` makes
   * them. Items that score 0 are not returned.
   */
  search<Hit>(
    queries: readonly CollectionQuery[],
    k: number,
    scorer: Scorer,
    toHit: ToHit<Hit>,
  ): Hit[][] {
    checkCount(k);
    const weighing = this.prepare(scorer);
    // The same text is often searched with several filters, one after the other.
    let read: CollectionQuery | undefined;
    let parts: readonly PartQuery[] = [];
    return queries.map(query => {
      const { text, typed } = query;
      const allowed = this.allowed(query);
      if (text !== read?.text || typed !== read.typed) parts = this.read((read = query), weighing);
      return this.searchParts(parts, { k, scorer: scorer.name, weighing, allowed }, toHit);
    });
  }

  /** Explains the score of an item; the value is the score of `search`, or 0. */
  explain(query: CollectionQuery, part: number, item: number, scorer: Scorer): Explanation {
    const view = this.views[part];
    if (!view || !Number.isInteger(item) || item < 0 || item >= view.segment.size)
      throw new InputError('unknown-item', 'Unknown item of this lexical index', {
        expected: view ? `0 to ${view.segment.size - 1}` : 'a part of the collection',
        received: String(view ? item : part),
      });
    const weighing = this.prepare(scorer);
    const { terms, boosts } = this.read(query, weighing)[part]!;
    const frequencyOf = (term: number): number =>
      this.frequencyOf(termBytes(view.segment.inverted.dictionary, term));
    return explainItem(scorer.name, view, weighing, { terms, boosts, frequencyOf }, item);
  }

  *frequencies(view: SegmentView): Steps<Uint32Array> {
    let frequencies = this.known.get(view);
    if (!frequencies) {
      frequencies = view.frequencies();
      yield frequencies.length;
      for (const other of this.views)
        if (other !== view) yield* addFrequencies(other, view, frequencies);
      this.known.set(view, frequencies);
    }
    return frequencies;
  }

  private frequencyOf(term: TermBytes): number {
    let frequency = 0;
    for (const view of this.views) {
      const number = findTerm(view.segment.inverted.dictionary, term);
      if (number >= 0) frequency += view.frequency(number);
    }
    return frequency;
  }

  private allowed({ allowed, holding = [] }: CollectionQuery): CollectionQuery['allowed'] {
    if (holding.length === 0) return allowed;
    return this.views.map((view, part) => heldItems(view, this.analysis, holding, allowed?.[part]));
  }

  /** The languages with stems that an item has. */
  private get languages(): readonly string[] {
    return (this.stemmed ??= STEMMED_LANGUAGES.filter(
      code => this.frequencyOf(writtenTerm(languageTerm(code))) > 0,
    ));
  }

  /** Looks a query's terms up in every segment and weighs them by the statistics of all. */
  private read({ text, typed }: CollectionQuery, weighing: Weighing): PartQuery[] {
    const terms = readTerms(text, this.analysis, { typed, languages: this.languages });
    const numbers = this.views.map(view => numbersOf(view, terms));
    weighing.weigh(terms);
    const isCompiled = areCompiled(terms);
    return this.views.map(({ segment }, part) => ({
      isCompiled,
      terms: weighedTerms(numbers[part]!, terms, weighing),
      boosts: weighing.boosts(text, segment.facts),
    }));
  }

  private searchParts<Hit>(
    queries: readonly PartQuery[],
    request: PartRequest,
    toHit: ToHit<Hit>,
  ): Hit[] {
    const { k } = request;
    if (k === 0) return [];
    let first = 0;
    // Most collections are one part, or find all of the best in it: only more parts are merged.
    let alone: readonly ScoredItem[] = [];
    let merged: RankedItem[] | undefined;
    for (const part of this.order) {
      const floor = (merged ?? alone)[k - 1]?.score ?? 0;
      const hits = this.searchPart(part, queries[part]!, request, floor);
      if (hits.length === 0) continue;
      if (alone.length === 0) [first, alone] = [part, hits];
      else merged = this.merge(merged ?? placed(alone, first), placed(hits, part), k);
    }
    return merged
      ? merged.map(({ part, item, score }) => toHit(part, item, score))
      : alone.map(({ item, score }) => toHit(first, item, score));
  }

  /** `floor`: items below this score are not among the best. */
  private searchPart(
    part: number,
    { terms, boosts, isCompiled }: PartQuery,
    { k, scorer, weighing, allowed: masks }: PartRequest,
    floor: number,
  ): ScoredItem[] {
    if (terms.length === 0 && boosts.length === 0) return [];
    const view = this.views[part]!;
    const { segment } = view;
    const allowed = masks ? masks[part] : view.live;
    if (masks && allowed?.length !== segment.size)
      throw new InputError('bad-filter-length', 'A filter has the wrong length', {
        expected: `${segment.size} bytes, one per item of the segment`,
        received: `${allowed?.length}`,
      });
    if (boosts.length === 0 && isOutOfReach(terms, weighing, floor)) return [];
    const fast = isCompiled
      ? segment.fastSearch(scorer, view, weighing, this.size, terms)
      : undefined;
    const hits = fast?.search(view, weighing, { terms, allowed }, k, floor);
    if (hits) return hits;
    return boosts.length === 0
      ? searchAbove(view, weighing, { terms, allowed }, k, floor)
      : searchExhaustively(view, weighing, { terms, boosts, allowed }, k);
  }

  /** Returns the best k of two rankings. */
  private merge(a: readonly RankedItem[], b: readonly RankedItem[], k: number): RankedItem[] {
    const idOf = ({ part, item }: RankedItem): string => this.parts[part]!.idOf(item);
    const isBefore = (x: RankedItem, y: RankedItem): boolean =>
      x.score > y.score || (x.score === y.score && idOf(x) < idOf(y));
    const merged: RankedItem[] = [];
    for (let i = 0, j = 0; merged.length < k && (i < a.length || j < b.length); )
      merged.push(j >= b.length || (i < a.length && isBefore(a[i]!, b[j]!)) ? a[i++]! : b[j++]!);
    return merged;
  }

  private prepare(scorer: Scorer): Weighing {
    if (scorer.analysis !== this.analysis)
      throw new InputError(
        'wrong-analysis',
        `Scorer "${scorer.name}" needs an index of another analysis`,
        {
          expected: `an index with the analysis "${scorer.analysis}"`,
          received: `"${this.analysis}"`,
        },
      );
    let ready = this.ready.get(scorer.name);
    if (!ready) this.ready.set(scorer.name, (ready = scorer.prepare(this)));
    return ready;
  }
}

interface PartRequest {
  readonly k: number;
  readonly scorer: string;
  readonly weighing: Weighing;
  readonly allowed: CollectionQuery['allowed'];
}

const placed = (hits: readonly ScoredItem[], part: number): RankedItem[] =>
  hits.map(({ item, score }) => ({ part, item, score }));

function checkCount(k: number): void {
  if (!Number.isInteger(k) || k < 0)
    throw new InputError('bad-k', 'Invalid number of results', {
      expected: 'a whole number of at least 0',
      received: String(k),
    });
}

/** Looks terms up in a segment and adds its live frequencies to theirs; -1 for unknown terms. */
function numbersOf(view: SegmentView, terms: readonly QueryTerm[]): number[] {
  const { dictionary } = view.segment.inverted;
  const numbers: number[] = [];
  for (let place = 0; place < terms.length; place++) {
    const number = findTerm(dictionary, terms[place]!);
    numbers.push(number);
    if (number >= 0) terms[place]!.frequency += view.frequency(number);
  }
  return numbers;
}

/** Returns the terms of the segment with a weight above 0, in the order of the query. */
function weighedTerms(
  numbers: readonly number[],
  terms: readonly QueryTerm[],
  weighing: Weighing,
): WeighedTerm[] {
  const weighed: WeighedTerm[] = [];
  for (let place = 0; place < numbers.length; place++) {
    const { weight, idf, frequency } = terms[place]!;
    const term = numbers[place]!;
    if (term < 0 || weight === 0) continue;
    const fullIdf = weighing.idf(frequency);
    weighed.push({ term, weight, idf, fullIdf, isLow: 2 * idf < fullIdf });
  }
  return weighed;
}

/** Compiled contributions are those of the weight 1. */
const areCompiled = (terms: readonly QueryTerm[]): boolean => {
  for (const { frequency, weight } of terms) if (frequency > 0 && weight > 1) return false;
  return true;
};

function isOutOfReach(terms: readonly WeighedTerm[], weighing: Weighing, floor: number): boolean {
  if (floor === 0) return false;
  let most = 0;
  for (const { weight, idf } of terms) most += weighing.bound(weight, idf);
  return most < floor;
}

/**
 * Adds the live frequencies that the terms of a segment have in another one. Looks up the terms of
 * the smaller dictionary in the larger one.
 */
function* addFrequencies(
  from: SegmentView,
  to: SegmentView,
  frequencies: Uint32Array,
): Steps<void> {
  const [source, target] = [from.segment.inverted, to.segment.inverted];
  const [few, many] = source.terms < target.terms ? [source, target] : [target, source];
  const live = from.live ? from.frequencies() : undefined;
  for (let term = 0; term < few.terms; term++) {
    if (term % STEP === STEP - 1) yield STEP;
    const match = findTerm(many.dictionary, termBytes(few.dictionary, term));
    if (match < 0) continue;
    const [there, here] = few === source ? [term, match] : [match, term];
    frequencies[here]! += live ? live[there]! : documentFrequency(source, there);
  }
}
