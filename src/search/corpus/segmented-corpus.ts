/**
 * A corpus as an immutable list of segments: a new version shares the unchanged segments with the
 * previous version.
 */
import type { Document } from '../../core/corpus/document.ts';
import { InputError } from '../../core/errors.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { finish, type Steps } from '../../core/steps.ts';
import type { FieldValue } from '../engine.ts';
import type { Analysis, Packed } from '../indexes/lexical/lexical-index.ts';
import { GatheredItems } from './gathered-items.ts';
import { type Cut, compareIds, type Items } from './items.ts';
import { LiveSegment } from './live-segment.ts';
import { mergeLive } from './merge-live.ts';
import { type MergePolicy, tieredMerges } from './merge-policy.ts';
import { PendingMerge } from './pending-merge.ts';
import { type PackedIndexes, Segment } from './segment.ts';

/** Documents with the packed indexes of exactly these documents. */
export interface StoredSegment {
  readonly documents: Iterable<Document>;
  readonly indexes?: PackedIndexes;
}

/** An element by its segment and its position in it. */
export interface Address {
  readonly segment: LiveSegment;
  readonly position: number;
}

/** Most documents whose addresses are kept. */
const KEEP_FOUND = 1 << 15;

export class SegmentedCorpus {
  /** Each with a live document. */
  readonly segments: readonly LiveSegment[];
  /** The number of live documents. */
  readonly size: number;
  readonly cut: Cut;
  private readonly policy: MergePolicy;
  /** Merges that later writes go on with. */
  private readonly pending: readonly PendingMerge[];
  private sorted: readonly Document[] | undefined;
  private readonly units = new Map<Unit, Items>();
  /** Documents that were looked up. */
  private readonly found = new Map<string, Address>();

  private constructor(
    segments: readonly LiveSegment[],
    cut: Cut,
    policy: MergePolicy,
    pending: readonly PendingMerge[] = [],
  ) {
    this.segments = segments;
    this.cut = cut;
    this.policy = policy;
    this.pending = pending;
    this.size = segments.reduce((sum, { size }) => sum + size, 0);
  }

  /** Throws `InputError('duplicate-id')`. */
  static of(
    stored: Iterable<StoredSegment>,
    cut: Cut,
    policy: MergePolicy = tieredMerges,
  ): SegmentedCorpus {
    const segments = [...stored].map(
      ({ documents, indexes }) => new Segment(sortedById(documents), cut, indexes),
    );
    const corpus = new SegmentedCorpus(withDocuments(segments), cut, policy);
    if (corpus.segments.length > 1) checkDistinct(corpus.documents);
    return corpus;
  }

  /**
   * Returns the corpus with documents added, and those of the same ids replaced. Builds one
   * segment of the new documents, and merges segments where the policy says so: few documents at
   * once, many in steps of this and later writes. `replaced`: the ids that are there already,
   * looked up if missing.
   */
  put(documents: readonly Document[], replaced?: Iterable<string>): SegmentedCorpus {
    const kept = this.without(replaced ? [...replaced] : documents.map(({ id }) => id));
    const added = new LiveSegment(new Segment(sortedById(documents), this.cut));
    return this.settled([...kept, added], documents.length);
  }

  /** Returns the corpus without the documents of these ids. */
  remove(ids: Iterable<string>): SegmentedCorpus {
    const gone = [...ids];
    return this.settled(this.without(gone), gone.length);
  }

  /** Returns the same corpus in one segment, with the indexes that were built. */
  merged(): SegmentedCorpus {
    const [first, ...rest] = this.segments;
    if (!first || (rest.length === 0 && first.size === first.segment.documents.length)) return this;
    return this.with([new LiveSegment(finish(mergeLive(this.segments, this.cut)))]);
  }

  /** Returns where a document is; undefined if there is none of that id. */
  find(id: string): Address | undefined {
    return this.findItem('document', id);
  }

  findItem(unit: Unit, id: string): Address | undefined {
    const known = unit === 'document' ? this.found.get(id) : undefined;
    if (known) return known;
    for (const segment of this.segments) {
      const position = segment.itemPosition(unit, id);
      if (position >= 0) return this.noted(unit, id, { segment, position });
    }
    return undefined;
  }

  private noted(unit: Unit, id: string, address: Address): Address {
    if (unit !== 'document') return address;
    if (this.found.size >= KEEP_FOUND) this.found.clear();
    this.found.set(id, address);
    return address;
  }

