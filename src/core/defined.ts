/** Leaves out what is undefined. */

/**
 * Returns the object without the keys whose value is undefined, for objects that are hashed,
 * compared or printed key by key. The type comes from where the object goes, so that a misspelt key
 * is an error.
 */
export function defined<T extends object>(value: NoInfer<T>): T {
  for (const key in value) if (value[key] === undefined) delete value[key];
  return value as T;
}
