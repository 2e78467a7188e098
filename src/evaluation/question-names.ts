/** Names questions so that a later evaluation finds them, also those whose file states no id. */
import type { Example } from './example.ts';

/** `q0012`: the id of a question that has none, from its place in the file. */
export const placeId = (index: number): string => `q${String(index).padStart(4, '0')}`;

/** Returns the id of each question, or its text where the id is its place. */
export function lastingNames(examples: readonly Example[]): string[] {
  const seen = new Map<string, number>();
  return examples.map(({ id, idIsPlace, question: { text } }) => {
    if (!idIsPlace) return id;
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return count === 1 ? text : `${text} (${count})`;
  });
}
