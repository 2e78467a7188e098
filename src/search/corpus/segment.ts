/**
 * A segment: some documents of a corpus, which never change, and the values computed from them at
 * first use.
 */

import type { Document, Metadata } from '../../core/corpus/document.ts';
import { type Filter, filterFields, matches } from '../../core/corpus/filter.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { finish, STEP, type Steps } from '../../core/steps.ts';
import type { Analysis, LexicalItem, Packed } from '../indexes/lexical/lexical-index.ts';
import { LexicalSegment } from '../indexes/lexical/segment.ts';
import { RecentlyUsed } from '../indexes/recently-used.ts';
import { type Cut, cutItems, type SegmentItems } from './items.ts';
import { type PackedItems, unpackItems } from './stored-items.ts';
import { subjectsInOrder } from './subjects.ts';

/** Stored lexical indexes of the documents of one segment, by `indexKey`, and their items. */
export interface PackedIndexes extends Pick<ReadonlyMap<string, Packed>, 'get'> {
  items?(unit: Unit): PackedItems | undefined;
}

export type IndexKey = `${Unit}.${Analysis}`;
export const indexKey = (unit: Unit, analysis: Analysis): IndexKey => `${unit}.${analysis}`;

export type Scalar = string | number | boolean;

/** Most filters whose documents are cached. */
const KEEP_MASKS = 256;

export class Segment {
  /** Ascending by id. */
  readonly documents: readonly Document[];
  private readonly cut: Cut;
  private readonly stored: PackedIndexes | undefined;
  private readonly units = new Map<Unit, SegmentItems>();
  private readonly indexes = new Map<IndexKey, LexicalSegment>();
  private readonly masks = new RecentlyUsed<Uint8Array>(KEEP_MASKS);
  private readonly counts = new Map<string, ReadonlyMap<Scalar, number>>();
  private fields: ReadonlyMap<string, number> | undefined;
  private merged = false;

  /**
   * `documents` ascend by id. `stored`: indexes of these very documents, opened when first used.
   */
  constructor(documents: readonly Document[], cut: Cut, stored?: PackedIndexes) {
    this.documents = documents;
    this.cut = cut;
    this.stored = stored;
  }

  items(unit: Unit): SegmentItems {
    return finish(this.itemsInSteps(unit));
  }

  private *itemsInSteps(unit: Unit): Steps<SegmentItems> {
    let items = this.units.get(unit);
    if (!items) {
      const stored = this.stored?.items?.(unit);
      items = stored
        ? unpackItems(stored, unit, this.documents)
        : yield* cutItems(this.documents, unit, this.cut);
      this.units.set(unit, items);
    }
    return items;
  }

  /** Returns the position of an item, or -1. */
  itemPosition(unit: Unit, id: string): number {
    return this.items(unit).positionOf(id);
  }

  lexical(unit: Unit, analysis: Analysis): LexicalSegment {
    return finish(this.lexicalInSteps(unit, analysis));
  }

  *lexicalInSteps(unit: Unit, analysis: Analysis): Steps<LexicalSegment> {
    const key = indexKey(unit, analysis);
    let index = this.indexes.get(key);
    if (!index) {
      const stored = this.stored?.get(key);
      index = stored ? LexicalSegment.unpack(stored) : yield* this.build(unit, analysis);
      this.indexes.set(key, index);
    }
    return index;
  }

  /** The units that were cut, and the indexes that were built or opened, so far. */
  made(): { readonly units: readonly Unit[]; readonly indexes: readonly IndexKey[] } {
    return { units: [...this.units.keys()], indexes: [...this.indexes.keys()] };
  }

  /** True if indexes come from a merge: they search alike, but number terms in another order. */
  get isMerged(): boolean {
    return this.merged;
  }

  /** Takes over what a merge computed. */
  adopt(
    units: ReadonlyMap<Unit, SegmentItems>,
    indexes: ReadonlyMap<IndexKey, LexicalSegment>,
  ): this {
    this.merged = true;
    for (const [unit, items] of units) this.units.set(unit, items);
    for (const [key, index] of indexes) this.indexes.set(key, index);
    return this;
  }

  /** Returns 1 for each document that passes a filter. `key` names the filter. */
  mask(key: string, filter: Filter): Uint8Array {
    let mask = this.masks.get(key);
    if (!mask) {
      const { documents } = this;
      // Few filters read the id or the title, which are copied to a document's metadata for it.
      const fields = filterFields(filter);
      const readsOwnFields = OWN_FIELDS.some(field => fields.has(field));
      mask = new Uint8Array(documents.length);
      for (let at = 0; at < mask.length; at++) {
        const document = documents[at]!;
        if (matches(filter, readsOwnFields ? filterable(document) : document.metadata))
          mask[at] = 1;
      }
      this.masks.set(key, mask);
    }
    return mask;
  }

  /** Returns the number of documents that have each value of a field. */
  valueCounts(field: string): ReadonlyMap<Scalar, number> {
    let counts = this.counts.get(field);
    if (!counts) this.counts.set(field, (counts = countValues(this.documents, field)));
    return counts;
  }

  /** Returns the number of documents that have each field. */
  fieldCounts(): ReadonlyMap<string, number> {
    this.fields ??= countFields(this.documents);
    return this.fields;
  }

  private *build(unit: Unit, analysis: Analysis): Steps<LexicalSegment> {
    const { items, documentOf } = yield* this.itemsInSteps(unit);
    const withContext: LexicalItem[] = [];
    const subjectOf = subjectsInOrder();
    let work = 0;
    for (const [position, { id, text, start }] of items.entries()) {
      const document = this.documents[documentOf[position]!]!;
      const title = subjectOf(document, unit === 'document' ? -1 : start);
      withContext.push({ id, title, text, metadata: document.metadata });
      work += text.length;
      if (work < STEP) continue;
      yield work;
      work = 0;
    }
    return yield* LexicalSegment.buildInSteps(withContext, analysis);
  }
}

/** Names that a filter may use beside the metadata fields. */
export const OWN_FIELDS: readonly string[] = ['id', 'title'];

/**
 * Returns the metadata of a document, with its own id and title where no metadata field has that
 * name.
 */
export function filterable({ id, title, metadata }: Document): Metadata {
  return { id, title, ...metadata };
}

export function countValues(documents: readonly Document[], field: string): Map<Scalar, number> {
  const counts = new Map<Scalar, number>();
  for (const { metadata } of documents) {
    // A field may be named like something that every object has: "constructor".
    if (!Object.hasOwn(metadata, field)) continue;
    const value = metadata[field]!;
    for (const single of typeof value === 'object' ? new Set(value) : [value])
      counts.set(single, (counts.get(single) ?? 0) + 1);
  }
  return counts;
}

export function countFields(documents: readonly Document[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { metadata } of documents)
    for (const field of Object.keys(metadata)) counts.set(field, (counts.get(field) ?? 0) + 1);
  return counts;
}
