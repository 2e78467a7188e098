/** Turns JSON Schemas into grammars, so that a model can write nothing else. */
import type { JsonSchema } from '../../models/language-model.ts';
import type { Llama } from './llama-library.ts';

/**
 * Grammars unroll the lengths of texts; from here on that costs more than it gives, and the caller
 * checks lengths itself.
 */
const MOST_LETTERS = 500;

/** Makes the grammars of one model, each once. */
export class Grammars {
  private readonly llama: Llama;
  private readonly made = new Map<string, Promise<object | undefined>>();

  constructor(llama: Llama) {
    this.llama = llama;
  }

  /** Returns undefined for a schema that no grammar states: callers check replies anyway. */
  of(schema: JsonSchema): Promise<object | undefined> {
    const key = JSON.stringify(schema);
    let grammar = this.made.get(key);
    if (!grammar) this.made.set(key, (grammar = this.make(schema)));
    return grammar;
  }

  private async make(schema: JsonSchema): Promise<object | undefined> {
    const known = grammarSchema(schema);
    if (known === undefined) return undefined;
    try {
      return await this.llama.createGrammarForJsonSchema(known);
    } catch {
      return undefined;
    }
  }
}

type Schema = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const SIMPLE: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null'];
/** Words that narrow what a schema allows and that the library does not know. */
const UNKNOWN = ['$ref', 'allOf', 'not', 'if', 'patternProperties', 'contains', 'pattern'];

/**
 * Returns the schema in the words that the library knows: it takes `anyOf`, and an array or an
 * object that may be null, for null alone. Undefined if a part of it has no such words.
 */
export function grammarSchema(schema: unknown): Schema | undefined {
  if (!isObject(schema) || UNKNOWN.some(word => schema[word] !== undefined)) return undefined;
  const { type } = schema;
  if (schema['const'] !== undefined) return { const: schema['const'] };
  if (Array.isArray(schema['enum'])) return { enum: schema['enum'] };
  const either = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(either)) return oneOf(either);
  if (Array.isArray(type)) return oneOf(type.map(part => ({ ...schema, type: part })));
  if (type === 'object') return objectSchema(schema);
  if (type === 'array') return arraySchema(schema);
  if (type === 'string') return textSchema(schema);
  return SIMPLE.includes(type) ? { type } : undefined;
}

function oneOf(schemas: readonly unknown[]): Schema | undefined {
  const known = schemas.map(grammarSchema);
  return known.includes(undefined) || known.length === 0 ? undefined : { oneOf: known };
}

function objectSchema({ properties, additionalProperties }: Schema): Schema | undefined {
  if (!isObject(properties))
    return isObject(additionalProperties)
      ? withParts({ type: 'object' }, { additionalProperties: grammarSchema(additionalProperties) })
      : { type: 'object', additionalProperties: true };
  const known = Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, grammarSchema(value)]),
  );
  return withParts({ type: 'object' }, known) && { type: 'object', properties: known };
}

function arraySchema({ items, minItems, maxItems }: Schema): Schema | undefined {
  if (items === undefined) return undefined;
  return withParts(
    { type: 'array', ...numbers({ minItems, maxItems }) },
    { items: grammarSchema(items) },
  );
}

function textSchema({ minLength, maxLength, format }: Schema): Schema {
  if (format === 'date' || format === 'date-time' || format === 'time')
    return { type: 'string', format };
  const most = typeof maxLength === 'number' && maxLength <= MOST_LETTERS ? maxLength : undefined;
  const least = typeof minLength === 'number' && minLength <= MOST_LETTERS ? minLength : undefined;
  return { type: 'string', ...numbers({ minLength: least, maxLength: most }) };
}

const numbers = (values: Schema): Schema =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'number'));

/** Returns undefined if a part is. */
const withParts = (schema: Schema, parts: Schema): Schema | undefined =>
  Object.values(parts).includes(undefined) ? undefined : { ...schema, ...parts };
