/** Validates the spans of a question answerer before they are used or stored. */
import { invalidOutput } from './invalid-output.ts';
import type { AnswerSpans, QuestionAnswerer } from './question-answerer.ts';

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
