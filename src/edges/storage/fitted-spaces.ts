/**
 * The spaces of a store that are fitted on its own documents: which they are, and the fit of one.
 */
import { fittedSpaces } from '../../indexes/lsa/fitted-spaces.ts';
import { Lsa } from '../../indexes/lsa/lsa.ts';
import type { PackedLsa } from '../../indexes/lsa/stored.ts';
import type { Unit } from '../../ranking/ranking.ts';
import type { Snapshot } from '../../retrieval/snapshot.ts';
import type { FittedRecord } from './manifest.ts';

/** A space was fitted on so many items. */
export type OnFitted = (unit: Unit, space: string, items: number) => void;

/** Deterministic: the same documents and chunker give the same bytes. */
export function fitSpace(snapshot: Snapshot, unit: Unit, space: string): PackedLsa {
  return Lsa.fit(snapshot.packedIndex(unit, 'plain'), fittedSpaces.create(space).dimensions).pack();
}

/** What the recorded ones become by these: a space keeps its place, and the units that it had. */
export function mergedFitted(
  recorded: readonly FittedRecord[],
  asked: readonly FittedRecord[],
): FittedRecord[] {
  const units = new Map<string, ReadonlySet<Unit>>();
  for (const one of [...recorded, ...asked])
    units.set(one.space, new Set([...(units.get(one.space) ?? []), ...one.units]));
  return [...units].map(([space, of]) => ({ space, units: [...of].sort() }));
}
