/**
 * Packs the items of one unit for storage: document, start and end of each. Text and id are not
 * stored: they follow from the document, so that a search reads those of its hits alone.
 */
import { itemId } from '../corpus/chunker.ts';
import type { Document, Passage } from '../corpus/document.ts';
import type { Unit } from '../ranking/ranking.ts';
import { badIndex } from './derived-index.ts';
import { type Items, positionOf } from './items.ts';

/**
 * The stored form, used in place when loaded: three arrays of equal length, with the position of
 * the document, start and end in it, for each item.
 */
export type PackedItems = Readonly<Record<'documents' | 'starts' | 'ends', Uint32Array>>;

export function packItems(items: Items): PackedItems {
  const [starts, ends] = [new Uint32Array(items.size), new Uint32Array(items.size)];
  for (const [at, { start, end }] of items.items.entries()) [starts[at], ends[at]] = [start, end];
  return { documents: Uint32Array.from(items.documentOf), starts, ends };
}

/** Returns the items of these documents. Throws `InputError('bad-index')` if they are of others. */
export function unpackItems(
  packed: PackedItems,
  unit: Unit,
  documents: readonly Document[],
): Items {
  const { documents: documentOf, starts, ends } = packed;
  let last = 0;
  for (let at = 0; at < (documentOf?.length ?? 0); at++) last = Math.max(last, documentOf[at]!);
  const fits =
    starts?.length === documentOf?.length &&
    ends?.length === starts?.length &&
    (starts?.length === 0 || last < documents.length);
  if (!fits) throw badIndex(`${unit}s of ${documents.length} documents`, 'those of others');
  return new StoredItems(packed, unit, documents);
}

class StoredItems implements Items {
  readonly documentOf: Int32Array;
  readonly placeOf: Int32Array;
  private readonly unit: Unit;
  private readonly documents: readonly Document[];
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  /** Number of items of each document, which decides the width of their numbers. */
  private readonly counts: Int32Array;
  /** Position of each item, by document and place; the items of a document begin at its first. */
  private readonly firsts: Int32Array;
  private readonly order: Int32Array;
  /** Items that were read. */
  private readonly read = new Map<number, Passage>();
  private all: readonly Passage[] | undefined;

  constructor(
    { documents: documentOf, starts, ends }: PackedItems,
    unit: Unit,
    documents: readonly Document[],
  ) {
    [this.unit, this.documents, this.starts, this.ends] = [unit, documents, starts, ends];
    const size = starts.length;
    this.documentOf = new Int32Array(documentOf.buffer, documentOf.byteOffset, size);
    this.placeOf = new Int32Array(size);
    this.counts = new Int32Array(documents.length);
    // Ids of one document ascend with its places.
    for (let item = 0; item < size; item++)
      this.placeOf[item] = this.counts[this.documentOf[item]!]!++;
    this.firsts = new Int32Array(documents.length);
    for (let at = 1; at < documents.length; at++)
      this.firsts[at] = this.firsts[at - 1]! + this.counts[at - 1]!;
    this.order = new Int32Array(size);
    for (let item = 0; item < size; item++)
      this.order[this.firsts[this.documentOf[item]!]! + this.placeOf[item]!] = item;
  }

  get size(): number {
    return this.starts.length;
  }

  get items(): readonly Passage[] {
    this.all ??= Array.from(this.starts, (_, item) => this.at(item));
    return this.all;
  }

  at(position: number): Passage {
    let item = this.read.get(position);
    if (!item) this.read.set(position, (item = this.make(position)));
    return item;
  }

  positionOf(id: string): number {
    const mark = this.unit === 'document' ? id.length : id.lastIndexOf('#');
    const document = positionOf(this.documents, id.slice(0, mark));
    const place = this.unit === 'document' ? 0 : Number(id.slice(mark + 2));
    if (document < 0 || !(place < this.counts[document]!)) return -1;
    const position = this.order[this.firsts[document]! + place];
    return position !== undefined && this.idOf(position) === id ? position : -1;
  }

  private idOf(position: number): string {
    const document = this.documentOf[position]!;
    const { id } = this.documents[document]!;
    if (this.unit === 'document') return id;
    const letter = this.unit === 'sentence' ? 's' : 'p';
    return itemId(id, this.placeOf[position]!, this.counts[document]!, letter);
  }

  private make(position: number): Passage {
    const document = this.documents[this.documentOf[position]!]!;
    const [start, end] = [this.starts[position]!, this.ends[position]!];
    return {
      ...{ id: this.idOf(position), documentId: document.id, start, end },
      // Most items that are found are never shown.
      get text() {
        return document.text.slice(start, end);
      },
    };
  }
}
