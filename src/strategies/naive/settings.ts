/** Declares the parameters of `naive` and plans its model calls. */

import type { SettingsOf } from '../../core/naming/family.ts';
import { type OptionalNeed, optional } from '../../core/port.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { languageModel } from '../../models/ports.ts';
import { repairable } from '../../models/repairable-calls.ts';
import { plannedAnswer } from '../../planning/passages-answer.ts';
import { decomposePrompt } from '../../planning/sub-questions/model-sub-questions.ts';
import * as usual from '../usual-settings.ts';

export const NAIVE_PARAMETERS = [
  usual.topK('passages of each search that are kept') as usual.Setting<'k'>,
  {
    name: 'decomposition',
    type: 'flag',
    default: false,
    shown: true,
    summary:
      'search the fewest sub-questions that suffice instead of the question (NaiveRAG w/ QD)',
  },
  usual.parts('decomposition: sub-questions, at most') as usual.Setting<'parts'>,
  usual.words() as usual.Setting<'words'>,
  usual.prompt() as usual.Setting<'prompt'>,
  usual.planner('decomposition: planner of the sub-questions without a model') as usual.Setting<
    'planner',
    'member'
  >,
  usual.ANSWER as typeof usual.ANSWER,
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
