/** Compares the answer of a run with the text that was streamed while a model wrote it. */
import type { Trace } from '../core/trace/trace.ts';
import { saysInsufficient } from '../models/short-answer.ts';
import { citedText } from '../readers/cited-sentences.ts';

/** Says of a text that was streamed if it is the answer; missing if nothing was streamed. */
export type Streamed = 'kept' | 'withdrawn' | undefined;

export const stateOf = (streamed: string, trace: Trace): Streamed =>
  streamed === '' ? undefined : isWithdrawn(streamed, trace) ? 'withdrawn' : 'kept';

/** Tells it to people. */
export const WITHDRAWN = 'The text above is withdrawn.';

/**
 * Returns true if what was streamed is not the answer: another text stands in its place, or none.
 * Whoever saw it must be told. Citation marks, which are streamed as well, make no difference.
 */
export function isWithdrawn(streamed: string, { answer, evidence }: Trace): boolean {
  if (lettersOf(streamed) === '') return false;
  if (answer.kind === 'abstained') return !saysInsufficient(streamed);
  const documents = new Set(evidence.map(({ documentId }) => documentId)).size;
  const shown = new Set(Array.from({ length: documents }, (_, at) => at + 1));
  // Passages that the prompt had no room for were not shown: their marks stay in the answer.
  return [streamed, citedText(streamed, shown).text].every(
    text => lettersOf(withoutMarks(text)) !== lettersOf(withoutMarks(answer.text)),
  );
}

const withoutMarks = (text: string): string => text.replace(/[[(【]\d{1,3}[\])】]/g, '');

/** A text that begins behind a mark begins with a capital. */
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
