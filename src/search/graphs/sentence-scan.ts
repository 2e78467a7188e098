/**
 * Searches the vectors of a changing collection exactly. Reuses the memory of the search index for
 * the next version of the collection, since filling it takes as long as hundreds of searches.
 */

import type { Steps } from '../../core/steps.ts';
import type { NearestLists } from '../indexes/graph/nearest-lists.ts';
import { exactScore } from '../indexes/vector/exact-score.ts';
import { VectorIndex } from '../indexes/vector/vector-index.ts';
import type { DocumentVectors } from '../vectors/document-vectors.ts';
import type { SentencePlaces } from './sentence-places.ts';

/** One version of a collection. */
export interface PlacedVectors {
  readonly vectors: DocumentVectors;
  readonly places: SentencePlaces;
}

/** A search index of the version for which it was built. */
interface Held extends PlacedVectors {
  readonly index: VectorIndex;
}

/** Queries of one search, which share its passes over the vectors. */
const TOGETHER = 64;
const FEW = 16;
const OUTSIDE = 1 / 64;

/** Limits, which change the time that a scan takes and nothing else. */
export interface ScanLimits {
  /** Sentences for which no index is filled; 16 if missing: products alone are as fast. */
  readonly few?: number;
  /** Share of the sentences that an index may lack; 1/64 if missing. */
  readonly outside?: number;
}

export class SentenceScan {
  private held: Held | undefined;
  private readonly few: number;
  private readonly outside: number;

  constructor({ few = FEW, outside = OUTSIDE }: ScanLimits = {}) {
    [this.few, this.outside] = [few, outside];
  }

  /** Fills the lists of these sentences with the nearest of all others. */
  *fill(lists: NearestLists, sentences: readonly number[], version: PlacedVectors): Steps<void> {
    if (sentences.length === 0) return;
    const isFew = sentences.length <= this.few && hasProducts(version);
    const held = isFew && !this.held ? undefined : this.indexFor(version);
    if (!held) {
      const { documents } = version.places;
      for (const sentence of sentences) offerEach(lists, sentence, documents, version);
      return;
    }
    const { numbers, allowed, outside } = liveIn(held, version);
    for (let from = 0; from < sentences.length; from += TOGETHER) {
      const some = sentences.slice(from, from + TOGETHER);
      const queries = some.map(sentence => vectorOf(sentence, version));
      const requests = queries.map(vector => ({ vector, allowed }));
      for (const [at, hits] of held.index.search(requests, lists.length + 1).entries())
        for (const { item, score } of hits)
          if (numbers[item] !== some[at]) lists.offer(some[at]!, numbers[item]!, score);
      for (const sentence of some) offerEach(lists, sentence, outside, version);
      yield some.length * version.places.size;
    }
  }

  /** Fills the lists of new sentences, and offers them to the lists of all others. */
  *join(lists: NearestLists, added: readonly number[], version: PlacedVectors): Steps<void> {
    const isNew = new Uint8Array(version.places.size);
    for (const sentence of added) isNew[sentence] = 1;
    if (added.length > this.few || !hasProducts(version)) {
      yield* this.fill(lists, added, version);
      yield* spread(lists, added, isNew, version);
      return;
    }
    for (const sentence of added)
      eachScore(sentence, version.places.documents, version, (other, _, score) => {
        lists.offer(sentence, other, score);
        if (isNew[other] === 0) lists.offer(other, sentence, score);
      });
  }

  /** Returns an index that lacks few of these vectors; undefined if there are none. */
  private indexFor(version: PlacedVectors): Held | undefined {
    const { places, vectors } = version;
    if (places.size === 0) return undefined;
    const most = hasProducts(version) ? this.outside * places.size : 0;
    if (!this.held || lackingIn(this.held, version) > most) {
      const rows = places.documents.map(id => vectors.rows.get(id)!);
      const all = new Float32Array(places.size * vectors.dimensions);
      for (const [at, vector] of rows.entries())
        all.set(vector, places.starts[at]! * vectors.dimensions);
      this.held = { ...version, index: VectorIndex.build(all, vectors.dimensions) };
    }
    return this.held;
  }
}

