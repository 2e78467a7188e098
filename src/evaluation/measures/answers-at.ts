/**
 * AnsweredAt and RightAt: coverage and accuracy of the answers whose stated probability is at least
 * a threshold, the two axes of selective answering (El-Yaniv and Wiener, JMLR 11, 2010). A run that
 * shows every answer has both at any threshold: nothing is asked twice.
 */
import type { Answer } from '../../core/trace/trace.ts';
import { isBelow } from '../../readers/answer-at.ts';
import { isRight } from '../answer-rules.ts';
import { isRefusal } from '../given-answer.ts';
import { isNull } from '../gold-evidence.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';

const parameters = [
  {
    name: 'at',
    type: 'number',
    default: 0.7,
    min: 0,
    max: 1,
    positional: true,
    shown: true,
    summary: 'least probability of an answer that is given',
  },
] as const;

/**
 * Returns the text that is given at a threshold; undefined for a refusal or no words. An answer
 * that states no probability is always given, as by `ask`.
 */
function givenAt(answer: Answer, least: number): string | undefined {
  if (isBelow(answer)) return answer.probability >= least ? answer.withheld.text : undefined;
  if (answer.kind !== 'answered' || answer.text.trim() === '' || isRefusal(answer))
    return undefined;
  return (answer.probability ?? 1) >= least ? answer.text : undefined;
}

export const answeredAt: MeasureMember = measureMember({
  name: 'AnsweredAt',
  summary: 'Share of answerable questions whose answer has at least this probability',
  parameters,
  score(example, { answer }, _records, { at }) {
    if (answer.kind === 'evidence' || example.answers.length === 0 || isNull(example))
      return undefined;
    return Number(givenAt(answer, at) !== undefined);
  },
});

export const rightAt: MeasureMember = measureMember({
  name: 'RightAt',
  summary:
    'Share of the answers with at least this probability that are right, by QaAccuracy(strict); an answer to a null question is wrong',
  parameters,
  score(example, { answer }, _records, { at }) {
    if (answer.kind === 'evidence' || example.answers.length === 0) return undefined;
    const text = givenAt(answer, at);
    if (text === undefined) return undefined;
    return Number(!isNull(example) && isRight('strict', text, example.answers));
  },
});
