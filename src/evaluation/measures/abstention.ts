/**
 * AbstainedNull and RefusedAnswerable: the shares of null and of answerable questions that the
 * reader refuses, read from the answer and never from a score. A question without accepted answers
 * is not known to be answerable and has no value.
 */
import { isRefusal } from '../given-answer.ts';
import { isNull } from '../gold-evidence.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';

function refusals(name: string, summary: string, ofNull: boolean): MeasureMember {
  return measureMember({
    name,
    summary: `${summary}; undefined for readers that only show evidence`,
    better: ofNull ? 'higher' : 'lower',
    table: 'answers',
    reads: 'answer',
    printed: { answers: [name] },
    score(example, trace) {
      if (isNull(example) !== ofNull || (!ofNull && example.answers.length === 0)) return undefined;
      const refused = isRefusal(trace.answer);
      return refused === undefined ? undefined : Number(refused);
    },
  });
}

export const abstainedNull: MeasureMember = refusals(
  'AbstainedNull',
  'Share of null questions that were refused',
  true,
);
export const refusedAnswerable: MeasureMember = refusals(
  'RefusedAnswerable',
  'Share of answerable questions that were refused',
  false,
);
