/**
 * Maps the names of a family (strategies, retrievers, contexts, readers, measures, ...) to its
 * members, checks their settings and prints canonical names.
 *
 * A new member is one file that exports a `Member` and one line in its family's record.
 */
import { InputError } from '../errors.ts';
import { type Argument, type Name, parseName, printName, printValue, type Value } from './name.ts';
import { didYouMean } from './nearest.ts';
import type { SomeSpec } from './spec.ts';

export interface Parameter {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'text' | 'flag' | 'member';
  readonly default: Value;
  /** Inclusive bounds for numbers. */
  readonly min?: number;
  readonly max?: number;
  /** Lists the allowed texts if there is a fixed list. */
  readonly choices?: readonly string[];
  /** Says in one line what it sets, and its unit. */
  readonly summary: string;
  /** Prints it in the canonical name even at its default: the member is known by it. */
  readonly shown?: boolean;
  /** Allows the value without its key, as in `lexical(s1)`, and prints it so. */
  readonly positional?: boolean;
  /** Returns the canonical form of a nested name of another family. */
  canonical?(name: Name): string;
  /** Marks a nested name of its owner's own family, as in `fused(lexical, dense)`. */
  readonly own?: boolean;
  /** Takes the value from the store if the name gives none, such as the unit that has vectors. */
  readonly follows?: 'store';
  /** Chooses what is built over all documents: requests to a server leave it at its default. */
  readonly builds?: boolean;
  /** Names the port of which the value is a resource's id. */
  readonly port?: string;
  /** Returns the canonical form of a text with a grammar. Throws `InputError` if it has none. */
  canonicalText?(text: string): string;
}

/** The values of a member's parameters, every one present and checked. */
export type Settings = Readonly<Record<string, Value>>;

type Typed = Pick<Parameter, 'name' | 'type'>;

/** The type of a parameter's value: of a text with `choices` the union of them. */
export type ValueOf<P extends Typed> = P['type'] extends 'integer' | 'number'
  ? number
  : P['type'] extends 'flag'
    ? boolean
    : P['type'] extends 'member'
      ? Name
      : P['type'] extends 'text'
        ? P extends { readonly choices: readonly (infer C extends string)[] }
          ? C
          : string
        : Value;

/** The settings that a list of parameters declares, inferred from the list itself. */
export type SettingsOf<P extends readonly Typed[]> = {
  readonly [K in P[number] as K['name']]: ValueOf<K>;
};

export interface Member<T, P extends readonly Parameter[] = readonly Parameter[]> {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  readonly paper?: string;
  /** Describes the cost of a run in the words of the trace: searches, model calls. */
  readonly cost?: string;
  readonly parameters?: P;
  /**
   * Creates the member's value. `canonical` is the name to carry: it parses back to the same member
   * with the same settings. `family`: that which it is created from.
   */
  create(settings: SettingsOf<P>, canonical: string, family: Family<T>): T;
}

/**
 * Declares a member whose `create` gets its settings typed by the declared parameters: a number for
 * `integer` and `number`, a boolean for `flag`, the union of its `choices` for `text`, a parsed
 * name for `member`. A key or a type that the parameters do not declare does not compile.
 *
 * @example
 * ```ts
 * import { member, strategies } from 'multihop/strategies';
 *
 * const more = strategies.with(
 *   member({
 *     name: 'twice',
 *     summary: 'fixed-top-k with twice as many hits',
 *     parameters: [{ name: 'k', type: 'integer', default: 2, summary: 'hits' }],
 *     create: ({ k }, name) => ({ ...strategies.create(`fixed-top-k(k=${2 * k})`), name }),
 *   }),
 * );
 * console.log(more.create('twice(k=3)').name);
 * ```
 */
export function member<T, const P extends readonly Parameter[] = readonly []>(
  declaration: Member<NoInfer<T>, P>,
): Member<T> {
  return declaration;
}

/** Returns the settings of a member that is named without any. */
export function defaultsOf<const P extends readonly Parameter[]>(parameters: P): SettingsOf<P> {
  const defaults: Settings = Object.fromEntries(
    parameters.map(parameter => [parameter.name, parameter.default]),
  );
  return defaults as SettingsOf<P>;
}

/** `N` names the members, as far as they are known to the compiler. */
export interface Family<T, N extends string = string> {
  /** "strategy", "retriever", ... */
  readonly kind: string;
  readonly members: readonly Member<T>[];
  /** Creates the member of a name. Throws `InputError` that suggests the nearest name. */
  create(name: SomeSpec<N> | Name): T;
  /** Returns the canonical form of a name. */
  canonical(name: SomeSpec<N> | Name): string;
  /** Returns the same family with more members, for third parties. */
  with(...more: readonly Member<T>[]): Family<T>;
}

interface Resolved<T> {
  readonly member: Member<T>;
  readonly settings: Settings;
  readonly canonical: string;
}

/** Most names that a family keeps read: a server is asked by the same few. */
const KEEP_NAMES = 64;

