/**
 * Sub-questions without a model: the plan of a planner, filled up with the parts between commas and
 * "and" (query-decomposition sheet, section 10).
 */
import { ClauseList, type Planner } from '../planner.ts';

/** Shorter parts ask nothing alone. */
const MIN_WORDS = 4;

/** At most `parts`, at least one for a question with a word in it. */
export function clauseSubQuestions(
  planner: Planner,
  question: string,
  parts: number,
  sources: readonly string[],
): string[] {
  const list = new ClauseList();
  for (const { text } of planner.plan(question, parts, sources)) list.add(text, 1);
  if (list.clauses.length < parts)
    for (const part of question.split(/,|\band\b/i)) list.add(part, MIN_WORDS);
  return list.queries(parts, question).map(({ text }) => text);
}
