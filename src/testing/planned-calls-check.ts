/**
 * Checks a strategy's planned model calls against its actual prompts: `--dry-run` relies on these
 * upper bounds.
 */
import { defined } from '../core/defined.ts';
import type { LanguageModel, Prompt } from '../models/language-model.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import { promptTokens } from '../models/prompt-tokens.ts';
import { holds } from './law.ts';

/** Wraps a model to record its prompts. */
export function recordingPrompts(model: LanguageModel): {
  readonly model: LanguageModel;
  readonly prompts: Prompt[];
} {
  const prompts: Prompt[] = [];
  return {
    prompts,
    model: defined({
      id: model.id,
      price: model.price,
      generate(prompt, call, onText) {
        prompts.push(prompt);
        return model.generate(prompt, call, onText);
      },
    }),
  };
}

/**
 * Checks the prompts of one question: only planned roles, no more calls in each than planned, no
 * larger prompt, no longer completion.
 */
export function checkPlanned(
  planned: readonly PlannedCalls[],
  prompts: readonly Prompt[],
  what: string,
): void {
  for (const role of new Set(prompts.map(prompt => prompt.role))) {
    const actual = prompts.filter(prompt => prompt.role === role);
    const plans = planned.filter(plan => plan.role === role);
    holds(
      plans.length > 0,
      `${what}: calls in the role "${role}"`,
      'planned calls in that role',
      actual.length,
    );
    const most = (pick: (plan: PlannedCalls) => number): number => Math.max(...plans.map(pick));
    const calls = plans.reduce((sum, { atMost }) => sum + atMost, 0);
    holds(
      actual.length <= calls,
      `${what}: calls in the role "${role}"`,
      `at most ${calls}`,
      actual.length,
    );
    const longest = Math.max(...actual.map(promptTokens));
    const tokens = most(plan => plan.promptTokens);
    holds(
      longest <= tokens,
      `${what}: tokens of a prompt in the role "${role}"`,
      `at most ${tokens}`,
      longest,
    );
    const completion = Math.max(...actual.map(({ maxTokens }) => maxTokens));
    const room = most(plan => plan.completionTokens);
    holds(
      completion <= room,
      `${what}: tokens of a completion in the role "${role}"`,
      `at most ${room}`,
      completion,
    );
  }
}