export function family<T>(kind: string, members: readonly Member<T>[]): Family<T> {
  const byName = new Map(members.map(member => [member.name, member]));
  if (byName.size !== members.length)
    throw new InputError(
      'duplicate-name',
      `Two members of the family "${kind}" have the same name`,
    );
  const known = new Map<string, Resolved<T>>();
  const resolve = (written: string | Name): Resolved<T> => {
    if (typeof written !== 'string') return resolved(written);
    const again = known.get(written);
    if (again) return again;
    const found = resolved(written);
    if (known.size >= KEEP_NAMES) known.clear();
    known.set(written, found);
    return found;
  };
  const resolved = (written: string | Name): Resolved<T> => {
    const name = typeof written === 'string' ? parseName(written) : written;
    const member = byName.get(name.name);
    if (!member) throw unknownMember(kind, name.name, [...byName.keys()]);
    const settings = readSettings(kind, member, name.args, nested => made.canonical(nested));
    return { member, settings, canonical: printName(canonicalName(member, settings)) };
  };
  const made: Family<T> = {
    kind,
    members,
    create: written => {
      const { member, settings, canonical } = resolve(written);
      return member.create({ ...settings }, canonical, made);
    },
    canonical: written => resolve(written).canonical,
    with: (...more) => family(kind, [...members, ...more]),
  };
  return made;
}

type Canonical = (name: Name) => string;

function unknownMember(kind: string, typed: string, names: readonly string[]): InputError {
  const near = didYouMean(typed, names);
  return new InputError(`unknown-${kind}`, `Unknown ${kind} "${typed}"`, {
    expected: `one of ${names.join(', ')}`,
    hint: near || undefined,
  });
}

function readSettings(
  kind: string,
  member: Member<unknown>,
  args: readonly Argument[],
  canonical: Canonical,
): Settings {
  const parameters = member.parameters ?? [];
  const settings: Record<string, Value> = { ...defaultsOf(parameters) };
  const seen = new Set<string>();
  const positional = parameters.filter(parameter => parameter.positional);
  let position = 0;
  for (const { key, value } of args) {
    const parameter =
      key === undefined
        ? positional[position++]
        : parameters.find(candidate => candidate.name === key);
    if (!parameter) throw unknownParameter(kind, member, key, value);
    if (seen.has(parameter.name))
      throw new InputError(
        'duplicate-parameter',
        `The ${kind} "${member.name}" was given "${parameter.name}" twice`,
      );
    seen.add(parameter.name);
    settings[parameter.name] = readValue(kind, member.name, parameter, value, canonical);
  }
  return settings;
}

function unknownParameter(
  kind: string,
  member: Member<unknown>,
  key: string | undefined,
  value: Value,
): InputError {
  const names = (member.parameters ?? []).map(parameter => parameter.name);
  const what =
    key === undefined ? `the unnamed value ${printValue(value)}` : `the parameter "${key}"`;
  const near = key === undefined ? '' : didYouMean(key, names);
  return new InputError('unknown-parameter', `The ${kind} "${member.name}" does not take ${what}`, {
    expected: names.length > 0 ? `one of ${names.join(', ')}` : 'no parameters',
    hint: near || undefined,
  });
}

function readValue(
  kind: string,
  owner: string,
  parameter: Parameter,
  value: Value,
  canonical: Canonical,
): Value {
  const read =
    typeof value === 'object' && value.args.length === 0 && parameter.type === 'text'
      ? value.name
      : value;
  const problem = valueProblem(parameter, read);
  if (problem === undefined) {
    if (parameter.type === 'member')
      return readMember(parameter.own ? canonical : parameter.canonical, read as string | Name);
    return parameter.canonicalText ? parameter.canonicalText(read as string) : read;
  }
  const near =
    typeof read === 'string' && parameter.choices ? didYouMean(read, parameter.choices) : '';
  throw new InputError(
    'bad-parameter',
    `Invalid parameter "${parameter.name}" of the ${kind} "${owner}"`,
    { expected: problem, received: printValue(value), hint: near || undefined },
  );
}

function readMember(canonical: Canonical | undefined, written: string | Name): Name {
  const name = typeof written === 'string' ? parseName(written) : written;
  return canonical ? parseName(canonical(name)) : name;
}

/** Returns the value that was expected, or undefined if the value fits the parameter. */
function valueProblem(parameter: Parameter, value: Value): string | undefined {
  const { type, min = -Infinity, max = Infinity, choices } = parameter;
  if (type === 'flag') return typeof value === 'boolean' ? undefined : 'true or false';
  if (type === 'member')
    return typeof value === 'object' || typeof value === 'string' ? undefined : 'a name';
  if (type === 'text') {
    if (typeof value !== 'string') return 'a text';
    return !choices || choices.includes(value) ? undefined : `one of ${choices.join(', ')}`;
  }
  const expected = `${type === 'integer' ? 'a whole number' : 'a number'}${rangeWords(min, max)}`;
  if (
    typeof value !== 'number' ||
    !Number.isFinite(value) ||
    (type === 'integer' && !Number.isInteger(value))
  )
    return expected;
  return value >= min && value <= max ? undefined : expected;
}

function rangeWords(min: number, max: number): string {
  if (min === -Infinity && max === Infinity) return '';
  if (max === Infinity) return ` of at least ${min}`;
  return min === -Infinity ? ` of at most ${max}` : ` from ${min} to ${max}`;
}

const printed = (value: Value): string => printValue(value);

/** Names what is always shown and what differs from its default, in the order of declaration. */
function canonicalName(member: Member<unknown>, settings: Settings): Name {
  const args: Argument[] = [];
  for (const parameter of member.parameters ?? []) {
    const value = settings[parameter.name]!;
    if (!parameter.shown && printed(value) === printed(parameter.default)) continue;
    args.push(parameter.positional ? { value } : { key: parameter.name, value });
  }
  return { name: member.name, args };
}
