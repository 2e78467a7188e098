/**
 * AbstainedNull and RefusedAnswerable: the shares of null and of answerable questions that the
 * reader refuses, read from the answer and never from a score. A question without accepted answers
 * is not known to be answerable and has no value.
 */
import type { Member } from '../../core/naming/family.ts';
import type { Measure } from '../example.ts';
import { isRefusal } from '../given-answer.ts';
import { isNull } from '../gold-evidence.ts';

function member(name: string, summary: string, ofNull: boolean): Member<Measure> {
  return {
    name,
    summary: `${summary}; undefined for readers that only show evidence`,
    create: (_, canonical) => ({
      name: canonical,
      summary,
      unit: 'share',
      better: ofNull ? 'higher' : 'lower',
      score: (example, trace) => {
        if (isNull(example) !== ofNull || (!ofNull && example.answers.length === 0))
          return undefined;
        const refused = isRefusal(trace.answer);
        return refused === undefined ? undefined : Number(refused);
      },
    }),
  };
}

export const abstainedNull: Member<Measure> = member(
  'AbstainedNull',
  'Share of null questions that were refused',
  true,
);
export const refusedAnswerable: Member<Measure> = member(
  'RefusedAnswerable',
  'Share of answerable questions that were refused',
  false,
);
