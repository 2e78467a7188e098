/**
 * Declares schemas of values as libraries of schemas share them (standardschema.dev): Standard
 * Schema, which validates, and Standard JSON Schema, which describes the form.
 */
import { InputError } from '../core/errors.ts';
import type { JsonSchema } from './language-model.ts';
import { firstTokens } from './prompt-tokens.ts';
import { FAULT_TOKENS } from './structured.ts';

/** A fault of a value; `path` leads to it from the value down. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type SchemaResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** A Standard Schema, such as one of zod, valibot or arktype. */
export interface StandardSchema<T = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>;
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
    /** Missing where a library keeps to Standard Schema alone. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}

/** The option that types the value of an answer. */
export interface OfSchema<T> {
  readonly schema?: StandardSchema<T> | undefined;
}

/** A Standard Schema that is also a Standard JSON Schema. */
export interface DescribedSchema<T = unknown> extends StandardSchema<T> {
  readonly '~standard': StandardSchema<T>['~standard'] & {
    readonly types?: { readonly input: T; readonly output: T } | undefined;
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** Returns the JSON Schema of what a schema takes. Throws `InputError('bad-schema')`. */
export function jsonSchemaOf(schema: StandardSchema): JsonSchema {
  const standard = (schema as Partial<StandardSchema> | null)?.['~standard'];
  if (typeof standard?.validate !== 'function') throw badSchema('what is no Standard Schema');
  if (!standard.jsonSchema) throw badSchema(`one of ${standard.vendor} without a JSON Schema`);
  try {
    const { $schema: _, ...form } = standard.jsonSchema.input({ target: 'draft-2020-12' });
    return form;
  } catch (cause) {
    throw badSchema(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

const badSchema = (received: string, cause?: unknown): InputError =>
  new InputError('bad-schema', 'The schema of the answer', {
    expected:
      'a Standard Schema that describes itself as JSON Schema: of zod 4.2 or arktype 2.1.28 and later, or toStandardJsonSchema(schema) of @valibot/to-json-schema',
    received,
    cause,
  });

/** Returns a JSON Schema that stands at a place of another, whose `$defs` move to the other. */
export const withPlace = (form: JsonSchema, place: string): JsonSchema =>
  JSON.parse(JSON.stringify(form), (key, value: unknown) =>
    key === '$ref' && value === '#' ? place : value,
  );

/** Says what a schema refused, field by field. */
export function issueText(issues: readonly SchemaIssue[]): string {
  const faults = issues.map(({ path = [], message }) => {
    const keys = path.map(part => String(typeof part === 'object' ? part.key : part));
    return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
  });
  return firstTokens(faults.join('; '), FAULT_TOKENS);
}

/** Returns the schema of values that `check` returns, or throws an error about. */
export function describedSchema<T>(
  schema: JsonSchema,
  check: (value: unknown) => T,
): DescribedSchema<T> {
  const form = (): Record<string, unknown> => schema;
  const validate = (value: unknown): SchemaResult<T> => {
    try {
      return { value: check(value) };
    } catch (error) {
      return { issues: [{ message: error instanceof Error ? error.message : String(error) }] };
    }
  };
  const standard = { version: 1, vendor: 'multihop', validate } as const;
  return { '~standard': { ...standard, jsonSchema: { input: form, output: form } } };
}
