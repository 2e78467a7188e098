/**
 * JudgeAccuracy, JudgeUnparsed, JudgeAgreement, JudgeKappa: the verdicts of a judge, the share that
 * it did not give, and its agreement with an offline rule.
 */
import { type Member, member } from '../../core/naming/family.ts';
import { ANSWER_RULES, isRight } from '../answer-rules.ts';
import type { Measure, Sums } from '../example.ts';
import { type Agreement, cohensKappa, observedAgreement } from '../kappa.ts';
import { judgedAnswer } from '../verdicts.ts';

const JUDGE = {
  name: 'judge',
  type: 'text',
  default: '',
  positional: true,
  summary: 'the judge’s id; the only one when missing',
} as const;
const RULE = {
  name: 'rule',
  type: 'text',
  default: 'strict',
  choices: ANSWER_RULES,
  shown: true,
  summary: 'the offline rule that it is laid beside',
} as const;

export const judgeAccuracy: Member<Measure> = member({
  name: 'JudgeAccuracy',
  summary:
    'Share of answers that a judge says match gold; a run that failed is wrong, an answer without a readable verdict is left out',
  paper: 'longitudinal study',
  parameters: [
    JUDGE,
    {
      name: 'unparsed',
      type: 'text',
      default: 'skip',
      choices: ['skip', 'wrong'],
      summary: 'what an answer without a readable verdict counts as; wrong is the study’s rule',
    },
  ],
  create: (settings, canonical) => ({
    name: canonical,
    summary: 'Right answers by a judge',
    unit: 'share',
    score: (example, trace, records) => {
      const judged = judgedAnswer(settings.judge, example, trace, records);
      if (!judged) return undefined;
      const { answer, verdict } = judged;
      if (verdict?.match !== undefined) return Number(verdict.match);
      return answer.trim() === '' || (verdict && settings.unparsed === 'wrong') ? 0 : undefined;
    },
  }),
});

export const judgeUnparsed: Member<Measure> = member({
  name: 'JudgeUnparsed',
  summary: 'Share of judged answers on which the judge gave no verdict that could be read',
  parameters: [JUDGE],
  create: (settings, canonical) => ({
    name: canonical,
    summary: 'Answers without a readable verdict',
    unit: 'share',
    better: 'lower',
    score: (example, trace, records) => {
      const verdict = judgedAnswer(settings.judge, example, trace, records)?.verdict;
      return verdict && Number(verdict.match === undefined);
    },
  }),
});

/** A score is one count: what the judge said, and what the rule says. */
function beside(
  name: string,
  summary: string,
  unit: 'share' | 'coefficient',
  value: (counts: Agreement) => number,
): Member<Measure> {
  return member({
    name,
    summary,
    parameters: [JUDGE, RULE],
    create: (settings, canonical) => ({
      name: canonical,
      summary,
      unit,
      aggregate: { kind: 'sums', value: sums => value(agreementOf(sums)) },
      score: (example, trace, records): Sums | undefined => {
        const judged = judgedAnswer(settings.judge, example, trace, records);
        if (judged?.verdict?.match === undefined) return undefined;
        const right = isRight(settings.rule, judged.answer, example.answers);
        return {
          [judged.verdict.match
            ? right
              ? 'bothYes'
              : 'onlyFirst'
            : right
              ? 'onlySecond'
              : 'bothNo']: 1,
        };
      },
    }),
  });
}

const agreementOf = ({
  bothYes = 0,
  onlyFirst = 0,
  onlySecond = 0,
  bothNo = 0,
}: Sums): Agreement => ({
  ...{ bothYes, onlyFirst, onlySecond, bothNo },
});

export const judgeAgreement: Member<Measure> = beside(
  'JudgeAgreement',
  'Share of judged answers on which the judge and QaAccuracy say the same',
  'share',
  observedAgreement,
);
export const judgeKappa: Member<Measure> = beside(
  'JudgeKappa',
  'Cohen’s kappa of the judge and QaAccuracy: agreement beyond chance; no value where both always say the same word',
  'coefficient',
  cohensKappa,
);
