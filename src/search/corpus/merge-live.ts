/** Merges segments of a corpus: their live documents, the items and the indexes that exist. */

import type { Unit } from '../../core/ranking/ranking.ts';
import { STEP, type Steps } from '../../core/steps.ts';
import { postingCount } from '../indexes/lexical/inverted.ts';
import type { Analysis } from '../indexes/lexical/lexical-index.ts';
import { mergeSegmentsInSteps } from '../indexes/lexical/merge-segments.ts';
import type { LexicalSegment } from '../indexes/lexical/segment.ts';
import { type Cut, ListedItems, type SegmentItems } from './items.ts';
import type { LiveSegment } from './live-segment.ts';
import { type IndexKey, Segment } from './segment.ts';

/** Work of placing an item, and of merging a term, in postings that are merged meanwhile. */
const ITEM_WORK = 8;
const TERM_WORK = 8;

/** A list that ascends by id, and which of it is live. */
interface Run {
  readonly list: readonly { readonly id: string }[];
  isLive(position: number): boolean;
}

interface Placed {
  /** The position in the merged list of each element of each run; -1 for those left out. */
  readonly places: readonly Int32Array[];
  readonly size: number;
}

/**
 * Returns one segment of the live documents. Units that one of the sources has cut, and indexes
 * that one of them has, are made in all of them and merged. O(items · sources + postings).
 */
export function* mergeLive(sources: readonly LiveSegment[], cut: Cut): Steps<Segment> {
  const documents = yield* placesOf(
    sources.map(source => ({
      list: source.segment.documents,
      isLive: position => source.isLive(position),
    })),
  );
  const merged = gathered(
    sources.map(({ segment }) => segment.documents),
    documents,
  );
  const units = new Set(sources.flatMap(({ segment }) => segment.made().units));
  const keys = new Set(sources.flatMap(({ segment }) => segment.made().indexes));
  const items = new Map<Unit, SegmentItems>();
  const indexes = new Map<IndexKey, LexicalSegment>();
  for (const unit of units) {
    const placed = unit === 'document' ? documents : yield* itemPlaces(sources, unit);
    items.set(unit, mergedItems(sources, unit, documents, placed));
    yield placed.size * ITEM_WORK;
    for (const key of keys) {
      const [of, analysis] = key.split('.') as [Unit, Analysis];
      if (of !== unit) continue;
      const lexical = sources.map(({ segment }, at) => ({
        segment: segment.lexical(unit, analysis),
        places: placed.places[at]!,
      }));
      indexes.set(key, yield* mergeSegmentsInSteps(lexical, placed.size));
    }
  }
  return new Segment(merged, cut).adopt(items, indexes);
}

/** Estimates the work of a merge, in the unit of its steps. */
export function mergeWork(sources: readonly LiveSegment[]): number {
  let work = 0;
  for (const { segment } of sources) {
    work += 2 * ITEM_WORK * segment.documents.length;
    for (const unit of segment.made().units) work += 2 * ITEM_WORK * segment.items(unit).size;
    for (const key of segment.made().indexes) {
      const [unit, analysis] = key.split('.') as [Unit, Analysis];
      const { inverted } = segment.lexical(unit, analysis);
      work += TERM_WORK * inverted.terms + 2 * postingCount(inverted);
    }
  }
  return work;
}

function itemPlaces(sources: readonly LiveSegment[], unit: Unit): Steps<Placed> {
  return placesOf(
    sources.map(source => {
      const { items, documentOf } = source.segment.items(unit);
      return { list: items, isLive: item => source.isLive(documentOf[item]!) };
    }),
  );
}

function mergedItems(
  sources: readonly LiveSegment[],
  unit: Unit,
  documents: Placed,
  { places, size }: Placed,
): SegmentItems {
  const documentOf = new Int32Array(size);
  const placeOf = new Int32Array(size);
  for (const [at, { segment }] of sources.entries()) {
    const cut = segment.items(unit);
    for (let item = 0; item < cut.size; item++) {
      const place = places[at]![item]!;
      if (place < 0) continue;
      documentOf[place] = documents.places[at]![cut.documentOf[item]!]!;
      placeOf[place] = cut.placeOf[item]!;
    }
  }
  const items = gathered(
    sources.map(({ segment }) => segment.items(unit).items),
    { places, size },
  );
  return new ListedItems(items, documentOf, placeOf, documents.size);
}

function gathered<T>(lists: readonly (readonly T[])[], { places, size }: Placed): T[] {
  const merged = new Array<T>(size);
  for (const [at, list] of lists.entries())
    for (let position = 0; position < list.length; position++) {
      const place = places[at]![position]!;
      if (place >= 0) merged[place] = list[position]!;
    }
  return merged;
}

/** Merges runs by id. Ids of live elements are distinct. */
function* placesOf(runs: readonly Run[]): Steps<Placed> {
  const places = runs.map(({ list }) => new Int32Array(list.length).fill(-1));
  const next = runs.map(() => 0);
  const heads = runs.map(({ list }) => list[0]?.id ?? '');
  // The runs with elements left, by the id of the next one.
  const order = [...runs.keys()].filter(run => runs[run]!.list.length > 0);
  order.sort((a, b) => (heads[a]! < heads[b]! ? -1 : 1));
  let [size, placed] = [0, 0];
  while (order.length > 0) {
    if (size - placed >= STEP / ITEM_WORK) {
      placed = size;
      yield STEP;
    }
    const first = order[0]!;
    const second = order.length > 1 ? heads[order[1]!]! : undefined;
    const { list, isLive } = runs[first]!;
    // The run goes on for as long as its ids stay before all others.
    let at = next[first]!;
    do {
      if (isLive(at)) places[first]![at] = size++;
      at++;
    } while (at < list.length && (second === undefined || list[at]!.id < second));
    next[first] = at;
    if (at === list.length) order.shift();
    else {
      heads[first] = list[at]!.id;
      moveBack(order, heads);
    }
  }
  return { places, size };
}

/** Moves the first run behind those whose next id is smaller. */
function moveBack(order: number[], heads: readonly string[]): void {
  const first = order[0]!;
  let at = 0;
  for (; at + 1 < order.length && heads[order[at + 1]!]! < heads[first]!; at++)
    order[at] = order[at + 1]!;
  order[at] = first;
}
