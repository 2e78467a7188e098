/** Returns the names of a member with one parameter at a bound, or at another choice, each. */
import type { Member, Parameter } from '../../src/core/naming/family.ts';
import { printName, type Value } from '../../src/core/naming/name.ts';

/** Largest value tried for a bound, so that no law runs for minutes. */
const LARGEST = 40;

export function extremesOf({ name, parameters = [] }: Member<unknown>): string[] {
  return parameters.flatMap(parameter =>
    valuesOf(parameter)
      .filter(value => value !== parameter.default)
      .map(value => printName({ name, args: [{ key: parameter.name, value }] })),
  );
}

function valuesOf({ type, min, max, choices, default: given }: Parameter): readonly Value[] {
  if (type === 'flag') return [!given];
  if (type === 'text') return choices ?? [];
  if (type === 'member') return [];
  return [min ?? given, Math.max(min ?? 0, Math.min(max ?? LARGEST, LARGEST))];
}
