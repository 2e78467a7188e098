/** Prints what an evaluation spent on its language models. */
import type { DecoratedModel } from '../session/decorated-model.ts';
import type { TotalBudget } from '../session/total-budget.ts';
import { limitOption } from './budget.ts';
import type { Output } from './output.ts';
import { usageWords } from './run-text.ts';

/** The models that an evaluation asked. */
export interface AskedModels {
  readonly answering: DecoratedModel | undefined;
  readonly judging: DecoratedModel | undefined;
}

/**
 * Returns the exit code: 1 if a replay lacked prompts, since it does not repeat the recorded run; 3
 * if the total budget was reached.
 */
export function printSpending(
  { answering, judging }: AskedModels,
  { reached }: TotalBudget,
  output: Output,
): number {
  if (answering && answering.spent.calls > 0)
    output.note(`The language model: ${spendingWords(answering)}`);
  if (judging) output.note(`The judge ${judging.model.id}: ${spendingWords(judging)}`);
  if (reached) {
    const limit = limitOption(reached);
    output.warn(
      `The total budget was reached (${limit}): later questions were answered without the model, or not at all, and not judged`,
    );
  }
  const misses = (answering?.misses ?? 0) + (judging?.misses ?? 0);
  if (misses > 0)
    output.error(
      `${misses} prompts are not on the cassette: record them with --model NAME beside --cassette FILE (--judge beside --judge-cassette)`,
    );
  return misses > 0 ? 1 : reached ? 3 : 0;
}

/** `4 model calls, 120 model tokens, 0.156 USD`. */
function spendingWords({ spent: { calls, input, output, usd } }: DecoratedModel): string {
  return usageWords({ modelCalls: calls, modelTokens: input + output, usd }).join(', ');
}
