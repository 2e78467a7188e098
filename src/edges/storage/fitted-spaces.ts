/** Fits the spaces of a store that rest on its own documents, such as `lsa`. */
import type { Unit } from '../../ranking/ranking.ts';
import { packDerived } from '../../retrieval/derived-index.ts';
import { fittedIndex } from '../../retrieval/fitted-space-index.ts';
import type { Snapshot } from '../../retrieval/snapshot.ts';
import type { Call } from '../../trace/call.ts';
import type { MadeDerived } from './derived-files.ts';
import type { FittedRecord } from './manifest.ts';

/** Called when a space was fitted on so many items. */
export type OnFitted = (unit: Unit, space: string, items: number) => void;

/** Fits a space. Deterministic: the same documents and chunker give the same bytes. */
export async function fitSpace(
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
