/**
 * UnsupportedAnswers: how many of a model's answers say what the passages that they cite do not
 * hold, by words alone.
 */
import { type MeasureMember, measureMember } from '../measure-member.ts';

/**
 * Answers of readers without a model are not checked: they are taken from the passages word for
 * word.
 */
export const unsupportedAnswers: MeasureMember = measureMember({
  name: 'UnsupportedAnswers',
  summary:
    'Share of the answers of runs with a language model that hold a sentence which their cited passages do not; undefined for other runs',
  better: 'lower',
  table: 'answers',
  printed: { answers: ['UnsupportedAnswers'] },
  score: (_example, { answer, spent }) =>
    answer.kind === 'answered' && spent.modelCalls
      ? Number((answer.unsupported ?? []).length > 0)
      : undefined,
});