  /** All live documents, ascending by id. */
  get documents(): readonly Document[] {
    if (!this.sorted) {
      const lists = this.segments.map(segment => segment.documents());
      this.sorted = lists.length === 1 ? lists[0]! : lists.flat().sort(compareIds);
    }
    return this.sorted;
  }

  /** Returns all live items of a unit as of one list of documents. */
  itemsOf(unit: Unit): Items {
    let items = this.units.get(unit);
    if (!items) {
      items =
        this.oneSegment()?.items(unit) ?? new GatheredItems(this.segments, unit, this.documents);
      this.units.set(unit, items);
    }
    return items;
  }

  /** Returns the position of an item in `itemsOf`, or -1. */
  itemPosition(unit: Unit, id: string): number {
    const only = this.oneSegment();
    return only ? only.itemPosition(unit, id) : this.itemsOf(unit).positionOf(id);
  }

  /** Returns the only segment, if all of its documents are live. */
  oneSegment(): Segment | undefined {
    const [first] = this.segments;
    const isWhole = this.segments.length === 1 && first!.size === first!.segment.documents.length;
    return isWhole ? first!.segment : undefined;
  }

  /**
   * Returns the index of all live documents as if built at once: equal documents give equal bytes,
   * in any segments.
   */
  *packedIndex(unit: Unit, analysis: Analysis): Steps<Packed> {
    const only = this.oneSegment();
    const segment = only && !only.isMerged ? only : new Segment(this.documents, this.cut);
    return (yield* segment.lexicalInSteps(unit, analysis)).pack();
  }

  /**
   * Counts the values of a field, in no order, among the documents that `masks` let through: one
   * mask a segment; all live documents if missing.
   */
  values(field: string, masks?: readonly Uint8Array[]): FieldValue[] {
    const counts = new Map<FieldValue['value'], number>();
    for (const [at, segment] of this.segments.entries())
      for (const [value, count] of segment.valueCounts(field, masks?.[at]))
        counts.set(value, (counts.get(value) ?? 0) + count);
    return Array.from(counts, ([value, documents]) => ({ value, documents }));
  }

  private with(
    segments: readonly LiveSegment[],
    pending: readonly PendingMerge[] = [],
  ): SegmentedCorpus {
    return new SegmentedCorpus(segments, this.cut, this.policy, pending);
  }

  private without(ids: readonly string[]): LiveSegment[] {
    if (ids.length === 0) return [...this.segments];
    const gone = new Map<LiveSegment, number[]>();
    for (const id of ids) {
      const place = this.find(id);
      const positions = place && gone.get(place.segment);
      if (positions) positions.push(place.position);
      else if (place) gone.set(place.segment, [place.position]);
    }
    return this.segments
      .map(segment => (gone.has(segment) ? segment.without(gone.get(segment)!) : segment))
      .filter(({ size }) => size > 0);
  }

  /** Goes on with the merges that are pending, and begins those that the policy asks for. */
  private settled(segments: readonly LiveSegment[], written: number): SegmentedCorpus {
    const pending: PendingMerge[] = [];
    for (const merge of this.pending) {
      merge.advance(written * this.policy.pace);
      const replaced = merge.replaceIn(segments);
      if (replaced) segments = replaced;
      else pending.push(merge);
    }
    for (;;) {
      const free = segments.filter(segment => !pending.some(merge => merge.includes(segment)));
      const sizes = free.map(({ size, segment }) => {
        return { live: size, removed: segment.documents.length - size };
      });
      const chosen = this.policy.next(sizes).map(at => free[at]!);
      if (chosen.length === 0) return this.with(segments, pending);
      const merge = new PendingMerge(chosen, this.cut);
      if (chosen.reduce((sum, { size }) => sum + size, 0) <= this.policy.atOnce) {
        merge.advance(Number.POSITIVE_INFINITY);
        segments = merge.replaceIn(segments)!;
      } else pending.push(merge);
    }
  }
}

function withDocuments(segments: readonly Segment[]): LiveSegment[] {
  return segments
    .filter(({ documents }) => documents.length > 0)
    .map(segment => new LiveSegment(segment));
}

function sortedById(documents: Iterable<Document>): Document[] {
  const sorted = [...documents].sort(compareIds);
  checkDistinct(sorted);
  return sorted;
}

function checkDistinct(sorted: readonly Document[]): void {
  for (let at = 1; at < sorted.length; at++)
    if (sorted[at - 1]!.id === sorted[at]!.id)
      throw new InputError('duplicate-id', `Two documents have the id "${sorted[at]!.id}"`);
}
