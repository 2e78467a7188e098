/** Writes what a run of `chain` records of its sub-questions: measures and people read it. */
import type { ModelOutput } from '../../trace/trace.ts';
import type { Completed } from './complete.ts';

/** Role of the record of a sub-question: what was asked, what was searched, what was answered. */
export const SUB_QUESTION = 'subQuestion';

/** Records a sub-question as JSON; confidence is the score of the best seed by a reranker. */
export function subQuestionOutput(
  index: number,
  { original, text, confidence }: Completed & { readonly confidence: number | undefined },
  answer: string | undefined,
): ModelOutput {
  const record = {
    ...{ number: index + 1, original, rewritten: text },
    ...(answer === undefined ? {} : { answer }),
    ...(confidence === undefined ? {} : { confidence }),
  };
  return { role: SUB_QUESTION, text: JSON.stringify(record), parsed: true };
}

/** Names the two searches of a probe by their places in the hop. */
export const probeOutput = (
  written: string,
  index: number,
  place: number,
  { original, text }: Completed,
): ModelOutput => ({
  role: 'probe',
  text: JSON.stringify({
    ...{ number: index + 1, written, original, rewritten: text },
    searches: { original: place, rewritten: place + 1 },
  }),
  parsed: true,
});
