/** Reads the values of a filter clause as models write it: `{ source: { $in: [...] } }`. */
import { isFields } from '../json-fields.ts';

/**
 * Returns `within`, the values of `$in` and `$eq` or a bare text, and `without`, the values of
 * `$nin` and `$ne`. Drops values that are not texts; never throws.
 */
export function valuesOf(
  raw: unknown,
  field: string,
): { readonly within: string[]; readonly without: string[] } {
  const clause = isFields(raw) && Object.hasOwn(raw, field) ? raw[field] : undefined;
  const texts = (...keys: string[]): string[] =>
    keys.flatMap(key => {
      const value = isFields(clause) && Object.hasOwn(clause, key) ? clause[key] : [];
      return [value]
        .flat()
        .filter((item): item is string => typeof item === 'string' && item.trim() !== '');
    });
  return {
    within: typeof clause === 'string' ? [clause] : texts('$in', '$eq'),
    without: texts('$nin', '$ne'),
  };
}
