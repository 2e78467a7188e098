/** What calls of `generateStructured` may come to: each has one repair. */
import type { Prompt } from './language-model.ts';
import type { PlannedCalls } from './planned-calls.ts';
import { promptTokens } from './prompt-tokens.ts';
import { REPAIR_TOKENS } from './structured.ts';

/**
 * So many calls of the prompt, each with its one repair at most. `atMost`: tokens that no prompt
 * exceeds, where there is such a limit.
 */
export function repairable(prompt: Prompt, calls: number, atMost?: number): PlannedCalls {
  const { role, maxTokens } = prompt;
  const usual = Math.min(promptTokens(prompt), atMost ?? Number.POSITIVE_INFINITY);
  const most = (atMost ?? usual) + maxTokens + REPAIR_TOKENS;
  return {
    ...{ role, atMost: 2 * calls, promptTokens: most, completionTokens: maxTokens },
    expected: { calls, promptTokens: usual },
  };
}
