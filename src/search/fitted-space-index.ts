/**
 * A vector space that is fitted on the corpus, such as `lsa`: a derived index without additions and
 * removals. Stale, it serves the fitted rows of unchanged documents and folds all others in.
 */

import type { Document, Passage } from '../core/corpus/document.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import type { Steps } from '../core/steps.ts';
import type { Call } from '../core/trace/call.ts';
import {
  badIndex,
  type DerivedIndex,
  type DerivedKind,
  type PackedDerived,
  packText,
  type Turn,
  unpackText,
} from './derived-index.ts';
import { indexedFields } from './indexes/lexical/item.ts';
import { fittedSpaces } from './indexes/lsa/fitted-spaces.ts';
import { Lsa } from './indexes/lsa/lsa.ts';
import type { PackedLsa } from './indexes/lsa/stored.ts';
import { canonicalSpace, isFittedSpace } from './space-names.ts';

/** A fitted space and the rows of the documents that it was fitted on. */
export interface FittedIndex {
  readonly lsa: Lsa;
  readonly rows: DocumentRows;
}

/** The rows of the items of each document: three lists for all, not an array for each document. */
interface DocumentRows {
  /** The number of each document, ascending by id. */
  readonly numbers: ReadonlyMap<string, number>;
  /** The rows of the items of all documents, one document after the other, each in its order. */
  readonly places: Uint32Array;
  /** Ends of the rows of each document in `places`. */
  readonly ends: Uint32Array;
}

/** The key of a fitted space in a store. `space`: its canonical name. */
export const fittedKey = (unit: Unit, space: string): string => `${space} ${unit}`;

/** Estimated bytes of an id in a map. */
const ID_BYTES = 100;
/** Work between two pauses, a part of a millisecond, and between two reports of progress. */
const PAUSE = 1 << 20;
const REPORT = 1 << 25;
/** Cutting a character, or indexing a part of one, takes as long as so many products. */
const WORK_OF_CHARACTER = 100;

/** Gives the event loop turns during long work, and ends it at an abort. */
class Pauses {
  /** The base of progress reports, once it is known. */
  expected: { readonly work: number; readonly items: number } | undefined;
  total = 0;
  private readonly call: Call;
  private readonly turn: Turn | undefined;
  private readonly onProgress: FitOptions['onProgress'];
  private paused = 0;
  private reported = 0;

  constructor(call: Call, turn: Turn | undefined, onProgress: FitOptions['onProgress']) {
    this.call = call;
    this.turn = turn;
    this.onProgress = onProgress;
  }

  /** Throws the reason of an abort. */
  async after(work: number): Promise<void> {
    this.total += work;
    if (this.total - this.paused < PAUSE) return;
    this.paused = this.total;
    if (this.expected && this.total - this.reported >= REPORT) {
      const { work: all, items } = this.expected;
      this.onProgress?.(Math.min(1, this.total / all), items);
      this.reported = this.total;
    }
    await this.turn?.();
    this.call.signal.throwIfAborted();
  }

  /** `scale`: products that take as long as one unit of the work. */
  async within<T>(steps: Steps<T>, scale: number = 1): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      await this.after(scale * value);
    }
  }
}

/** Listens to a fit while it goes on. */
export interface FitOptions {
  /**
   * Called now and then, once the number of items is known, with the share of the work that is
   * done.
   */
  readonly onProgress?: ((share: number, items: number) => void) | undefined;
}

