/** Checks a value of a request against its JSON Schema, with errors that name the field. */
import { type OutputUnit, Validator } from '@cfworker/json-schema';
import { describeValue, InputError } from '../../core/errors.ts';
import { didYouMean } from '../../core/naming/nearest.ts';
import { parseJson } from '../../core/text/bounded-json.ts';
import { describedSchema, type StandardSchema } from '../../models/standard-schema.ts';
import type { Schema } from './schema.ts';

/** Returns the value as it is. Throws `InputError('bad-request')`. */
export type CheckInput = (value: unknown) => unknown;

export function checkedInput(schema: Schema): CheckInput {
  const validator = new Validator(schema, '2020-12', true);
  return value => {
    const { valid, errors } = validated(validator, value);
    if (valid) return value;
    throw badRequest(errors.at(-1)!, value, schema);
  };
}

/**
 * Returns the schema of an answer that a request states. Throws `InputError('bad-schema')`, also
 * for keywords whose validation may take long over short texts: references and regular expressions.
 */
export function typedBy(stated: unknown): StandardSchema {
  const bad = (received: string): InputError =>
    new InputError('bad-schema', 'The JSON Schema of the answer', {
      expected: `a JSON Schema (2020-12) of at most ${MOST_SCHEMA} characters without references and patterns`,
      received,
    });
  if (!isRecord(stated)) throw bad(describeValue(stated));
  const schema: Schema = stated;
  const text = JSON.stringify(schema, (key, value: unknown) => {
    const isSlow = typeof value === 'string' ? SLOW.has(key) : key === 'patternProperties';
    if (isSlow) throw bad(`the keyword ${key}`);
    return value;
  });
  if (text.length > MOST_SCHEMA) throw bad(`${text.length} characters`);
  try {
    // The validator reads keywords when it validates.
    for (const value of [{}, [], '', 0]) validated(new Validator(schema, '2020-12'), value);
  } catch (error) {
    throw bad(describeValue(String(error)));
  }
  return describedSchema(schema, checkedInput(schema));
}

const MOST_SCHEMA = 8192;
const SLOW = new Set(['$ref', '$dynamicRef', '$recursiveRef', 'pattern']);

/** The validator writes names of fields as parts of an address, which half a character is not. */
function validated(validator: Validator, value: unknown): ReturnType<Validator['validate']> {
  try {
    return validator.validate(value);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new InputError(BAD, 'The name of a field', { expected: 'well-formed Unicode' });
  }
}

/** `unit`: the innermost error, which names the value that does not match. */
function badRequest(unit: OutputUnit, value: unknown, schema: Schema): InputError {
  const path = pointer(unit.instanceLocation);
  const field = path.join('.');
  if (unit.keyword === 'false') return unknownField(field, schemaAt(schema, path.slice(0, -1)));
  const rule = schemaAt(schema, path);
  if (unit.keyword === 'required') {
    const received = Object.keys((at(value, path) ?? {}) as object);
    const missing = (rule['required'] as string[]).find(name => !received.includes(name))!;
    return new InputError(BAD, `The field "${[...path, missing].join('.')}" is missing`);
  }
  const name = field === '' ? 'The body' : `The field "${field}"`;
  return new InputError(BAD, name, {
    expected: describeSchema(rule),
    received: describeValue(at(value, path)),
  });
}

const BAD = 'bad-request';

function unknownField(field: string, parent: Schema): InputError {
  const known = Object.keys((parent['properties'] ?? {}) as object);
  const near = didYouMean(field.split('.').at(-1)!, known);
  return new InputError(BAD, `Unknown field "${field.slice(0, 80)}"`, {
    expected: `some of ${known.join(', ')}`,
    hint: near || undefined,
  });
}

const pointer = (location: string): string[] =>
  location
    .split('/')
    .slice(1)
    .map(part => decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~'));

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, part) => (inner as Schema | undefined)?.[part], value);

/** Returns the schema of the value at a path of fields and indexes of lists. */
const schemaAt = (schema: Schema, path: readonly string[]): Schema =>
  path.reduce<Schema>((inner, part) => {
    const properties = (inner['properties'] ?? {}) as Readonly<Record<string, Schema>>;
    if (Object.hasOwn(properties, part)) return properties[part]!;
    return ((inner['items'] ?? inner['additionalProperties']) as Schema | undefined) ?? {};
  }, schema);

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/** Names what a schema takes, `null` left out. */
function describeSchema(rule: Schema): string {
  const types = [rule['type']].flat();
  const forms = (rule['anyOf'] as Schema[]) ?? types.map(type => ({ ...rule, type }));
  const known = forms.map(describeForm).filter(form => form !== undefined);
  return known.length > 0 ? OR.format(known) : 'another value';
}

function describeForm(rule: Schema): string | undefined {
  const noun = NOUNS[rule['type'] as string];
  if (noun === undefined) return undefined;
  const least = rule['minimum'] ?? rule['minLength'] ?? rule['minItems'];
  const most = rule['maximum'] ?? rule['maxLength'] ?? rule['maxItems'];
  const ofWhat = rule['maxLength'] ? ' characters' : rule['maxItems'] ? ' items' : '';
  if (least !== undefined && most !== undefined) return `${noun} of ${least} to ${most}${ofWhat}`;
  if (least !== undefined) return `${noun} of at least ${least}${ofWhat}`;
  return most === undefined ? noun : `${noun} of at most ${most}${ofWhat}`;
}

/**
 * Returns the value in the form of its schema, as queries of addresses and models that call tools
 * do not write it: numbers, `true` and `false`, lists and objects in texts, and `null` for a
 * missing field. What cannot be read stays.
 */
export function coerced(value: unknown, schema: Schema): unknown {
  const type = schema['type'];
  const read = typeof value === 'string' && type !== 'string' ? readAs(type, value) : value;
  if (type === 'array' && Array.isArray(read))
    return read.map(item => coerced(item, schema['items'] as Schema));
  if (type !== 'object' || !isRecord(read)) return read;
  const fields = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.fromEntries(
    Object.entries(read)
      .filter(([name, field]) => field !== null || required.includes(name))
      .map(([name, field]) => [
        name,
        coerced(field, Object.hasOwn(fields, name) ? fields[name]! : {}),
      ]),
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readAs(type: unknown, value: string): unknown {
  try {
    const read = parseJson(value);
    const kind = Array.isArray(read) ? 'array' : typeof read;
    return kind === type || (kind === 'number' && type === 'integer') ? read : value;
  } catch {
    return value;
  }
}
