/** Declares the port of extractive question answering models: they find answers in a given text. */
import type { Call } from '../core/trace/call.ts';
import { invalidOutput } from './invalid-output.ts';

/** A span of the text: offsets in UTF-16 units, and its score. */
export interface AnswerSpan {
  readonly start: number;
  readonly end: number;
  /** A logit: the sum of the model's scores of start and end. */
  readonly score: number;
}

export interface AnswerSpans {
  /** Distinct, not empty, best first; none if the text is empty. */
  readonly spans: readonly AnswerSpan[];
  /** Score of the text holding no answer, on the scale of the spans' scores. */
  readonly none: number;
}

export interface QuestionAnswerer {
  readonly id: string;
  /**
   * Returns the best spans of the text as answers to the question. Deterministic: the spans depend
   * on question and text alone. Throws `PortError` for faults of the environment.
   */
  answer(question: string, text: string, call: Call): Promise<AnswerSpans>;
}

/**
 * Checks that spans stand in the text, are distinct, and have finite scores in descending order.
 * Throws `PortError`.
 */
export function checkSpans(
  { id }: Pick<QuestionAnswerer, 'id'>,
  { spans, none }: AnswerSpans,
  text: string,
): void {
  const fail = invalidOutput(
    'question-answerer',
    `The question answerer "${id}" returned bad spans`,
  );
  const bad = [none, ...spans.map(({ score }) => score)].find(score => !Number.isFinite(score));
  if (bad !== undefined) throw fail('not-finite', 'finite scores', String(bad));
  const seen = new Set<string>();
  for (const [at, { start, end, score }] of spans.entries()) {
    const whole = Number.isInteger(start) && Number.isInteger(end);
    if (!whole || start < 0 || end <= start || end > text.length)
      throw fail('malformed', `spans within ${text.length} characters`, `${start} to ${end}`);
    if (seen.has(`${start} ${end}`))
      throw fail('malformed', 'distinct spans', `${start} to ${end}`);
    if (at > 0 && score > spans[at - 1]!.score)
      throw fail('malformed', 'the best span first', `${score} after ${spans[at - 1]!.score}`);
    seen.add(`${start} ${end}`);
  }
}
