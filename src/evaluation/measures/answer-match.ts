/**
 * AnswerEM and AnswerF1: the answer against the accepted answers, by the rules of three scorers,
 * see `AnswerRule`.
 */
import { type Member, member } from '../../core/naming/family.ts';
import type { Measure } from '../example.ts';
import { givenAnswer } from '../given-answer.ts';
import { type AnswerRule, exactMatch, answerF1 as f1 } from '../token-overlap.ts';

type Match = (predicted: string, gold: string, rule: AnswerRule) => number;

function matchMember(name: string, summary: string, match: Match): Member<Measure> {
  return member({
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
    create: (settings, canonical) => {
      const rule = settings.rule;
      return {
        name: canonical,
        summary: `${summary} (${rule})`,
        unit: 'share',
        score: (example, trace) => {
          const given = givenAnswer(trace.answer);
          if (given === undefined || example.answers.length === 0) return undefined;
          return Math.max(...example.answers.map(gold => match(given, gold, rule)));
        },
      };
    },
  });
}

export const answerEM: Member<Measure> = matchMember(
  'AnswerEM',
  'Answer equals gold after normalisation',
  exactMatch,
);
export const answerF1: Member<Measure> = matchMember(
  'AnswerF1',
  'Token F1 of answer and gold after normalisation',
  f1,
);
