/**
 * `majority-by-predicted-type`: gives the most frequent answer to other questions of the type that
 * is predicted from a question's words.
 */
import { type Member, member } from '../../core/naming/family.ts';
import { predictQuestionType } from '../../language/english/question/question-type.ts';
import type { Example } from '../example.ts';
import { foldsOf } from '../fitting/folds.ts';
import { ABSTENTION } from '../given-answer.ts';
import type { AnswerControl } from './answer-control.ts';

export const majority: Member<AnswerControl> = member({
  name: 'majority-by-predicted-type',
  summary:
    'the most frequent answer to questions of the same predicted type in the other folds; reads no document',
  create: (_settings, name) => ({
    name,
    over: 'questions',
    treat(runs) {
      const examples = runs.map(({ example }) => example);
      const types = examples.map(({ question }) => predictQuestionType(question.text));
      return majorityByType(examples, types).map(text => ({
        kind: 'says',
        rule: 'majority',
        text,
      }));
    },
  }),
});

/** The most frequent text, the one that sorts first among equals. */
function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0];
}

/**
 * The most frequent gold answer among the questions of the same predicted type in the other folds,
 * so that no question is fitted on itself. A type that the other folds do not have gets their most
 * frequent answer over all types; the words of abstention when they have none.
 */
export function majorityByType(
  examples: readonly Example[],
  predictedTypes: readonly (string | undefined)[],
): string[] {
  const folds = foldsOf(examples.length);
  const fitted = new Map<string, string>();
  return examples.map((_, index) => {
    const key = `${folds[index]} ${predictedTypes[index]}`;
    let answer = fitted.get(key);
    if (answer === undefined) {
      const others = examples.flatMap((_, i) => (folds[i] === folds[index] ? [] : [i]));
      const gold = (indices: readonly number[]): string[] =>
        indices.flatMap(i => examples[i]!.answers.slice(0, 1));
      answer =
        mostFrequent(gold(others.filter(i => predictedTypes[i] === predictedTypes[index]))) ??
        mostFrequent(gold(others)) ??
        ABSTENTION;
      fitted.set(key, answer);
    }
    return answer;
  });
}
