/**
 * UnsupportedAnswers: how many of a model's answers say what the passages that they cite do not
 * hold, by words alone.
 */
import { type Member, member } from '../../core/naming/family.ts';
import type { Measure } from '../example.ts';

/**
 * Answers of readers without a model are not checked: they are taken from the passages word for
 * word.
 */
export const unsupportedAnswers: Member<Measure> = member({
  name: 'UnsupportedAnswers',
  summary:
    'Share of the answers of runs with a language model that hold a sentence which their cited passages do not; undefined for other runs',
  create: (_settings, canonical) =>
    ({
      name: canonical,
      summary: 'Answers that their cited passages do not hold',
      unit: 'share',
      better: 'lower',
      score: (_example, { answer, spent }): number | undefined =>
        answer.kind === 'answered' && spent.modelCalls
          ? Number((answer.unsupported ?? []).length > 0)
          : undefined,
    }) satisfies Measure,
});
