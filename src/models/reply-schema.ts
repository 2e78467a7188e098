/**
 * Builds the JSON schemas of replies. They keep to what every server takes: each object names all
 * its keys as required and admits no other, a key that may have no value is nullable (an empty
 * array is none: grammars of llama.cpp have no nullable arrays), and each array is bounded, so that
 * a small model cannot fill its completion with one list.
 */
import type { JsonSchema, Prompt } from './language-model.ts';

export type NamedSchema = NonNullable<Prompt['schema']>;

export const TEXT: JsonSchema = { type: ['string', 'null'] };
export const FLAG: JsonSchema = { type: ['boolean', 'null'] };
export const NUMBER: JsonSchema = { type: ['number', 'null'] };

/** Returns the schema of a list of at most so many items. */
export const listOf = (items: JsonSchema, maxItems: number): JsonSchema => ({
  type: 'array',
  items,
  maxItems,
});

/** Greatest length of an enumeration of numbers; a longer one is a range. */
const LONGEST_ENUMERATION = 100;

/** Returns the schema of a list of these numbers of passages, each of which may be cited once. */
export function numbersAmong(numbers: readonly number[]): JsonSchema {
  const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
  if (numbers.length === 0) return listOf({ type: 'integer' }, 1);
  if (numbers.length > LONGEST_ENUMERATION)
    return listOf({ type: 'integer', minimum: least, maximum: greatest }, LONGEST_ENUMERATION);
  return listOf({ type: 'integer', enum: [...new Set(numbers)] }, numbers.length);
}

/** Returns the schema of an object that has all of these keys, in this order, and no other. */
export const objectSchema = (properties: JsonSchema): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Returns the same with the name by which servers remember it. */
export const objectOf = (name: string, properties: JsonSchema): NamedSchema => ({
  name,
  schema: objectSchema(properties),
});
