/**
 * Packs the items and indexes of some documents for storage without holding the items, of which
 * sentences take several times the memory of their texts.
 */
import type { Document } from '../../core/corpus/document.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Steps } from '../../core/steps.ts';
import type { LexicalItems } from '../indexes/lexical/item.ts';
import type { Analysis, Packed } from '../indexes/lexical/lexical-index.ts';
import { LexicalSegment } from '../indexes/lexical/segment.ts';
import { type Cut, compareIds, WORK } from './items.ts';
import { Segment } from './segment.ts';
import { type PackedItems, packItems } from './stored-items.ts';
import { subjectsInOrder } from './subjects.ts';

export interface PackedUnit {
  readonly items: PackedItems;
  readonly lexical: ReadonlyMap<Analysis, Packed>;
}

/** Packs one unit of documents in any order, as a segment of them would be packed. */
export function* packSegment(
  unsorted: readonly Document[],
  unit: Unit,
  cut: Cut,
  analyses: readonly Analysis[],
): Steps<PackedUnit> {
  const documents = unsorted.toSorted(compareIds);
  const items = yield* cutSpans(documents, unit, cut);
  const lexical = new Map<Analysis, Packed>();
  const segment = items ? undefined : new Segment(documents, cut);
  for (const analysis of analyses) {
    const built = items
      ? yield* LexicalSegment.buildSorted(itemsAt(documents, unit, items), analysis)
      : yield* segment!.lexicalInSteps(unit, analysis);
    lexical.set(analysis, built.pack());
  }
  return { items: items ?? packItems(segment!.items(unit), documents.length), lexical };
}

/**
 * Returns where items begin and end; undefined if the items of documents do not follow each other
 * in the order of their ids, because one document's id continues another's: "a" and "a!".
 */
function* cutSpans(
  documents: readonly Document[],
  unit: Unit,
  cut: Cut,
): Steps<PackedItems | undefined> {
  const [documentOf, starts, ends]: [number[], number[], number[]] = [[], [], []];
  const [firsts, counts] = [new Uint32Array(documents.length), new Uint32Array(documents.length)];
  let last: string | undefined;
  for (const [position, document] of documents.entries()) {
    firsts[position] = starts.length;
    for (const { id, start, end } of cut(unit, document)) {
      if (last !== undefined && last >= id) return undefined;
      last = id;
      documentOf.push(position);
      starts.push(start);
      ends.push(end);
      counts[position]!++;
    }
    if (counts[position] === 0) firsts[position] = 0;
    yield WORK * document.text.length;
  }
  const of = (numbers: readonly number[]): Uint32Array => new Uint32Array(numbers);
  return { documents: of(documentOf), starts: of(starts), ends: of(ends), firsts, counts };
}

/** Makes the items of an index one by one; they carry no ids, which ascend already. */
function itemsAt(
  documents: readonly Document[],
  unit: Unit,
  { documents: documentOf, starts, ends }: PackedItems,
): LexicalItems {
  let characters = 0;
  for (let item = 0; item < starts.length; item++) characters += ends[item]! - starts[item]!;
  return {
    length: starts.length,
    characters,
    *[Symbol.iterator]() {
      const subjectOf = subjectsInOrder();
      for (let item = 0; item < starts.length; item++) {
        const document = documents[documentOf[item]!]!;
        const start = starts[item]!;
        const title = subjectOf(document, unit === 'document' ? -1 : start);
        const text = document.text.slice(start, ends[item]);
        yield { id: '', title, text, metadata: document.metadata };
      }
    },
  };
}
