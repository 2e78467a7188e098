/**
 * Packs the items of a unit for storage: document, start and end of each. Text and id follow from
 * the document, so a search reads only the texts of its hits.
 */
import { itemId } from '../../core/corpus/chunker.ts';
import type { Document, Passage } from '../../core/corpus/document.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { badIndex } from '../derived/derived-index.ts';
import {
  countedPlaces,
  type Items,
  itemsPlaced,
  type Places,
  placed,
  positionOf,
  type SegmentItems,
} from './items.ts';

/**
 * The stored form, used in place when loaded. Three arrays of equal length: the position of the
 * document, start and end in it, for each item. Two by document: the position of its first item and
 * the number of its items; missing where its items do not follow each other.
 */
export type PackedItems = Readonly<Record<'documents' | 'starts' | 'ends', Uint32Array>> &
  Readonly<Partial<Record<'firsts' | 'counts', Uint32Array>>>;

/** `size`: the number of documents. */
export function packItems(items: Items, size: number): PackedItems {
  const [starts, ends] = [new Uint32Array(items.size), new Uint32Array(items.size)];
  for (const [at, { start, end }] of items.items.entries()) [starts[at], ends[at]] = [start, end];
  const { documentOf, placeOf } = items;
  const [firsts, counts] = [new Uint32Array(size), new Uint32Array(size)];
  for (let item = items.size - 1; item >= 0; item--) {
    firsts[documentOf[item]!] = item;
    counts[documentOf[item]!]!++;
  }
  const follows = documentOf.every((document, item) => item === firsts[document]! + placeOf[item]!);
  const places = follows ? { firsts, counts } : {};
  return { documents: Uint32Array.from(documentOf), starts, ends, ...places };
}

/** Returns the items of these documents. Throws `InputError('bad-index')` if they are of others. */
export function unpackItems(
  packed: PackedItems,
  unit: Unit,
  documents: readonly Document[],
): StoredItems {
  const { documents: documentOf, starts, ends } = packed;
  const fits =
    starts?.length === documentOf?.length &&
    ends?.length === starts?.length &&
    isOf(packed, documents.length);
  if (!fits) throw badIndex(`${unit}s of ${documents.length} documents`, 'those of others');
  return new StoredItems(packed, unit, documents);
}

function isOf({ documents, firsts, counts }: PackedItems, size: number): boolean {
  if (firsts && counts) {
    const all = counts.reduce((sum, count) => sum + count, 0);
    return firsts.length === size && counts.length === size && all === documents.length;
  }
  return documents?.every(document => document < size) ?? false;
}

/** Most items that are kept after they were read. */
const KEEP_READ = 1 << 13;

/** Items that are read singly. */
export class StoredItems implements SegmentItems {
  readonly documentOf: Int32Array;
  private readonly unit: Unit;
  private readonly documents: readonly Document[];
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly places: Places;
  private allPlaces: Int32Array | undefined;
  /** Items that were read lately. */
  private readonly read = new Map<number, Passage>();
  private all: readonly Passage[] | undefined;

  constructor(packed: PackedItems, unit: Unit, documents: readonly Document[]) {
    const { documents: documentOf, starts, ends } = packed;
    [this.unit, this.documents, this.starts, this.ends] = [unit, documents, starts, ends];
    this.documentOf = new Int32Array(documentOf.buffer, documentOf.byteOffset, starts.length);
    const { firsts, counts } = packed;
    this.places =
      firsts && counts ? { firsts, counts } : countedPlaces(documentOf, documents.length);
    this.allPlaces = this.places.placeOf;
  }

  get placeOf(): Int32Array {
    this.allPlaces ??= this.documentOf.map(
      (document, item) => item - this.places.firsts[document]!,
    );
    return this.allPlaces;
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
    if (!item) {
      if (this.read.size >= KEEP_READ) this.read.clear();
      this.read.set(position, (item = this.make(position)));
    }
    return item;
  }

  of(document: number): Passage[] {
    return itemsPlaced(this, this.places, document);
  }

  positionOf(id: string): number {
    const mark = this.unit === 'document' ? id.length : id.lastIndexOf('#');
    const document = positionOf(this.documents, id.slice(0, mark));
    const place = this.unit === 'document' ? 0 : Number(id.slice(mark + 2));
    const { counts } = this.places;
    if (document < 0 || !Number.isInteger(place) || place < 0 || place >= counts[document]!)
      return -1;
    const position = placed(this.places, document, place);
    return this.idOf(position) === id ? position : -1;
  }

  private idOf(position: number): string {
    const document = this.documentOf[position]!;
    const { id } = this.documents[document]!;
    if (this.unit === 'document') return id;
    const letter = this.unit === 'sentence' ? 's' : 'p';
    const { placeOf, firsts, counts } = this.places;
    const place = placeOf ? placeOf[position]! : position - firsts[document]!;
    return itemId(id, place, counts[document]!, letter);
  }

  private make(position: number): Passage {
    const document = this.documents[this.documentOf[position]!]!;
    const [start, end] = [this.starts[position]!, this.ends[position]!];
    return lateItem({ id: this.idOf(position), documentId: document.id, start, end }, document);
  }
}

const DOCUMENT = Symbol('document');

interface LateItem extends Omit<Passage, 'text'> {
  readonly [DOCUMENT]: Document;
}

/**
 * One getter for all items: an object with a getter of its own takes six times the memory, because
 * it shares its shape with no other.
 */
const TEXT: PropertyDescriptor & ThisType<LateItem> = {
  enumerable: true,
  configurable: true,
  get() {
    return this[DOCUMENT].text.slice(this.start, this.end);
  },
};

/** Returns an item that cuts its text when it is asked for: most that are found are never shown. */
function lateItem(item: Omit<Passage, 'text'>, document: Document): Passage {
  Object.defineProperty(item, DOCUMENT, { value: document });
  return Object.defineProperty(item, 'text', TEXT) as Passage;
}
