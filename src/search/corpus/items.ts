/** The items that documents are cut into, in the order of their ids. */

import type { Chunker } from '../../core/corpus/chunker.ts';
import { sentencesOf } from '../../core/corpus/chunker.ts';
import type { Document, Passage } from '../../core/corpus/document.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Steps } from '../../core/steps.ts';

/** Cuts a document: always the same for one unit and document. */
export type Cut = (unit: Unit, document: Document) => readonly Passage[];

/** The items of one unit, ascending by id. */
export interface Items {
  /** Number of items. */
  readonly size: number;
  /** All of them. Stored items are read one by one with `at`, and all of them for this list. */
  readonly items: readonly Passage[];
  /** The position of each item's document. */
  readonly documentOf: Int32Array;
  /** The place of each item among its document's items. */
  readonly placeOf: Int32Array;
  at(position: number): Passage;
  /** Returns the position of an id, or -1. */
  positionOf(id: string): number;
}

/** The items of a segment, which are asked for by document too. */
export interface SegmentItems extends Items {
  /** Returns the items of a document, in the document's order. */
  of(document: number): Passage[];
}

/** Positions of the items of each document. */
export interface Places {
  readonly firsts: ArrayLike<number>;
  /** Decides the width of the numbers of items. */
  readonly counts: ArrayLike<number>;
  /** Position of each item, by document and place; undefined where items follow each other. */
  readonly order?: Int32Array;
  readonly placeOf?: Int32Array;
}

/** `known`: the place of each item; without it items of a document ascend by place. */
export function countedPlaces(
  documentOf: Readonly<Uint32Array> | Int32Array,
  size: number,
  known?: Int32Array,
): Places {
  const [counts, firsts] = [new Int32Array(size), new Int32Array(size)];
  const [placeOf, order] = [new Int32Array(documentOf.length), new Int32Array(documentOf.length)];
  for (let item = 0; item < documentOf.length; item++) {
    const place = counts[documentOf[item]!]!++;
    placeOf[item] = known ? known[item]! : place;
  }
  for (let at = 1; at < size; at++) firsts[at] = firsts[at - 1]! + counts[at - 1]!;
  for (let item = 0; item < documentOf.length; item++)
    order[firsts[documentOf[item]!]! + placeOf[item]!] = item;
  return { firsts, counts, order, placeOf };
}

/** Returns the position of an item by its document and its place in it. */
export const placed = ({ firsts, order }: Places, document: number, place: number): number => {
  const at = firsts[document]! + place;
  return order ? order[at]! : at;
};

export function itemsPlaced(items: Items, places: Places, document: number): Passage[] {
  const list: Passage[] = [];
  for (let place = 0, count = places.counts[document]!; place < count; place++)
    list.push(items.at(placed(places, document, place)));
  return list;
}

/** Items in memory. */
export class ListedItems implements SegmentItems {
  readonly items: readonly Passage[];
  readonly documentOf: Int32Array;
  readonly placeOf: Int32Array;
  private readonly documents: number;
  private positions: ReadonlyMap<string, number> | undefined;
  private places: Places | undefined;

  /** `documents`: their number. */
  constructor(
    items: readonly Passage[],
    documentOf: Int32Array,
    placeOf: Int32Array,
    documents: number,
  ) {
    [this.items, this.documentOf, this.placeOf] = [items, documentOf, placeOf];
    this.documents = documents;
  }

  get size(): number {
    return this.items.length;
  }

  at(position: number): Passage {
    return this.items[position]!;
  }

  positionOf(id: string): number {
    this.positions ??= new Map(this.items.map((item, position) => [item.id, position]));
    return this.positions.get(id) ?? -1;
  }

  of(document: number): Passage[] {
    this.places ??= countedPlaces(this.documentOf, this.documents, this.placeOf);
    return itemsPlaced(this, this.places, document);
  }
}

/** Returns a document as itself, in sentences, or as the chunker cuts it. */
export function cutBy(chunker: Chunker): Cut {
  return (unit, document) => {
    if (unit === 'document')
      return [
        {
          id: document.id,
          documentId: document.id,
          start: 0,
          end: document.text.length,
          text: document.text,
        },
      ];
    return unit === 'sentence' ? sentencesOf(document) : chunker.chunk(document);
  };
}

/** Cutting a character takes as long as indexing some. */
export const WORK = 4;

/** Cuts documents, which ascend by id. */
export function* cutItems(
  documents: readonly Document[],
  unit: Unit,
  cut: Cut,
): Steps<SegmentItems> {
  const items: Passage[] = [];
  const counts = new Int32Array(documents.length);
  for (const [position, document] of documents.entries()) {
    for (const item of cut(unit, document)) {
      items.push(item);
      counts[position]!++;
    }
    yield WORK * document.text.length;
  }
  const [documentOf, placeOf] = [new Int32Array(items.length), new Int32Array(items.length)];
  let item = 0;
  for (const [position, count] of counts.entries())
    for (let place = 0; place < count; place++, item++)
      [documentOf[item], placeOf[item]] = [position, place];
  yield items.length;
  // Ids ascend like their documents, unless one id continues another: "a" and "a!".
  if (unit === 'document' || ascends(items))
    return new ListedItems(items, documentOf, placeOf, documents.length);
  const order = Array.from(items.keys()).sort((a, b) => compareIds(items[a]!, items[b]!));
  yield WORK * order.length;
  const sorted = (numbers: Int32Array): Int32Array => Int32Array.from(order, at => numbers[at]!);
  return new ListedItems(
    order.map(at => items[at]!),
    sorted(documentOf),
    sorted(placeOf),
    documents.length,
  );
}

function ascends(items: readonly Passage[]): boolean {
  for (let at = 1; at < items.length; at++) if (items[at - 1]!.id > items[at]!.id) return false;
  return true;
}

export function compareIds(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Returns the position of an id in a list that ascends by id, or -1. */
export function positionOf(list: readonly { readonly id: string }[], id: string): number {
  let low = 0;
  let high = list.length;
  if (high === 0 || id < list[0]!.id || id > list[high - 1]!.id) return -1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]!.id < id) low = middle + 1;
    else high = middle;
  }
  return list[low]?.id === id ? low : -1;
}
