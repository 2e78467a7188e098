/** Builds JSON Schemas of the dialect 2020-12, each typed by the values that it describes. */

declare const VALUE: unique symbol;
const OPTIONAL: unique symbol = Symbol('optional');

/** A JSON Schema. `T` is the type of its values. */
export interface Schema<T = unknown> {
  readonly [keyword: string]: unknown;
  readonly [VALUE]?: T;
}

/** The schema of a field that may be missing. */
export interface OptionalSchema<T = unknown> extends Schema<T> {
  readonly [OPTIONAL]: true;
}

/** One schema for each field of `T`, optional where the field is; any fields without a `T`. */
export type FieldsOf<T> = string extends keyof T
  ? Readonly<Record<string, Schema>>
  : {
      readonly [K in keyof T]-?: undefined extends T[K]
        ? OptionalSchema<Exclude<T[K], undefined>>
        : Schema<T[K]>;
    };

type Fields = Readonly<Record<string, unknown>>;

export const optional = <T>(schema: Schema<T>): OptionalSchema<T> => ({
  ...schema,
  [OPTIONAL]: true,
});

/** An object of an answer: later versions may add fields. */
export const record = <T = Fields>(fields: FieldsOf<NoInfer<T>>): Schema<T> => ({
  type: 'object',
  properties: fields,
  required: Object.entries<Schema>(fields).flatMap(([name, field]) =>
    OPTIONAL in field ? [] : [name],
  ),
});

/** An object of a request: it has no other fields. */
export const object = <T = Fields>(fields: FieldsOf<NoInfer<T>>): Schema<T> => ({
  ...record<T>(fields),
  additionalProperties: false,
});

export const list = <T>(items: Schema<T>): Schema<readonly T[]> => ({ type: 'array', items });

export const text = (description?: string): Schema<string> => described('string', description);
export const number = (description?: string): Schema<number> => described('number', description);
export const flag = (description?: string): Schema<boolean> => described('boolean', description);
/** Any object: its fields are not described. */
export const some: Schema = { type: 'object' };

/** A number from 0. */
export const amount = (description: string): Schema<number> => ({
  ...number(description),
  minimum: 0,
});

/** A whole number. */
export const whole = (description?: string, minimum = 0): Schema<number> => ({
  ...described<number>('integer', description),
  minimum,
});

const described = <T>(type: string, description: string | undefined): Schema<T> =>
  description === undefined ? { type } : { type, description };

/** Returns the schemas of an object's fields. */
export const fieldsOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  schema['properties'] as Readonly<Record<string, Schema>>;
