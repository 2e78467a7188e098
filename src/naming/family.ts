/**
 * A family: the record of all strategies, retrievers, contexts, readers or measures, from name to
 * factory, written once.
 *
 * A new member is one file that exports a `Member` and one line in its family's record.
 */
import { InputError } from '../errors.ts';
import { type Argument, type Name, parseName, printName, printValue, type Value } from './name.ts';
import { didYouMean } from './nearest.ts';

export interface Parameter {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'text' | 'flag' | 'member';
  readonly default: Value;
  /** Inclusive bounds for numbers. */
  readonly min?: number;
  readonly max?: number;
  /** The allowed texts, where there is a fixed list. */
  readonly choices?: readonly string[];
  /** One line: what it does, and its unit. */
  readonly summary: string;
  /**
   * Printed in the canonical name even at its default, because it is what the member is known by.
   */
  readonly shown?: boolean;
  /** May be given without its name: `lexical(s1)`. Then it is printed so too. */
  readonly positional?: boolean;
  /**
   * For a member of another family: its canonical name, so that names nested in names are canonical
   * too.
   */
  canonical?(name: Name): string;
  /** For a member of the very family that its owner belongs to: `fused(lexical, dense)`. */
  readonly own?: boolean;
  /**
   * For a text with a grammar: its canonical form. Throws `InputError` for one that cannot be read.
   */
  canonicalText?(text: string): string;
}

/** The values of a member's parameters, every one present and checked. */
export type Settings = Readonly<Record<string, Value>>;

export interface Member<T> {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  readonly paper?: string;
  /** What a run costs, in the words of the trace: searches, model calls. */
  readonly cost?: string;
  /** Parts of the kit that it cannot run without. */
  readonly needs?: readonly string[];
  readonly uses?: readonly string[];
  readonly parameters?: readonly Parameter[];
  /**
   * `canonical` is the name to carry: it parses back to the same member with the same settings.
   * `own` is the family that it was created from.
   */
  create(settings: Settings, canonical: string, own: Family<T>): T;
}

export interface Family<T> {
  /** "strategy", "retriever", ... */
  readonly kind: string;
  readonly members: readonly Member<T>[];
  /**
   * The member that a name or parsed name stands for. Throws `InputError` that names the nearest.
   */
  create(name: string | Name): T;
  /** The canonical form of a name. */
  canonical(name: string | Name): string;
  /** The same family with more members, for third parties. */
  with(...more: readonly Member<T>[]): Family<T>;
}

export function family<T>(kind: string, members: readonly Member<T>[]): Family<T> {
  const byName = new Map(members.map(member => [member.name, member]));
  if (byName.size !== members.length)
    throw new InputError('duplicate-name', `Two members of the family "${kind}" have one name`);
  const resolve = (
    given: string | Name,
  ): { member: Member<T>; settings: Settings; canonical: string } => {
    const name = typeof given === 'string' ? parseName(given) : given;
    const member = byName.get(name.name);
    if (!member) throw unknownMember(kind, name.name, [...byName.keys()]);
    const settings = readSettings(kind, member, name.args, nested => made.canonical(nested));
    return { member, settings, canonical: printName(canonicalName(member, settings)) };
  };
  const made: Family<T> = {
    kind,
    members,
    create: given => {
      const { member, settings, canonical } = resolve(given);
      return member.create(settings, canonical, made);
    },
    canonical: given => resolve(given).canonical,
    with: (...more) => family(kind, [...members, ...more]),
  };
  return made;
}

type Canonical = (name: Name) => string;

function unknownMember(kind: string, given: string, names: readonly string[]): InputError {
  const near = didYouMean(given, names);
  return new InputError(`unknown-${kind}`, `There is no ${kind} "${given}"`, {
    expected: `one of ${names.join(', ')}`,
    hint: near || undefined!,
  });
}

function readSettings(
  kind: string,
  member: Member<unknown>,
  args: readonly Argument[],
  own: Canonical,
): Settings {
  const parameters = member.parameters ?? [];
  const settings: Record<string, Value> = Object.fromEntries(
    parameters.map(parameter => [parameter.name, parameter.default]),
  );
  const given = new Set<string>();
  const positional = parameters.filter(parameter => parameter.positional);
  let position = 0;
  for (const { key, value } of args) {
    const parameter =
      key === undefined
        ? positional[position++]
        : parameters.find(candidate => candidate.name === key);
    if (!parameter) throw unknownParameter(kind, member, key, value);
    if (given.has(parameter.name))
      throw new InputError(
        'duplicate-parameter',
        `The ${kind} "${member.name}" was given "${parameter.name}" twice`,
      );
    given.add(parameter.name);
    settings[parameter.name] = readValue(kind, member.name, parameter, value, own);
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
    ...(near ? { hint: near } : {}),
  });
}

function readValue(
  kind: string,
  owner: string,
  parameter: Parameter,
  value: Value,
  own: Canonical,
): Value {
  const read =
    typeof value === 'object' && value.args.length === 0 && parameter.type === 'text'
      ? value.name
      : value;
  const problem = valueProblem(parameter, read);
  if (problem === undefined) {
    if (parameter.type === 'member')
      return readMember(parameter.own ? own : parameter.canonical, read as string | Name);
    return parameter.canonicalText ? parameter.canonicalText(read as string) : read;
  }
  const near =
    typeof read === 'string' && parameter.choices ? didYouMean(read, parameter.choices) : '';
  throw new InputError(
    'bad-parameter',
    `The parameter "${parameter.name}" of the ${kind} "${owner}"`,
    {
      expected: problem,
      received: printValue(value),
      ...(near ? { hint: near } : {}),
    },
  );
}

function readMember(canonical: Canonical | undefined, given: string | Name): Name {
  const name = typeof given === 'string' ? parseName(given) : given;
  return canonical ? parseName(canonical(name)) : name;
}

/** What would have been right, or undefined when the value is. */
function valueProblem(parameter: Parameter, value: Value): string | undefined {
  const { type, min = -Infinity, max = Infinity, choices } = parameter;
  if (type === 'flag') return typeof value === 'boolean' ? undefined : 'true or false';
  if (type === 'member')
    return typeof value === 'object' || typeof value === 'string' ? undefined : 'a name';
  if (type === 'text') {
    if (typeof value !== 'string') return 'a text';
    return !choices || choices.includes(value) ? undefined : `one of ${choices.join(', ')}`;
  }
  const wanted = `${type === 'integer' ? 'a whole number' : 'a number'}${rangeWords(min, max)}`;
  if (
    typeof value !== 'number' ||
    !Number.isFinite(value) ||
    (type === 'integer' && !Number.isInteger(value))
  )
    return wanted;
  return value >= min && value <= max ? undefined : wanted;
}

function rangeWords(min: number, max: number): string {
  if (min === -Infinity && max === Infinity) return '';
  if (max === Infinity) return ` of at least ${min}`;
  return min === -Infinity ? ` of at most ${max}` : ` from ${min} to ${max}`;
}

const printed = (value: Value): string => printValue(value);

/** What is shown always, and what differs from its default, in the order of declaration. */
function canonicalName(member: Member<unknown>, settings: Settings): Name {
  const args: Argument[] = [];
  for (const parameter of member.parameters ?? []) {
    const value = settings[parameter.name]!;
    if (!parameter.shown && printed(value) === printed(parameter.default)) continue;
    args.push(parameter.positional ? { value } : { key: parameter.name, value });
  }
  return { name: member.name, args };
}
