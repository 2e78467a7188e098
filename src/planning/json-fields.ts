/** Reads fields of parsed JSON of unknown shape. */

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the first of these fields that is a non-blank text. */
export function textOf(value: unknown, ...names: readonly string[]): string | undefined {
  if (!isFields(value)) return undefined;
  for (const name of names) {
    const text = Object.hasOwn(value, name) ? value[name] : undefined;
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return undefined;
}
