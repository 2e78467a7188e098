/** Plans the calls of `generateStructured`, each of which may need one repair. */
import type { Prompt } from './language-model.ts';
import type { PlannedCalls } from './planned-calls.ts';
import { promptTokens } from './prompt-tokens.ts';
import { REPAIR_TOKENS } from './structured.ts';

/**
 * Returns the plan of `calls` calls of the prompt with at most one repair each. `atMost`: an upper
 * bound on the tokens of any such prompt, if there is one.
 */
export function repairable(prompt: Prompt, calls: number, atMost?: number): PlannedCalls {
  const { role, maxTokens } = prompt;
  const usual = Math.min(promptTokens(prompt), atMost ?? Number.POSITIVE_INFINITY);
  const most = (atMost ?? usual) + maxTokens + REPAIR_TOKENS;
  return {
    role,
    atMost: 2 * calls,
    promptTokens: most,
    completionTokens: maxTokens,
    expected: { calls, promptTokens: usual },
  };
}
