/** Declares the parameters of `naive` and plans its model calls. */

import type { SettingsOf } from '../../core/naming/family.ts';
import type { Name } from '../../core/naming/name.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { type OptionalNeed, optional } from '../../models/port.ts';
import { languageModel } from '../../models/ports.ts';
import { repairable } from '../../models/repairable-calls.ts';
import { plannedAnswer } from '../../planning/passages-answer.ts';
import { planners } from '../../planning/planners.ts';
import { decomposePrompt } from '../../planning/sub-questions/model-sub-questions.ts';
import { ANSWER_PARAMETER } from '../../planning/thoughts.ts';

export const NAIVE_PARAMETERS = [
  {
    name: 'k',
    type: 'integer',
    default: 5,
    min: 1,
    max: 1000,
    shown: true,
    summary: 'passages of each search that are kept',
  },
  {
    name: 'decomposition',
    type: 'flag',
    default: false,
    shown: true,
    summary:
      'search the fewest sub-questions that suffice instead of the question (NaiveRAG w/ QD)',
  },
  {
    name: 'parts',
    type: 'integer',
    default: 3,
    min: 1,
    max: 10,
    summary: 'decomposition: sub-questions, at most',
  },
  {
    name: 'words',
    type: 'integer',
    default: 350,
    min: 1,
    max: 100_000,
    summary: 'words of a passage that the prompt shows',
  },
  {
    name: 'prompt',
    type: 'integer',
    default: 8000,
    min: 1,
    max: 1e6,
    summary: 'tokens of the longest prompt: passages are shortened until it fits',
  },
  {
    name: 'planner',
    type: 'member',
    default: { name: 'source-anchored', args: [] },
    canonical: (name: Name): string => planners.canonical(name),
    summary: 'decomposition: planner of the sub-questions without a model',
  },
  ANSWER_PARAMETER as typeof ANSWER_PARAMETER,
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
