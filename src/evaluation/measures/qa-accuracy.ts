/**
 * QaAccuracy: MultiHop-RAG's lenient answer accuracy as its script computes it (arXiv 2401.15391),
 * a strict one, and the lenient one without its known faults.
 */
import { type Member, member } from '../../core/naming/family.ts';
import { ANSWER_RULES, isRight } from '../answer-rules.ts';
import type { Measure } from '../example.ts';
import { givenAnswer } from '../given-answer.ts';

export const qaAccuracy: Member<Measure> = member({
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
  create: (settings, canonical) => {
    const rule = settings.rule;
    return {
      name: canonical,
      summary: `Right answers (${rule})`,
      unit: 'share',
      score: (example, trace) => {
        const given = givenAnswer(trace.answer);
        if (given === undefined || example.answers.length === 0) return undefined;
        return Number(isRight(rule, given, example.answers));
      },
    };
  },
});
