/** Fits the spaces of a store that rest on its own documents, such as `lsa`. */
import type { Unit } from '../../ranking/ranking.ts';
import { packDerived } from '../../retrieval/derived-index.ts';
import { fittedIndex, fittedKey } from '../../retrieval/fitted-space-index.ts';
import type { Snapshot } from '../../retrieval/snapshot.ts';
import type { Call } from '../../trace/call.ts';
import { takeTurns } from '../clock.ts';
import type { MadeDerived } from './derived-files.ts';
import type { FittedRecord } from './manifest.ts';

/** Called when a space was fitted on so many items. */
export type OnFitted = (unit: Unit, space: string, items: number) => void;

/**
 * Fits each space that is not `isStored` under its key, in turn. Throws the reason of an abort
 * before the next.
 */
export async function fitSpaces(
  snapshot: Snapshot,
  fitted: readonly FittedRecord[],
  isStored: (key: string) => boolean,
  call: Call,
  onFitted: OnFitted,
): Promise<MadeDerived[]> {
  const made: MadeDerived[] = [];
  for (const { space, units } of fitted)
    for (const unit of units) {
      // A fit runs for seconds without a pause: checks for an abort before each.
      await takeTurns();
      call.signal.throwIfAborted();
      if (isStored(fittedKey(unit, space))) continue;
      made.push(await fitSpace(snapshot, unit, space, call));
      onFitted(unit, space, snapshot.itemsOf(unit).size);
    }
  return made;
}

/** Fits a space. Deterministic: the same documents and chunker give the same bytes. */
async function fitSpace(
  snapshot: Snapshot,
  unit: Unit,
  space: string,
  call: Call,
): Promise<MadeDerived> {
  const derived = fittedIndex(unit, space);
  const { index, members } = await snapshot.openDerived(derived, call, { fresh: true });
  const packed = packDerived(derived, index, members);
  return { key: derived.key, packed, documents: members.size };
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
