/**
 * AnswerEM and AnswerF1: the answer against the accepted answers, by the rules of three scorers,
 * see `AnswerRule`.
 */
import { givenAnswer } from '../given-answer.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { exactMatch, answerF1 as f1 } from '../token-overlap.ts';

function matches(name: string, summary: string, match: typeof f1): MeasureMember {
  return measureMember({
    name,
    summary: `${summary}, the best of all accepted answers; undefined for readers that only show evidence`,
    parameters: [
      {
        name: 'rule',
        type: 'text',
        default: 'hotpot',
        choices: ['hotpot', 'squad', 'longbench'],
        positional: true,
        shown: true,
        summary:
          'whose scorer: yes/no rule (hotpot), empty sides may match (squad), neither (longbench)',
      },
    ],
    table: 'answers',
    reads: 'answer',
    printed: { answers: [`${name}(hotpot)`] },
    score({ answers }, { answer }, _records, { rule }) {
      const text = givenAnswer(answer);
      if (text === undefined || answers.length === 0) return undefined;
      return Math.max(...answers.map(gold => match(text, gold, rule)));
    },
  });
}

export const answerEM: MeasureMember = matches(
  'AnswerEM',
  'Answer equals gold after normalisation',
  exactMatch,
);
export const answerF1: MeasureMember = matches(
  'AnswerF1',
  'Token F1 of answer and gold after normalisation',
  f1,
);
