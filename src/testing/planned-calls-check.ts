/**
 * What a strategy says that it may ask of a model, held against what it asks: `--dry-run` promises
 * no more than this.
 */
import type { LanguageModel, Prompt } from '../models/language-model.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import { promptTokens } from '../models/prompt-tokens.ts';
import { holds } from './law.ts';

/** A model that remembers what it was asked since it was last emptied. */
export function listening(model: LanguageModel): {
  readonly model: LanguageModel;
  readonly prompts: Prompt[];
} {
  const prompts: Prompt[] = [];
  return {
    prompts,
    model: {
      id: model.id,
      ...(model.price ? { price: model.price } : {}),
      generate(prompt, call, onText) {
        prompts.push(prompt);
        return model.generate(prompt, call, onText);
      },
    },
  };
}

/**
 * The prompts of one question: of roles that are planned, no more calls of each, no larger prompt,
 * no longer completion.
 */
export function checkPlanned(
  planned: readonly PlannedCalls[],
  prompts: readonly Prompt[],
  what: string,
): void {
  for (const role of new Set(prompts.map(prompt => prompt.role))) {
    const asked = prompts.filter(prompt => prompt.role === role);
    const plans = planned.filter(plan => plan.role === role);
    holds(plans.length > 0, `${what}: calls in the role "${role}"`, 'a plan of them', asked.length);
    const most = (pick: (plan: PlannedCalls) => number): number => Math.max(...plans.map(pick));
    const calls = plans.reduce((sum, { atMost }) => sum + atMost, 0);
    holds(
      asked.length <= calls,
      `${what}: calls in the role "${role}"`,
      `at most ${calls}`,
      asked.length,
    );
    const longest = Math.max(...asked.map(promptTokens));
    const tokens = most(plan => plan.promptTokens);
    holds(
      longest <= tokens,
      `${what}: tokens of a prompt in the role "${role}"`,
      `at most ${tokens}`,
      longest,
    );
    const completion = Math.max(...asked.map(({ maxTokens }) => maxTokens));
    const room = most(plan => plan.completionTokens);
    holds(
      completion <= room,
      `${what}: tokens of a completion in the role "${role}"`,
      `at most ${room}`,
      completion,
    );
  }
}
