/**
 * Lists the live items of several segments. Stores only numbers: it creates an item on request and
 * reads no text.
 */
import type { Document, Passage } from '../../core/corpus/document.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Items } from './items.ts';
import type { LiveSegment } from './live-segment.ts';
import { StoredItems } from './stored-items.ts';

/** A segment with the position of each of its documents among all; -1 for removed ones. */
interface Part {
  readonly live: LiveSegment;
  readonly documents: Int32Array;
  /** Number of the segment's first item, when the items of all segments are counted through. */
  readonly base: number;
}

export class GatheredItems implements Items {
  readonly documentOf: Int32Array;
  readonly placeOf: Int32Array;
  private readonly unit: Unit;
  private readonly parts: readonly Part[];
  /** Position of the first item of each document, where items follow their documents. */
  private readonly firsts: Int32Array;
  /** Each item by its number among the items of all segments. */
  private readonly sources: Int32Array;
  /** Position of each item by its position in the order of documents; missing if both agree. */
  private readonly ranks: Int32Array | undefined;

  /** `documents`: the live ones of all segments, ascending by id. */
  constructor(segments: readonly LiveSegment[], unit: Unit, documents: readonly Document[]) {
    this.unit = unit;
    this.parts = partsOf(segments, unit, documents);
    this.firsts = firstsOf(this.parts, unit, documents.length);
    const size = this.firsts[documents.length]!;
    this.documentOf = new Int32Array(size);
    this.placeOf = new Int32Array(size);
    this.sources = new Int32Array(size);
    for (const part of this.parts) this.place(part);
    // Ids that begin with those of their documents ascend alike, unless one continues another.
    const ascends =
      unit === 'document' || (!continues(documents) && this.parts.every(beginsAlike(unit)));
    this.ranks = ascends ? undefined : this.sort();
  }

  get size(): number {
    return this.sources.length;
  }

  get items(): readonly Passage[] {
    return Array.from(this.sources, (_, position) => this.at(position));
  }

  at(position: number): Passage {
    const source = this.sources[position]!;
    const part = this.parts.findLast(({ base }) => base <= source)!;
    return part.live.item(this.unit, source - part.base);
  }

  positionOf(id: string): number {
    for (const { live, documents } of this.parts) {
      const item = live.itemPosition(this.unit, id);
      if (item < 0) continue;
      const { documentOf, placeOf } = live.segment.items(this.unit);
      const position = this.firsts[documents[documentOf[item]!]!]! + placeOf[item]!;
      return this.ranks ? this.ranks[position]! : position;
    }
    return -1;
  }

  private place({ live, documents, base }: Part): void {
    const { documentOf, placeOf } = live.segment.items(this.unit);
    for (let item = 0; item < documentOf.length; item++) {
      const document = documents[documentOf[item]!]!;
      if (document < 0) continue;
      const position = this.firsts[document]! + placeOf[item]!;
      this.documentOf[position] = document;
      this.placeOf[position] = placeOf[item]!;
      this.sources[position] = base + item;
    }
  }

  /** Sorts the items by id; returns the new position of each. */
  private sort(): Int32Array {
    const ids = this.items.map(({ id }) => id);
    const order = Array.from(ids.keys()).sort((a, b) => (ids[a]! < ids[b]! ? -1 : 1));
    const ranks = new Int32Array(order.length);
    for (const [rank, position] of order.entries()) ranks[position] = rank;
    for (const numbers of [this.documentOf, this.placeOf, this.sources])
      numbers.set(Int32Array.from(order, position => numbers[position]!));
    return ranks;
  }
}

function partsOf(
  segments: readonly LiveSegment[],
  unit: Unit,
  documents: readonly Document[],
): Part[] {
  let base = 0;
  const parts = segments.map(live => {
    const positions = new Int32Array(live.segment.documents.length).fill(-1);
    const part = { live, documents: positions, base };
    base += live.segment.items(unit).size;
    return part;
  });
  // The documents of each segment ascend like all: the next one is the first left of its segment.
  const next = parts.map(({ live }) => nextLive(live, 0));
  for (const [position, document] of documents.entries()) {
    const at = parts.findIndex(
      ({ live }, part) => live.segment.documents[next[part]!] === document,
    );
    parts[at]!.documents[next[at]!] = position;
    next[at] = nextLive(parts[at]!.live, next[at]! + 1);
  }
  return parts;
}

function nextLive(live: LiveSegment, from: number): number {
  let at = from;
  while (at < live.segment.documents.length && !live.isLive(at)) at++;
  return at;
}

/** Returns where the items of each document begin, and where the last ones end. */
function firstsOf(parts: readonly Part[], unit: Unit, size: number): Int32Array {
  const firsts = new Int32Array(size + 1);
  for (const { live, documents } of parts)
    for (const at of live.segment.items(unit).documentOf) {
      const document = documents[at]!;
      if (document >= 0) firsts[document + 1]!++;
    }
  for (let at = 0; at < size; at++) firsts[at + 1]! += firsts[at]!;
  return firsts;
}

/** Returns true for a segment whose items have ids that begin with those of their documents. */
const beginsAlike =
  (unit: Unit) =>
  ({ live: { segment } }: Part): boolean => {
    const items = segment.items(unit);
    // Those of another chunker may not; stored items are named by this library.
    return (
      items instanceof StoredItems ||
      items.items.every(({ id, documentId }) => id.startsWith(documentId))
    );
  };

/** Returns true if the id of one document begins with the id of another. */
function continues(documents: readonly Document[]): boolean {
  for (let at = 1; at < documents.length; at++)
    if (documents[at]!.id.startsWith(documents[at - 1]!.id)) return true;
  return false;
}