/** Returns true if rows can be multiplied where they are: `exactScore` takes four at a time. */
const hasProducts = ({ vectors }: PlacedVectors): boolean => vectors.dimensions % 4 === 0;

/** Returns true if an index was built of the very vectors that a document has now. */
const isHeld = (held: Held, id: string, { vectors }: PlacedVectors): boolean =>
  held.vectors.rows.get(id) === vectors.rows.get(id);

function lackingIn(held: Held, version: PlacedVectors): number {
  let lacking = 0;
  for (const [at, id] of version.places.documents.entries())
    if (!isHeld(held, id, version))
      lacking += version.places.starts[at + 1]! - version.places.starts[at]!;
  return lacking;
}

/** Offers new sentences to the lists of all others, by an index of the new ones. */
function* spread(
  lists: NearestLists,
  added: readonly number[],
  isNew: Uint8Array,
  version: PlacedVectors,
): Steps<void> {
  const others = Array.from(isNew.keys()).filter(sentence => isNew[sentence] === 0);
  if (others.length === 0 || added.length === 0) return;
  const rows = added.map(sentence => vectorOf(sentence, version));
  const index = VectorIndex.build(rows, version.vectors.dimensions);
  for (let from = 0; from < others.length; from += TOGETHER) {
    const some = others.slice(from, from + TOGETHER);
    const queries = some.map(sentence => ({ vector: vectorOf(sentence, version) }));
    for (const [at, hits] of index.search(queries, lists.length).entries())
      for (const { item, score } of hits) lists.offer(some[at]!, added[item]!, score);
    yield some.length * added.length;
  }
}

interface Live {
  /** The sentence of each row of the index, by the numbers of a version. */
  readonly numbers: Int32Array;
  /** 1 for each row that the version has; missing if it has all. */
  readonly allowed: Uint8Array | undefined;
  /** Documents of the version that the index lacks. */
  readonly outside: readonly string[];
}

function liveIn(held: Held, version: PlacedVectors): Live {
  const numbers = new Int32Array(held.places.size).fill(-1);
  const allowed = new Uint8Array(held.places.size);
  for (const [at, id] of held.places.documents.entries()) {
    if (!isHeld(held, id, version)) continue;
    const start = version.places.spanOf(id)![0];
    const [first, end] = [held.places.starts[at]!, held.places.starts[at + 1]!];
    allowed.fill(1, first, end);
    for (let row = first; row < end; row++) numbers[row] = start + row - first;
  }
  return {
    numbers,
    allowed: allowed.includes(0) ? allowed : undefined,
    outside: version.places.documents.filter(id => !isHeld(held, id, version)),
  };
}

function vectorOf(sentence: number, { places, vectors }: PlacedVectors): Float32Array {
  const at = places.documentOf(sentence);
  const place = sentence - places.starts[at]!;
  const { dimensions, rows } = vectors;
  return rows.get(places.documents[at]!)!.subarray(place * dimensions, (place + 1) * dimensions);
}

function offerEach(
  lists: NearestLists,
  sentence: number,
  documents: readonly string[],
  version: PlacedVectors,
): void {
  eachScore(sentence, documents, version, (other, _, score) => lists.offer(sentence, other, score));
}

/** Scores a sentence with all others of these documents. */
function eachScore(
  sentence: number,
  documents: readonly string[],
  version: PlacedVectors,
  found: (other: number, sentence: number, score: number) => void,
): void {
  const query = vectorOf(sentence, version);
  for (const id of documents) {
    const [start, end] = version.places.spanOf(id)!;
    const rows = version.vectors.rows.get(id)!;
    for (let other = start; other < end; other++)
      if (other !== sentence) found(other, sentence, exactScore(query, rows, other - start));
  }
}
