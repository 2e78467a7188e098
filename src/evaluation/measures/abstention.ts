/**
 * AbstainedNull and RefusedAnswerable: is the reader silent where it should be, and only there?
 * Read from the answer, never from a score (evaluation.md 2.3).
 */
import type { Member } from '../../naming/family.ts';
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
        if (isNull(example) !== ofNull) return undefined;
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
