/** Replaces spans of a text. */
import type { Span } from './span-index.ts';

export interface Replacement extends Span {
  readonly by: string;
}

/** Replaces spans, which must not overlap. */
export function withReplacements(text: string, replacements: readonly Replacement[]): string {
  let [result, at] = ['', 0];
  for (const { start, end, by } of [...replacements].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + by;
    at = end;
  }
  return result + text.slice(at);
}

/** Replaces each unit of the spans, which may overlap, by a blank: offsets stay. */
export function blanked(text: string, spans: Iterable<Span>): string {
  let rest = text;
  for (const { start, end } of spans)
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  return rest;
}
