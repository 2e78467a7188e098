/**
 * What was read from the passages of one sub-question, and whether a later one may be bound to it.
 */
import type { Citation, ModelOutput } from '../../trace/trace.ts';

export interface ReadAnswer {
  /** Undefined: unknown. */
  readonly answer?: string;
  /** Where it stands, word for word; empty where no passage that was read holds it. */
  readonly stands: readonly Citation[];
  /** What it rests on: where it stands, and what its author named beside that. */
  readonly citations: readonly Citation[];
  /** What a model said, word for word. */
  readonly said: readonly ModelOutput[];
}

export const UNKNOWN: ReadAnswer = { stands: [], citations: [], said: [] };

/** A longer answer is a sentence, and no name for a query; characters. */
const LONGEST_NAME = 120;

/**
 * The words that a later question is bound to, or why it cannot be: "yes" names nothing.
 * `mustStand`: what its passages do not hold is not trusted.
 */
export function bindable(
  { answer, stands }: ReadAnswer,
  mustStand: boolean,
): { readonly text: string } | { readonly why: string } {
  const text = answer?.replace(/\s+/g, ' ').trim() ?? '';
  // Without a word nothing of it would be searched for.
  if (!/[\p{L}\p{N}]/u.test(text)) return { why: 'it has no answer' };
  if (/^(?:yes|no|true|false)\W*$/i.test(text)) return { why: `"${text}" names nothing` };
  if (text.length > LONGEST_NAME) return { why: `its answer has ${text.length} characters` };
  if (mustStand && stands.length === 0)
    return { why: `its answer "${text}" stands in none of the passages that it was read from` };
  return { text };
}
