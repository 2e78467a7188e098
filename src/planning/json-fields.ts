/** Fields of parsed JSON of which nothing is known. */

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first of these fields that is a text with something in it. */
export function textOf(value: unknown, ...names: readonly string[]): string | undefined {
  if (!isFields(value)) return undefined;
  for (const name of names) {
    const text = Object.hasOwn(value, name) ? value[name] : undefined;
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return undefined;
}
