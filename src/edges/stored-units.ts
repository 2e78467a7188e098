/**
 * The unit that a retriever searches in a store where its name gives none: what the store has
 * vectors of, not what it would have to embed.
 */
import { type Argument, type Name, parseName, printName } from '../naming/name.ts';
import type { Unit } from '../ranking/ranking.ts';
import { retrievers } from '../retrieval/retrievers.ts';
import { canonicalSpace } from '../retrieval/space-names.ts';
import type { Manifest } from './storage/manifest.ts';

/** The retrievers that ask the engine for a unit, `document` unless their name says another. */
const ENGINE_RETRIEVERS = ['lexical', 'dense'];
/** Their own unit, or its default, rules over what is inside. */
const OF_OWN_UNIT = ['max-p', 'hybrid'];

/**
 * The canonical name of the retriever in this store. Where its dense parts name no unit, and the
 * store has vectors of exactly one unit for them, they and the lexical parts without a unit search
 * that one; a name in which another unit stands is left as it is. Throws `InputError`.
 */
export function retrieverInStore(
  name: string,
  manifest: Pick<Manifest, 'spaces' | 'fitted'>,
): string {
  const canonical = retrievers.canonical(name);
  const given = parseName(name);
  const parts = engineParts(given);
  const open = parts.filter(part => unitOf(part) === undefined);
  const units = new Set(
    open
      .filter(({ name: kind }) => kind === 'dense')
      .map(part => onlyUnit(spaceOf(part), manifest)),
  );
  const [unit] = units;
  if (
    units.size !== 1 ||
    unit === undefined ||
    parts.some(part => !open.includes(part) && unitOf(part) !== unit)
  )
    return canonical;
  return retrievers.canonical(printName(withUnit(given, new Set(open), unit)));
}

/** Undefined where it has none, several, or documents, which are meant anyway. */
function onlyUnit(
  space: string,
  { spaces = [], fitted = [] }: Pick<Manifest, 'spaces' | 'fitted'>,
): Unit | undefined {
  const units =
    spaces.find(record => record.name === space)?.units ??
    fitted.find(record => record.space === space)?.units ??
    [];
  return units.length === 1 && units[0] !== 'document' ? units[0] : undefined;
}

function engineParts(name: Name): Name[] {
  if (ENGINE_RETRIEVERS.includes(name.name)) return [name];
  return OF_OWN_UNIT.includes(name.name)
    ? []
    : name.args.flatMap(({ value }) => (typeof value === 'object' ? engineParts(value) : []));
}

function unitOf({ args }: Name): string | undefined {
  const value = args.find(({ key }) => key === 'unit')?.value;
  return typeof value === 'object' ? value.name : value === undefined ? undefined : String(value);
}

function spaceOf({ args }: Name): string {
  const value = args.find(({ key }) => key === undefined || key === 'space')?.value;
  return canonicalSpace(
    value === undefined ? 'lsa' : typeof value === 'object' ? value : String(value),
  );
}

function withUnit(name: Name, open: ReadonlySet<Name>, unit: Unit): Name {
  if (open.has(name))
    return { ...name, args: [...name.args, { key: 'unit', value: { name: unit, args: [] } }] };
  const args = name.args.map(
    (arg): Argument =>
      typeof arg.value === 'object' ? { ...arg, value: withUnit(arg.value, open, unit) } : arg,
  );
  return { ...name, args };
}
