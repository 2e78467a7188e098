/** Declares the parameters of `naive` and plans its model calls. */

import type { SettingsOf } from '../../core/naming/family.ts';
import { type OptionalNeed, optional } from '../../core/port.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { languageModel } from '../../models/ports.ts';
import { repairable } from '../../models/repairable-calls.ts';
import { plannedAnswer } from '../../planning/passages-answer.ts';
import { decomposePrompt } from '../../planning/sub-questions/model-sub-questions.ts';

export const NAIVE_PARAMETERS = [
  { name: 'k', type: 'integer', summary: 'passages of each search that are kept' },
  {
    name: 'decomposition',
    type: 'flag',
    default: false,
    shown: true,
    summary:
      'search the fewest sub-questions that suffice instead of the question (NaiveRAG w/ QD)',
  },
  { name: 'parts', type: 'integer', summary: 'decomposition: sub-questions, at most' },
  { name: 'words', type: 'integer' },
  { name: 'prompt', type: 'integer' },
  {
    name: 'planner',
    type: 'member',
    summary: 'decomposition: planner of the sub-questions without a model',
  },
  { name: 'answer', type: 'text', choices: ['own', 'reader'] },
] as const;

export type NaiveSettings = SettingsOf<typeof NAIVE_PARAMETERS>;

/** Returns the settings of the split. */
export const splitOf = ({
  parts,
}: NaiveSettings): {
  readonly parts: number;
  readonly chained: false;
  readonly minimal: true;
} => ({ parts, chained: false, minimal: true });

/** Returns the need of the model, if any step asks one. */
export const naiveModel = ({
  answer,
  decomposition,
}: NaiveSettings): OptionalNeed<LanguageModel> | undefined =>
  answer === 'own' || decomposition ? optional(languageModel) : undefined;

/** Plans the calls; a reply without sub-questions leaves the clauses beside the question. */
export function naiveCalls(settings: NaiveSettings): PlannedCalls[] {
  const { k, decomposition, parts, answer } = settings;
  return [
    ...(decomposition ? [repairable(decomposePrompt('q'.repeat(500), splitOf(settings)), 1)] : []),
    ...(answer === 'own' ? [plannedAnswer(decomposition ? k * (parts + 1) : k, settings)] : []),
  ];
}
