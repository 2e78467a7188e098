/**
 * A language model within a budget: each call is reserved before it is made, and settled by what it
 * used.
 */
import { BudgetReached, type Call } from '../trace/call.ts';
import type { Usage } from '../trace/usage.ts';
import { checkedCompletion } from './checked-completion.ts';
import type { LanguageModel, TokenUsage } from './language-model.ts';
import { type Price, usdOf } from './price.ts';
import { promptTokens } from './prompt-tokens.ts';

/**
 * Reserves in `ledger`: one call, the prompt's tokens as they are estimated and `maxTokens`, and
 * what both cost where the model has a price. Throws `BudgetReached` where that would exceed a
 * limit; the model is not asked then.
 *
 * `maxTokens` is never lowered to fit what is left: JSON that is cut short cannot be read and a
 * thought that is cut short steers wrongly, both for money; and a prompt that depended on the
 * budget could not be found again in a cache or a cassette. A shorter answer is asked for by a
 * parameter.
 *
 * What is settled is what the provider says it used. A call that fails has been made: it is charged
 * as it was reserved. A provider that uses more than was reserved (it ignores `maxTokens`, or the
 * prompt has more tokens than the estimate) is charged for that too, so a limit can be exceeded by
 * this one call's excess; the ledger begins nothing after it.
 */
export function reservedModel(model: LanguageModel, ledger: Pick<Call, 'begin'>): LanguageModel {
  return {
    id: model.id,
    ...(model.price ? { price: model.price } : {}),
    async generate(prompt, call, onText) {
      const atMost = usageOf(
        { input: promptTokens(prompt), output: prompt.maxTokens },
        model.price,
      );
      const settle = ledger.begin('model', prompt.role, atMost);
      let used: Usage = atMost;
      try {
        const completion = checkedCompletion(
          model,
          prompt,
          await model.generate(prompt, call, onText),
        );
        used = usageOf(completion.usage, model.price);
        return completion;
      } catch (error) {
        // A budget around the model has refused the call: it was not made.
        if (error instanceof BudgetReached) used = {};
        throw error;
      } finally {
        settle(used);
      }
    },
  };
}

/** One call, in the units of a ledger. */
export function usageOf({ input, output }: TokenUsage, price: Price | undefined): Usage {
  return {
    modelCalls: 1,
    modelTokens: input + output,
    ...(price ? { usd: usdOf(price, { input, output }) } : {}),
  };
}
