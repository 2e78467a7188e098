/** A segment as a version of a corpus sees it: without the documents that this version removed. */
import type { Document, Passage } from '../../core/corpus/document.ts';
import type { Filter } from '../../core/corpus/filter.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Analysis } from '../indexes/lexical/lexical-index.ts';
import type { LexicalSegment } from '../indexes/lexical/segment.ts';
import { SegmentView } from '../indexes/lexical/segment-view.ts';
import { RecentlyUsed } from '../indexes/recently-used.ts';
import { positionOf } from './items.ts';
import { countFields, countValues, indexKey, type Scalar, type Segment } from './segment.ts';

/** Most masks of items that are cached. */
const KEEP_MASKS = 256;

/** Immutable: a removal makes another one over the same segment. */
export class LiveSegment {
  readonly segment: Segment;
  /** The number of live documents. */
  readonly size: number;
  /** 1 for live documents; undefined if all are live. */
  private readonly live: Uint8Array | undefined;
  private readonly liveItems = new Map<Unit, Uint8Array | undefined>();
  private readonly views = new Map<string, SegmentView<LexicalSegment>>();
  private readonly masks = new RecentlyUsed<Uint8Array>(KEEP_MASKS);

  constructor(segment: Segment, live?: Uint8Array) {
    this.segment = segment;
    this.live = live;
    const all = segment.documents.length;
    this.size = live ? live.reduce((sum, alive) => sum + alive, 0) : all;
  }

  /** Returns the segment without some documents, by their positions. */
  without(positions: readonly number[]): LiveSegment {
    const live = this.live?.slice() ?? new Uint8Array(this.segment.documents.length).fill(1);
    for (const position of positions) live[position] = 0;
    return new LiveSegment(this.segment, live);
  }

  /** Returns the segment without the live documents of these ids. */
  withoutIds(ids: readonly string[]): LiveSegment {
    return ids.length === 0 ? this : this.without(ids.map(id => this.documentPosition(id)));
  }

  /** Returns the position of a live document, or -1. */
  documentPosition(id: string): number {
    const position = positionOf(this.segment.documents, id);
    return position >= 0 && this.isLive(position) ? position : -1;
  }

  /** Returns the position of a live item, or -1. */
  itemPosition(unit: Unit, id: string): number {
    if (unit === 'document') return this.documentPosition(id);
    const item = this.segment.itemPosition(unit, id);
    if (this.live === undefined || item < 0) return item;
    return this.isLive(this.segment.items(unit).documentOf[item]!) ? item : -1;
  }

  isLive(position: number): boolean {
    return this.live === undefined || this.live[position] === 1;
  }

  /** Returns the live documents, ascending by id. */
  documents(): readonly Document[] {
    const { documents } = this.segment;
    return this.live ? documents.filter((_, position) => this.isLive(position)) : documents;
  }

  /** Returns 1 for each live item; undefined if all are live. */
  itemMask(unit: Unit): Uint8Array | undefined {
    if (this.live === undefined || unit === 'document') return this.live;
    let mask = this.liveItems.get(unit);
    if (!mask) {
      mask = byDocument(this.segment.items(unit).documentOf, this.live);
      this.liveItems.set(unit, mask);
    }
    return mask;
  }

  /** Returns 1 for each live item whose document passes a filter. `key` names the filter. */
  filterMask(unit: Unit, key: string, filter: Filter): Uint8Array {
    const name = `${unit} ${key}`;
    let mask = this.masks.get(name);
    if (!mask) {
      const passing = this.segment.mask(key, filter);
      const { live } = this;
      const documents = live ? passing.map((pass, at) => pass & live[at]!) : passing;
      mask =
        unit === 'document'
          ? documents
          : byDocument(this.segment.items(unit).documentOf, documents);
      this.masks.set(name, mask);
    }
    return mask;
  }

  lexical(unit: Unit, analysis: Analysis): SegmentView<LexicalSegment> {
    const key = indexKey(unit, analysis);
    let view = this.views.get(key);
    if (!view) {
      view = new SegmentView(this.segment.lexical(unit, analysis), this.itemMask(unit));
      this.views.set(key, view);
    }
    return view;
  }

  item(unit: Unit, position: number): Passage {
    return this.segment.items(unit).at(position);
  }

  /** Returns the number of documents with each value of a field: live ones, or those of a mask. */
  valueCounts(field: string, mask?: Uint8Array): ReadonlyMap<Scalar, number> {
    if (mask) {
      const passing = this.segment.documents.filter((_, position) => mask[position] === 1);
      return countValues(passing, field);
    }
    const all = this.segment.valueCounts(field);
    return this.live ? difference(all, countValues(this.removed(), field)) : all;
  }

  /** Returns the number of live documents that have each field. */
  fieldCounts(): ReadonlyMap<string, number> {
    const all = this.segment.fieldCounts();
    return this.live ? difference(all, countFields(this.removed())) : all;
  }

  private removed(): Document[] {
    return this.segment.documents.filter((_, position) => !this.isLive(position));
  }
}

/** Gives each item the value of its document. A loop: `from` asks an iterator for each item. */
function byDocument(documentOf: Int32Array, values: Uint8Array): Uint8Array {
  const mask = new Uint8Array(documentOf.length);
  for (let item = 0; item < mask.length; item++) mask[item] = values[documentOf[item]!]!;
  return mask;
}

function difference<K>(all: ReadonlyMap<K, number>, gone: ReadonlyMap<K, number>): Map<K, number> {
  const left = new Map<K, number>();
  for (const [key, count] of all) {
    const remaining = count - (gone.get(key) ?? 0);
    if (remaining > 0) left.set(key, remaining);
  }
  return left;
}
