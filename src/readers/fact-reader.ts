/**
 * `fact-reader`: answers by an entity or a date, or abstains, from sentences and four small linear
 * models, without a language model.
 *
 * The type follows from the question's words with all topics masked; an abstention from clauses
 * of the question that the evidence does not support; an entity from the names in the evidence
 * that the question does not contain. A question for yes or no gets the evidence of each claim,
 * undecided: no reading of the evidence was found to beat a classifier that reads the question
 * alone. See docs/papers/fact-lanes.md.
 */
import { type Member, member } from '../core/naming/family.ts';
import { FACT_SUPPORT, readFactAnswer } from './fact-answer.ts';
import type { Reader } from './reader.ts';

export const factReader: Member<Reader> = member({
  name: 'fact-reader',
  summary:
    'An entity or a date by small fitted models over the shown sentences; abstains if its clauses lack support; shows the evidence of each claim of a question for yes or no, undecided',
  paper: 'ours; weights fitted on half of MultiHop-RAG',
  cost: 'no model',
  parameters: [
    {
      name: 'support',
      type: 'number',
      default: FACT_SUPPORT,
      min: 0,
      max: 1.01,
      summary:
        'abstain below this probability that the evidence holds an answer (0: always answer)',
    },
    {
      name: 'form',
      type: 'flag',
      default: false,
      summary:
        'use the words of the question for this probability too: null questions of MultiHop-RAG have a form of their own, others may not',
    },
  ],
  create: (settings, name) => ({
    name,
    read: (question, context, evidence, kit, call) =>
      readFactAnswer({ question, context, evidence, kit, call }, settings),
  }),
});
