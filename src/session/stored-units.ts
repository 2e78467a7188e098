/** Chooses the unit of a retriever whose name gives none: that of the store's vectors. */
import type { Member } from '../core/naming/family.ts';
import { type Argument, type Name, parseName, printName } from '../core/naming/name.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import { retrievers } from '../search/retrievers.ts';
import { canonicalSpace } from '../search/vectors/space-names.ts';
import type { Manifest } from '../stores/disk/manifest.ts';

/**
 * Returns the canonical name of the retriever in this store. If parts that search a vector space
 * name no unit and the store has vectors of exactly one unit for them, all parts without a unit
 * search it; a name that gives another unit stays as it is. Throws `InputError`.
 */
export function retrieverInStore(name: string, manifest: Pick<Manifest, 'spaces'>): string {
  const canonical = retrievers.canonical(name);
  const parsed = parseName(name);
  const parts = engineParts(parsed);
  const open = parts.filter(part => unitOf(part) === undefined);
  const units = new Set(
    open
      .flatMap(part => retrievers.create(part).space ?? [])
      .map(space => onlyUnit(canonicalSpace(space), manifest)),
  );
  const [unit] = units;
  if (
    units.size !== 1 ||
    unit === undefined ||
    parts.some(part => !open.includes(part) && unitOf(part) !== unit)
  )
    return canonical;
  return retrievers.canonical(printName(withUnit(parsed, new Set(open), unit)));
}

/** Returns undefined for no unit, several, or documents, which are the default anyway. */
function onlyUnit(space: string, { spaces = [] }: Pick<Manifest, 'spaces'>): Unit | undefined {
  const units = spaces.find(record => record.name === space)?.units ?? [];
  return units.length === 1 && units[0] !== 'document' ? units[0] : undefined;
}

/**
 * Returns the retrievers inside a name whose unit follows the store. A retriever with a unit of its
 * own decides for what is inside it.
 */
function engineParts(name: Name): Name[] {
  const { parameters = [] } = memberOf(name);
  if (parameters.some(({ follows }) => follows === 'store')) return [name];
  if (parameters.some(parameter => parameter.name === UNIT)) return [];
  const positional = parameters.filter(parameter => parameter.positional);
  let position = 0;
  return name.args.flatMap(({ key, value }) => {
    const parameter =
      key === undefined
        ? positional[position++]
        : parameters.find(parameter => parameter.name === key);
    return parameter?.own && typeof value === 'object' ? engineParts(value) : [];
  });
}

const memberOf = ({ name }: Name): Pick<Member<unknown>, 'parameters'> =>
  retrievers.members.find(member => member.name === name) ?? {};

const UNIT = 'unit';

function unitOf({ args }: Name): string | undefined {
  const value = args.find(({ key }) => key === UNIT)?.value;
  return typeof value === 'object' ? value.name : value === undefined ? undefined : String(value);
}

function withUnit(name: Name, open: ReadonlySet<Name>, unit: Unit): Name {
  if (open.has(name))
    return { ...name, args: [...name.args, { key: UNIT, value: { name: unit, args: [] } }] };
  const args = name.args.map(
    (arg): Argument =>
      typeof arg.value === 'object' ? { ...arg, value: withUnit(arg.value, open, unit) } : arg,
  );
  return { ...name, args };
}
