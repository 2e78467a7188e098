/** Leaves out what is undefined. */

/**
 * Returns an object without the keys whose value is undefined, for objects that are hashed,
 * compared or printed key by key. The type comes from where the object goes, so that a misspelt key
 * is an error.
 */
export function defined<T extends object>(value: NoInfer<T>): T {
  for (const key in value) if (value[key] === undefined) return copied<T>(value);
  return value as T;
}

/** An object that loses keys is slower to make, to read and to print than a copy with the rest. */
function copied<T extends object>(value: T): T {
  const copy: Partial<T> = {};
  for (const key in value) if (value[key] !== undefined) copy[key] = value[key];
  return copy as T;
}
