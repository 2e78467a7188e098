/**
 * JudgeAccuracy, JudgeUnparsed, JudgeAgreement, JudgeKappa: the verdicts of a judge, the share that
 * it did not give, and its agreement with an offline rule.
 */
import { ANSWER_RULES, isRight } from '../answer-rules.ts';
import type { Measure, Sums } from '../example.ts';
import { type Agreement, cohensKappa, observedAgreement } from '../kappa.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';
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

export const judgeAccuracy: MeasureMember = measureMember({
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
  table: 'judge',
  reads: 'answer',
  score(example, trace, records, { judge, unparsed }) {
    const judged = judgedAnswer(judge, example, trace, records);
    if (!judged) return undefined;
    const { answer, verdict } = judged;
    if (verdict?.match !== undefined) return Number(verdict.match);
    return answer.trim() === '' || (verdict && unparsed === 'wrong') ? 0 : undefined;
  },
});

export const judgeUnparsed: MeasureMember = measureMember({
  name: 'JudgeUnparsed',
  summary: 'Share of judged answers on which the judge gave no verdict that could be read',
  parameters: [JUDGE],
  better: 'lower',
  table: 'judge',
  reads: 'answer',
  score(example, trace, records, { judge }) {
    const verdict = judgedAnswer(judge, example, trace, records)?.verdict;
    return verdict && Number(verdict.match === undefined);
  },
});

/** A score is one count: what the judge said, and what the rule says. */
function beside(
  name: string,
  summary: string,
  unit: Measure['unit'],
  value: (counts: Agreement) => number,
): MeasureMember {
  return measureMember({
    name,
    summary,
    unit,
    parameters: [JUDGE, RULE],
    table: 'judge',
    reads: 'answer',
    aggregate: { kind: 'sums', value: sums => value({ ...NONE, ...sums }) },
    score(example, trace, records, { judge, rule }): Sums | undefined {
      const judged = judgedAnswer(judge, example, trace, records);
      const match = judged?.verdict?.match;
      if (match === undefined) return undefined;
      const right = isRight(rule, judged!.answer, example.answers);
      if (match) return { [right ? 'bothYes' : 'onlyFirst']: 1 };
      return { [right ? 'onlySecond' : 'bothNo']: 1 };
    },
  });
}

const NONE: Agreement = { bothYes: 0, onlyFirst: 0, onlySecond: 0, bothNo: 0 };

export const judgeAgreement: MeasureMember = beside(
  'JudgeAgreement',
  'Share of judged answers on which the judge and QaAccuracy say the same',
  'share',
  observedAgreement,
);
export const judgeKappa: MeasureMember = beside(
  'JudgeKappa',
  'Cohen’s kappa of the judge and QaAccuracy: agreement beyond chance; no value where both always say the same word',
  'coefficient',
  cohensKappa,
);
