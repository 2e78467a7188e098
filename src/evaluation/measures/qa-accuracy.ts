/**
 * QaAccuracy: MultiHop-RAG's lenient answer accuracy as its script computes it (arXiv 2401.15391),
 * a strict one, and the lenient one without its known faults.
 */
import { ANSWER_RULES, isRight } from '../answer-rules.ts';
import { givenAnswer } from '../given-answer.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';

export const qaAccuracy: MeasureMember = measureMember({
  name: 'QaAccuracy',
  summary:
    "Share of right answers: official is MultiHop-RAG's rule (one shared word is enough), strict equality or containment, clean one shared content word",
  paper: 'MultiHop-RAG',
  parameters: [
    {
      name: 'rule',
      type: 'text',
      default: 'strict',
      choices: ANSWER_RULES,
      positional: true,
      shown: true,
      summary: 'what counts as right',
    },
  ],
  table: 'answers',
  reads: 'answer',
  printed: { answers: ['QaAccuracy(official)', 'QaAccuracy(strict)', 'QaAccuracy(clean)'] },
  compared: { answers: ['QaAccuracy(official)', 'QaAccuracy(strict)'] },
  score({ answers }, { answer }, _records, { rule }) {
    const text = givenAnswer(answer);
    if (text === undefined || answers.length === 0) return undefined;
    return Number(isRight(rule, text, answers));
  },
});
