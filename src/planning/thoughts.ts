/**
 * Where a strategy's thoughts come from: a language model, or sentences of what was found, copied
 * by a rule.
 */
import type { LanguageModel } from '../models/language-model.ts';
import { type Need, optional, required } from '../models/port.ts';
import { languageModel } from '../models/ports.ts';
import type { ModelOutput } from '../trace/trace.ts';

export type ThoughtSource = 'any' | 'model' | 'extracted';

export const THOUGHTS_PARAMETER = {
  name: 'thoughts',
  type: 'text',
  default: 'any',
  choices: ['any', 'model', 'extracted'],
  summary:
    'by the run’s model where it has one, else by a rule (any); by the model or not at all; by the rule alone, a lower bound (extracted)',
} as const;

export const ANSWER_PARAMETER = {
  name: 'answer',
  type: 'text',
  default: 'own',
  choices: ['own', 'reader'],
  summary:
    'the strategy’s own answer where its evidence supports it, else the reader’s; or always the reader’s',
} as const;

/** Returns the need of a strategy that takes its thoughts from a source; none if extracted. */
export function thoughtsNeed(thoughts: ThoughtSource): Need<LanguageModel> | undefined {
  if (thoughts === 'extracted') return undefined;
  return thoughts === 'model' ? required(languageModel) : optional(languageModel);
}

/** Role of a thought that was copied. */
export const EXTRACTED = 'extracted';

/** A trace says so when its thoughts are no model's. */
export const withoutModel = (lost: string): ModelOutput => ({
  role: 'degraded',
  text: `Without a language model: each thought is a sentence copied from what was found. Lost: ${lost}.`,
  parsed: true,
});
