/**
 * Declares schemas of values as libraries of schemas share them (standardschema.dev): Standard
 * Schema, which validates, and Standard JSON Schema, which describes the form.
 */
import type { JsonSchema } from './language-model.ts';

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
