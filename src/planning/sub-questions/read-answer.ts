/**
 * Declares the answer that was read for a sub-question, and decides whether a later one may be
 * bound to it.
 */
import type { Citation, ModelOutput } from '../../core/trace/trace.ts';

export interface ReadAnswer {
  /** Undefined if unknown. */
  readonly answer?: string;
  /** Verbatim occurrences in the passages that were read; empty if there are none. */
  readonly occurrences: readonly Citation[];
  /** Citations: occurrences, and passages that the model named besides. */
  readonly citations: readonly Citation[];
  /** Outputs of a model, verbatim. */
  readonly outputs: readonly ModelOutput[];
}

export const UNKNOWN: ReadAnswer = { occurrences: [], citations: [], outputs: [] };

/**
 * Longest answer that is used as a name in a query, in UTF-16 units; a longer one is a sentence.
 */
const LONGEST_NAME = 120;

/**
 * Returns the text to bind a later question to, or the reason why there is none: "yes" is not a
 * name. `mustOccur`: requires that the passages contain the answer.
 */
export function bindable(
  { answer, occurrences }: ReadAnswer,
  mustOccur: boolean,
): { readonly text: string } | { readonly why: string } {
  const text = answer?.replace(/\s+/g, ' ').trim() ?? '';
  // Nothing without a letter or digit can be searched for.
  if (!/[\p{L}\p{N}]/u.test(text)) return { why: 'it has no answer' };
  if (/^(?:yes|no|true|false)\W*$/i.test(text)) return { why: `"${text}" is not a name` };
  if (text.length > LONGEST_NAME) return { why: `its answer has ${text.length} characters` };
  if (mustOccur && occurrences.length === 0)
    return { why: `its answer "${text}" is in none of the passages that it was read from` };
  return { text };
}
