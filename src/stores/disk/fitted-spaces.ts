/** Fits the spaces of a store that rest on its own documents, such as `lsa`. */
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import { packDerived } from '../../search/derived-index.ts';
import { fittedIndex, fittedKey } from '../../search/fitted-space-index.ts';
import type { Snapshot } from '../../search/snapshot.ts';
import type { MadeDerived } from './derived-files.ts';
import type { FittedRecord } from './manifest.ts';

/** Listens to fits. */
export interface FitEvents {
  /** Called now and then with the share of the work that is done. */
  progress(unit: Unit, space: string, items: number, share: number): void;
  /** Called when a space was fitted on so many items. */
  fitted(unit: Unit, space: string, items: number): void;
}

/**
 * Fits each space that is not `isStored` under its key, in turn. Deterministic: the same documents
 * and chunker give the same bytes. Throws the reason of an abort.
 */
export async function fitSpaces(
  snapshot: Snapshot,
  fitted: readonly FittedRecord[],
  isStored: (key: string) => boolean,
  call: Call,
  events: Partial<FitEvents>,
): Promise<MadeDerived[]> {
  const made: MadeDerived[] = [];
  for (const { space, units } of fitted)
    for (const unit of units) {
      call.signal.throwIfAborted();
      if (isStored(fittedKey(unit, space))) continue;
      const derived = fittedIndex(unit, space, {
        onProgress: (share, items) => events.progress?.(unit, space, items, share),
      });
      const { index, members } = await snapshot.openDerived(derived, call, { fresh: true });
      const packed = packDerived(derived, index, members);
      made.push({ key: derived.key, packed, documents: members.size });
      const items = index.rows.places.length;
      events.fitted?.(unit, space, items);
    }
  return made;
}

/** Merges records: a space keeps its position and its earlier units. */
export function mergedFitted(
  recorded: readonly FittedRecord[],
  requested: readonly FittedRecord[],
): FittedRecord[] {
  const units = new Map<string, ReadonlySet<Unit>>();
  for (const one of [...recorded, ...requested])
    units.set(one.space, new Set([...(units.get(one.space) ?? []), ...one.units]));
  return [...units].map(([space, of]) => ({ space, units: [...of].sort() }));
}