export const fittedIndex = (
  unit: Unit,
  space: string,
  { onProgress }: FitOptions = {},
): DerivedIndex<FittedIndex> => ({
  key: fittedKey(unit, space),
  async build(source, call, turn) {
    const { dimensions } = fittedSpaces.create(space);
    const pauses = new Pauses(call, turn, onProgress);
    const items: { readonly id: string; readonly document: string; readonly place: number }[] = [];
    for (const document of source.documents) {
      for (const [place, { id }] of source.cut(unit, document).entries())
        items.push({ id, document: document.id, place });
      await pauses.after(WORK_OF_CHARACTER * document.text.length);
    }
    // The inverted index numbers its items by ascending id, the order of the documents.
    if (unit !== 'document') items.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
    const rows = rowsOf(source.documents, items);
    const index = await pauses.within(source.plainIndex(unit), WORK_OF_CHARACTER);
    const expected = pauses.total + Lsa.work(index, dimensions);
    pauses.expected = { work: expected, items: items.length };
    return { lsa: await pauses.within(Lsa.fit(index, dimensions)), rows };
  },
  bytes: ({ lsa, rows: { places, ends } }) =>
    lsa.bytes + places.byteLength + ends.byteLength + ID_BYTES * ends.length,
  pack({ lsa, rows: { numbers, places, ends } }) {
    const packed = lsa.pack();
    const ids = packText([...numbers.keys()]);
    return {
      header: { ...packed.header },
      arrays: { ...packed.arrays, places, placeEnds: ends, ids },
    };
  },
  unpack: unpackFitted,
});

function unpackFitted({ header, arrays }: PackedDerived): FittedIndex {
  const { ids: packedIds, places, placeEnds, ...rest } = arrays;
  const lsa = Lsa.unpack({ header, arrays: rest } as unknown as PackedLsa);
  const ids = unpackText(packedIds, 'ids') as string[];
  const rows = lsa.dimensions === 0 ? undefined : lsa.vectors.length / lsa.dimensions;
  const fits =
    places instanceof Uint32Array &&
    placeEnds instanceof Uint32Array &&
    placeEnds.length === ids.length &&
    places.length === (placeEnds.at(-1) ?? 0) &&
    (rows === undefined || rows === places.length);
  if (!fits) throw badIndex('one row an item', 'arrays of other lengths');
  return { lsa, rows: { numbers: numbered(ids), places, ends: placeEnds } };
}

/** `items`: all of these documents, by row. */
function rowsOf(
  documents: readonly Document[],
  items: readonly { readonly document: string; readonly place: number }[],
): DocumentRows {
  const numbers = numbered(documents.map(({ id }) => id).sort());
  const [places, ends] = [new Uint32Array(items.length), new Uint32Array(numbers.size)];
  for (const { document } of items) ends[numbers.get(document)!]!++;
  for (let at = 1; at < ends.length; at++) ends[at]! += ends[at - 1]!;
  for (const [row, { document, place }] of items.entries())
    places[startOf(ends, numbers.get(document)!) + place] = row;
  return { numbers, places, ends };
}

const numbered = (ids: readonly string[]): Map<string, number> =>
  new Map(ids.map((id, number) => [id, number]));

const startOf = (ends: Uint32Array, document: number): number =>
  document === 0 ? 0 : ends[document - 1]!;

/** Returns space and unit of the key of a fitted space, undefined for another key. */
export function fittedOfKey(
  key: string,
): { readonly space: string; readonly unit: Unit } | undefined {
  const at = key.lastIndexOf(' ');
  const space = key.slice(0, at);
  if (!isFittedSpace(space)) return undefined;
  return { space: canonicalSpace(space), unit: key.slice(at + 1) as Unit };
}

/** The kind of every space of the family `fittedSpaces`. */
export const FITTED_KINDS: readonly DerivedKind<FittedIndex>[] = fittedSpaces.members.map(
  ({ name }) => ({
    name,
    of(key) {
      const { space, unit } = fittedOfKey(key)!;
      return fittedIndex(unit, space);
    },
  }),
);

/** Returns the fitted row of an item; a zero row for an item without a direction. */
export function fittedRow(
  { lsa, rows: { numbers, places, ends } }: FittedIndex,
  id: string,
  place: number,
): Float32Array {
  const row = places[startOf(ends, numbers.get(id)!) + place]!;
  return lsa.vectors.subarray(row * lsa.dimensions, (row + 1) * lsa.dimensions);
}

/**
 * Folds an item in that the space was not fitted on: the same map as for a query in the item's own
 * words. Words that the space does not know count nothing; undefined if it knows none.
 */
export function foldItem(
  { lsa }: FittedIndex,
  { id, text }: Passage,
  { title, metadata }: Document,
): Float32Array | undefined {
  const fields = indexedFields({ id, title, text, metadata }, 'plain');
  return lsa.fold(fields.map(([field]) => field).join('\n'));
}
