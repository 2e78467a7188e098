/**
 * Reserves each call of a language model in a budget before it is made, and settles its actual use.
 */
import { defined } from '../core/defined.ts';
import { BudgetReached, type Call } from '../core/trace/call.ts';
import type { Usage } from '../core/trace/usage.ts';
import { decorated, generateChecked } from './checked-completion.ts';
import type { LanguageModel, TokenUsage } from './language-model.ts';
import { type Price, usdOf } from './price.ts';
import { replyTokensOf, tokensOf } from './prompt-tokens.ts';

/**
 * Returns a model that reserves in `ledger`: one call, the tokens of the prompt (see `tokensOf`)
 * plus those of its reply, and their cost if the model has a price. Throws `BudgetReached` if that
 * would exceed a limit, without calling the model.
 *
 * `maxTokens` is never lowered to fit the remaining budget: truncated JSON cannot be parsed and a
 * truncated thought misleads, both at a cost; and a prompt that depends on the budget would miss
 * caches and cassettes. A parameter requests shorter answers.
 *
 * Settles the use that the provider reports. A failed call is charged as reserved. A provider that
 * exceeds the reservation (it ignores `maxTokens`, or the prompt has more tokens than estimated) is
 * charged in full, so one call can exceed a limit by its excess; the ledger begins no call after
 * it.
 */
export function reservedModel(model: LanguageModel, ledger: Pick<Call, 'begin'>): LanguageModel {
  return decorated(model, async (prompt, call, onText) => {
    const atMost = usageOf(
      { input: tokensOf(model, prompt), output: replyTokensOf(model, prompt) },
      model.price,
    );
    const settle = ledger.begin('model', prompt.role, atMost);
    let used: Usage = atMost;
    try {
      const completion = await generateChecked(model, prompt, call, onText);
      used = usageOf(completion.usage, model.price);
      return completion;
    } catch (error) {
      // A budget of the inner model refused the call: it was not made.
      if (error instanceof BudgetReached) used = {};
      throw error;
    } finally {
      settle(used);
    }
  });
}

/** Returns the use of one call in the units of a ledger. */
export function usageOf({ input, output }: TokenUsage, price: Price | undefined): Usage {
  return defined<Usage>({
    modelCalls: 1,
    modelTokens: input + output,
    usd: price && usdOf(price, { input, output }),
  });
}
