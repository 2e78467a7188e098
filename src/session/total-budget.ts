/** Limits what all runs of a composition together may use of its language models. */
import { InputError } from '../core/errors.ts';
import { BudgetReached } from '../core/trace/call.ts';
import { Ledger } from '../core/trace/ledger.ts';
import type { Budget, LimitName } from '../core/trace/usage.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { reservedModel } from '../models/reserved-model.ts';
import { monotonicClock } from '../platform/clock.ts';

/** One ledger over all runs, beside the ledger of each run. */
export class TotalBudget {
  readonly limits: Budget;
  /** The first limit that refused a call. */
  reached: LimitName | undefined;
  private readonly ledger: Ledger;

  constructor(limits: Budget, signal: AbortSignal) {
    this.limits = limits;
    this.ledger = new Ledger({ budget: limits, signal, clock: monotonicClock });
  }

  /** Returns a model that reserves its calls here. Throws `InputError('unknown-price')`. */
  around(model: LanguageModel): LanguageModel {
    if (Object.keys(this.limits).length === 0) return model;
    if (this.limits.usd !== undefined && !model.price)
      throw new InputError(
        'unknown-price',
        `The total budget limits US dollars, and no price is known of the model "${model.id}"`,
        {
          expected: 'a price for a million tokens of prompts and of completions',
          hint: 'Give the model a price in US dollars a million tokens: price: { input, output } (0 for a model of your own).',
          remedy: { id: 'give-price' },
        },
      );
    const begin: Ledger['begin'] = (port, role, atMost) => {
      try {
        return this.ledger.begin(port, role, atMost);
      } catch (error) {
        if (error instanceof BudgetReached) this.reached ??= error.limit;
        throw error;
      }
    };
    return reservedModel(model, { begin });
  }
}
