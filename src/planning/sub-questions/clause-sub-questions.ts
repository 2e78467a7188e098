/**
 * Derives sub-questions without a model: the plan of a planner, completed by the parts between
 * commas and "and".
 */
import { ClauseList, type Planner } from '../planner.ts';
import { withReferences } from './references.ts';

/** Least number of words of a part. */
const MIN_WORDS = 4;

/** Returns at most `parts` sub-questions, at least one for a question with a word. */
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
  // Nobody wrote a reference into a question: its "#1" is not the answer of the first clause.
  return list.queries(parts, question).map(({ text }) => withReferences(text, () => undefined));
}
