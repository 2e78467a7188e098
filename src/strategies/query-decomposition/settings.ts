/** Declares the parameters of `query-decomposition` and plans its model calls. */

import type { SettingsOf } from '../../core/naming/family.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { repairable } from '../../models/repairable-calls.ts';
import { integrationPrompt, LONGEST_SUB_ANSWER } from '../../planning/sub-answers.ts';
import { subAnswerPrompt } from '../../planning/sub-questions/model-sub-answer.ts';
import { decomposePrompt } from '../../planning/sub-questions/model-sub-questions.ts';

export const queryDecompositionParameters = [
  {
    name: 'parts',
    type: 'integer',
    shown: true,
    summary: 'sub-questions, at most: 3, 4 and 5 are published',
  },
  {
    name: 'integration',
    type: 'text',
    default: 'sub-answers',
    choices: ['sub-answers', 'sub-contexts'],
    shown: true,
    summary:
      'answer each sub-question and integrate the answers, or pool the passages for the reader',
  },
  { name: 'k', type: 'integer', summary: 'hits of each search that are kept' },
  {
    name: 'chained',
    type: 'flag',
    default: false,
    summary:
      'put the answer of an earlier sub-question into a later one that refers to it (#1); ours',
  },
  {
    name: 'checked',
    type: 'flag',
    default: true,
    summary: 'chained: bind only answers that occur in their passages',
  },
  {
    name: 'split',
    type: 'text',
    default: 'model',
    choices: ['model', 'clauses', 'replayed'],
    summary: 'source of the sub-questions: the model, the planner, or those of an earlier run',
  },
  {
    name: 'answers',
    type: 'text',
    default: 'model',
    choices: ['model', 'extractive', 'replayed'],
    summary: 'source of their answers: the model, rules (a name, a year, a number), or the file',
  },
  {
    name: 'words',
    type: 'integer',
    default: 225,
    summary: 'words of a passage that the prompt of a sub-answer shows',
  },
  {
    name: 'prompt',
    type: 'integer',
    default: 4000,
    summary:
      'tokens of the longest prompt of a sub-answer, estimated from bytes: passages are shortened until it fits',
  },
  {
    name: 'pool',
    type: 'integer',
    default: 3000,
    min: 1,
    max: 1_000_000,
    summary: 'sub-contexts: words of the pooled context, at most',
  },
  { name: 'planner', type: 'member', summary: 'planner of the sub-questions without a model' },
] as const;

export type QueryDecompositionSettings = SettingsOf<typeof queryDecompositionParameters>;

/** Lengths of a long question, title and word, in characters. */
const LONG = { question: 500, title: 80, word: 7 } as const;

/** Plans model calls for long questions and whole passages. */
export function plannedCalls(settings: QueryDecompositionSettings): PlannedCalls[] {
  const { parts, integration, k, chained, split, answers, words, prompt } = settings;
  const question = 'q'.repeat(LONG.question);
  const passage = {
    id: '',
    documentId: '',
    start: 0,
    about: '',
    title: 't'.repeat(LONG.title),
    text: `${'w'.repeat(LONG.word - 1)} `.repeat(words),
  };
  const passages = Array.from({ length: k }, () => passage);
  const calls: PlannedCalls[] = [];
  if (split === 'model') calls.push(repairable(decomposePrompt(question, settings), 1));
  if (answers === 'model' && (integration === 'sub-answers' || chained))
    calls.push(repairable(subAnswerPrompt(question, passages), parts, prompt));
  if (integration === 'sub-answers')
    calls.push(
      repairable(
        integrationPrompt(
          question,
          Array.from({ length: parts }, () => ({
            question,
            answer: 'a'.repeat(LONGEST_SUB_ANSWER),
          })),
        ),
        1,
      ),
    );
  return calls;
}
