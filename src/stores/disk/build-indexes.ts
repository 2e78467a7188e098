/** Builds the indexes of files of documents, of large ones in two threads. */
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { finishWithPauses, type Steps } from '../../core/steps.ts';
import type { Pause } from '../../platform/clock.ts';
import { coresForWork } from '../../platform/cores.ts';
import { cutBy } from '../../search/corpus/items.ts';
import { type PackedUnit, packSegment } from '../../search/corpus/pack-segment.ts';
import type { Analysis } from '../../search/indexes/lexical/lexical-index.ts';
import { tableItems, UNITS } from './document-table.ts';
import type { Segment } from './generation.ts';
import type { Packed } from './index-file.ts';
import type { IndexThread } from './index-thread.ts';
import { reopened } from './late-documents.ts';
import { STORED_INDEXES } from './manifest.ts';

/** Bytes of documents from which a second thread saves more time than its start takes. */
const SHARED_BYTES = 2 << 20;

/** Indexes computed of one file of documents. */
export interface BuiltIndexes {
  /** Lexical ones by key. */
  readonly lexical: ReadonlyMap<string, Packed>;
  /** Packed items, for the file's table. */
  readonly items: Packed['arrays'];
}

/**
 * Builds the indexes of one file of documents, the same with a thread and without. Throws what
 * `pause` throws.
 */
export async function indexesOf(
  { file, documents }: Pick<Segment, 'file' | 'documents'>,
  chunker: string,
  pause: Pause,
  thread?: IndexThread,
): Promise<BuiltIndexes> {
  // The largest first: a thread packs it while the others are packed here; without a thread, the
  // indexes of the others need not be in memory beside its work.
  const waiting = UNITS.toReversed();
  const packed = new Map<Unit, PackedUnit>();
  const packHere = async (): Promise<void> => {
    for (let unit = waiting.shift(); unit; unit = waiting.shift())
      // Documents of each unit's own: their texts need not stay in memory.
      packed.set(unit, await finishWithPauses(packUnit(reopened(documents), unit, chunker), pause));
  };
  const packThere = async (unit: Unit | undefined): Promise<void> => {
    if (!unit) return;
    try {
      packed.set(unit, await thread!.pack(documents, unit, chunker));
    } catch {
      // Whatever failed there is done here.
      return void waiting.push(unit);
    }
    return packThere(waiting.shift());
  };
  const isShared = thread && file.bytes >= SHARED_BYTES && coresForWork() > 1;
  await Promise.all([isShared && packThere(waiting.shift()), packHere()]);
  await packHere();
  return joined(packed);
}

/** Packs a unit of documents with all its indexes that a store keeps. */
export function packUnit(
  documents: readonly Document[],
  unit: Unit,
  chunker: string,
): Steps<PackedUnit> {
  const keys = STORED_INDEXES.map(key => key.split('.') as [Unit, Analysis]);
  const analyses = keys.filter(([of]) => of === unit).map(([, analysis]) => analysis);
  return packSegment(documents, unit, cutBy(chunkers.create(chunker)), analyses);
}

function joined(packed: ReadonlyMap<Unit, PackedUnit>): BuiltIndexes {
  const lexical = new Map<string, Packed>();
  const items: Packed['arrays'][] = [];
  for (const unit of UNITS) {
    const built = packed.get(unit)!;
    for (const [analysis, index] of built.lexical) lexical.set(`${unit}.${analysis}`, index);
    items.push(tableItems(built.items, unit));
  }
  return { lexical, items: Object.assign({}, ...items) };
}
