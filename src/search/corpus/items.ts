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

/** Items in memory. */
export class ListedItems implements Items {
  readonly items: readonly Passage[];
  readonly documentOf: Int32Array;
  readonly placeOf: Int32Array;
  private positions: ReadonlyMap<string, number> | undefined;

  constructor(items: readonly Passage[], documentOf: Int32Array, placeOf: Int32Array) {
    [this.items, this.documentOf, this.placeOf] = [items, documentOf, placeOf];
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
export function* cutItems(documents: readonly Document[], unit: Unit, cut: Cut): Steps<Items> {
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
  if (unit === 'document' || ascends(items)) return new ListedItems(items, documentOf, placeOf);
  const order = Array.from(items.keys()).sort((a, b) => compareIds(items[a]!, items[b]!));
  yield WORK * order.length;
  const sorted = (numbers: Int32Array): Int32Array => Int32Array.from(order, at => numbers[at]!);
  return new ListedItems(
    order.map(at => items[at]!),
    sorted(documentOf),
    sorted(placeOf),
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

/** The items of each document, in the document's order. */
export class ItemsByDocument {
  private readonly starts: Int32Array;
  private readonly order: Int32Array;
  private readonly items: Items;

  constructor(items: Items, documents: number) {
    const { documentOf, placeOf, size } = items;
    this.items = items;
    this.starts = new Int32Array(documents + 1);
    for (const document of documentOf) this.starts[document + 1]!++;
    for (let at = 0; at < documents; at++) this.starts[at + 1]! += this.starts[at]!;
    this.order = new Int32Array(size);
    for (let item = 0; item < size; item++)
      this.order[this.starts[documentOf[item]!]! + placeOf[item]!] = item;
  }

  of(document: number): Passage[] {
    const items: Passage[] = [];
    for (let at = this.starts[document]!, end = this.starts[document + 1]!; at < end; at++)
      items.push(this.items.at(this.order[at]!));
    return items;
  }
}
