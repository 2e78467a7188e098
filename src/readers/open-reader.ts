/**
 * `open-reader`: answers open questions by names, dates, numbers, short phrases, one of several
 * named things, or yes and no, without a language model.
 *
 * Comparisons are computed over values that relations read from the sentences (born, died,
 * released, directed by, ...); spans are ranked by fitted features of the evidence: the kind of
 * answer, the distance along the chain of passages, stated relations, and agreement of sentences.
 */
import { type Member, member } from '../core/naming/family.ts';
import { readOpenAnswer } from './open-answer.ts';
import type { Reader } from './reader.ts';

export const openReader: Member<Reader> = member({
  name: 'open-reader',
  summary:
    'Names, dates, numbers, choices, yes or no and short phrases by relations read from the sentences and fitted ranks of spans',
  paper: 'ours; weights fitted on train questions of 2WikiMultiHopQA, HotpotQA and MuSiQue',
  cost: 'no model',
  parameters: [
    {
      name: 'support',
      type: 'number',
      default: 1,
      min: 0,
      max: 100,
      summary:
        'times the threshold of its weights: abstain below that probability that the evidence holds the answer (0: never)',
    },
  ],
  create: ({ support }, name) => ({
    name,
    read: (question, context, evidence, kit, call) =>
      readOpenAnswer({ question, context, evidence, kit, call }, support),
  }),
});
