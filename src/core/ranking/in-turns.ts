/** Merges lists by turns. */

/**
 * Takes the first item of each list, then the second of each, and so on, each key once. A missing
 * item gives up its turn.
 */
export function inTurns<T>(
  lists: readonly (readonly (T | undefined)[])[],
  keyOf: (item: T) => string,
): T[] {
  const merged = new Map<string, T>();
  const turns = lists.reduce((most, { length }) => Math.max(most, length), 0);
  for (let turn = 0; turn < turns; turn++)
    for (const list of lists) {
      const item = list[turn];
      if (item !== undefined && !merged.has(keyOf(item))) merged.set(keyOf(item), item);
    }
  return [...merged.values()];
}

export const idOf = ({ id }: { readonly id: string }): string => id;
