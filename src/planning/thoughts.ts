/**
 * Declares the sources of a strategy's thoughts: a language model, or sentences copied from search
 * results by a rule.
 */

import type { ModelOutput } from '../core/trace/trace.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { type Need, optional, required } from '../models/port.ts';
import { languageModel } from '../models/ports.ts';

export type ThoughtSource = 'any' | 'model' | 'extracted';

export const THOUGHTS_PARAMETER = {
  name: 'thoughts',
  type: 'text',
  default: 'any',
  choices: ['any', 'model', 'extracted'],
  summary:
    'any: by the run’s model, or by a rule without one; model: by the model only; extracted: by the rule only, a lower bound',
} as const;

export const ANSWER_PARAMETER = {
  name: 'answer',
  type: 'text',
  default: 'own',
  choices: ['own', 'reader'],
  summary:
    'own: the strategy’s answer if its evidence supports it, otherwise the reader’s; reader: always the reader’s',
} as const;

/** Returns the need of a strategy that takes its thoughts from a source; none if extracted. */
export function thoughtsNeed(thoughts: ThoughtSource): Need<LanguageModel> | undefined {
  if (thoughts === 'extracted') return undefined;
  return thoughts === 'model' ? required(languageModel) : optional(languageModel);
}

/** Role of a thought that was copied. */
export const EXTRACTED = 'extracted';

/** Returns the note of a trace whose thoughts come from no model. */
export const withoutModel = (lost: string): ModelOutput => ({
  role: 'degraded',
  text: `Without a language model: each thought is a sentence copied from search results. Missing: ${lost}.`,
  parsed: true,
});
