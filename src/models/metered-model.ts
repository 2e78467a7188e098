/**
 * A language model that keeps count of what was asked of it, for those who ask it outside of a run:
 * a judge, a summary of an evaluation.
 */
import { addUsage } from '../trace/usage.ts';
import { checkedCompletion } from './checked-completion.ts';
import type { LanguageModel } from './language-model.ts';
import { usageOf } from './reserved-model.ts';

export interface ModelSpending {
  /** Those that failed included. */
  readonly calls: number;
  readonly failed: number;
  /** Tokens of prompts, and of completions. */
  readonly input: number;
  readonly output: number;
  /** Calls whose tokens were estimated. */
  readonly estimated: number;
  /** Missing where the model has no price. */
  readonly usd?: number;
}

export interface MeteredModel extends LanguageModel {
  /** Since it was made; grows. */
  readonly spent: ModelSpending;
}

/** A failed call counts as a call, and nothing is known of its tokens. */
export function meteredModel(model: LanguageModel): MeteredModel {
  const spent = {
    calls: 0,
    failed: 0,
    input: 0,
    output: 0,
    estimated: 0,
    ...(model.price ? { usd: 0 } : {}),
  };
  return {
    id: model.id,
    ...(model.price ? { price: model.price } : {}),
    spent,
    async generate(prompt, call, onText) {
      spent.calls++;
      try {
        const completion = checkedCompletion(
          model,
          prompt,
          await model.generate(prompt, call, onText),
        );
        const { input, output, estimated } = completion.usage;
        spent.input += input;
        spent.output += output;
        if (estimated) spent.estimated++;
        if (model.price)
          spent.usd = addUsage({ usd: spent.usd ?? 0 }, usageOf(completion.usage, model.price))
            .usd!;
        return completion;
      } catch (error) {
        spent.failed++;
        throw error;
      }
    },
  };
}
