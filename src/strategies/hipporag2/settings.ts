/** Declares the parameters of `hipporag2` and plans its model calls. */

import type { SettingsOf } from '../../core/naming/family.ts';
import { type OptionalNeed, optional } from '../../core/port.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { languageModel } from '../../models/ports.ts';
import { repairable } from '../../models/repairable-calls.ts';
import { LONG_QUESTION, plannedAnswer } from '../../planning/passages-answer.ts';
import { type Fact, factFilterPrompt } from './filter.ts';

export const HIPPORAG2_PARAMETERS = [
  { name: 'k', type: 'integer', summary: 'passages kept' },
  {
    name: 'passages',
    type: 'number',
    default: 0.05,
    min: 0,
    max: 1,
    summary:
      'weight of the best passage of the search as a start of the walk; an entity of one passage has 1',
  },
  { name: 'damping', type: 'number' },
  { name: 'synonyms', type: 'flag' },
  { name: 'hubs', type: 'number', default: 0.1, min: 0.001 },
  {
    name: 'facts',
    type: 'integer',
    default: 5,
    min: 1,
    max: 100,
    summary: 'with a model: facts that it is shown to pick from',
  },
  {
    name: 'entities',
    type: 'integer',
    default: 5,
    min: 1,
    max: 200,
    summary: 'with a model: entities of the picked facts where the walk starts',
  },
  { name: 'words', type: 'integer' },
  { name: 'prompt', type: 'integer' },
  { name: 'answer', type: 'text', choices: ['own', 'reader'] },
] as const;

export type Hipporag2Settings = SettingsOf<typeof HIPPORAG2_PARAMETERS>;

export const MODEL: OptionalNeed<LanguageModel> = optional(languageModel);

/** Characters of a usual subject, relation or object. */
const USUAL: Fact = ['s'.repeat(20), 'r'.repeat(20), 'o'.repeat(20)];

/** Plans one filter and one answer. */
export function hipporag2Calls(settings: Hipporag2Settings): PlannedCalls[] {
  const { facts, k, answer, prompt } = settings;
  const filter = factFilterPrompt(LONG_QUESTION, Array(facts).fill(USUAL), settings);
  return [repairable(filter, 1, prompt), ...(answer === 'own' ? [plannedAnswer(k, settings)] : [])];
}
