/** Validates the budget of a run and sets the reader's share of it aside. */
import { InputError } from '../core/errors.ts';
import { needOf } from '../core/port.ts';
import type { Ledger } from '../core/trace/ledger.ts';
import { addUsage, type Budget, LIMIT_NAMES } from '../core/trace/usage.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { languageModel } from '../models/ports.ts';
import { replyTokensOf } from '../models/prompt-tokens.ts';
import { usageOf } from '../models/reserved-model.ts';
import type { Reader } from '../readers/reader.ts';
import type { Strategy } from '../strategies/strategy.ts';

/** Returns the name of a limit in code, also of that on the command line: `model-tokens`. */
const inCode = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Returns the finite limits by their names in code. Throws `InputError`: `unknown-limit`,
 * `bad-limit`.
 */
export function checkBudget(limits: Budget): Budget {
  const budget = Object.fromEntries(
    Object.entries(limits)
      .filter(([, value]) => value !== undefined && value !== Number.POSITIVE_INFINITY)
      .map(([name, value]) => [inCode(name), value]),
  );
  for (const [name, value] of Object.entries(budget)) {
    if (!(LIMIT_NAMES as readonly string[]).includes(name))
      throw new InputError('unknown-limit', `Unknown limit "${name}"`, {
        expected: `one of ${LIMIT_NAMES.join(', ')}`,
      });
    if (typeof value !== 'number' || Number.isNaN(value) || value < 0)
      throw new InputError('bad-limit', `The limit "${name}"`, {
        expected: 'a number of at least 0',
        received: String(value),
      });
  }
  return budget;
}

/** Throws `InputError('unknown-price')` if US dollars are limited and the model has no price. */
export function checkPrice(model: LanguageModel | undefined, budget: Budget): void {
  if (!model || model.price || budget.usd === undefined) return;
  throw new InputError(
    'unknown-price',
    `The budget limits US dollars, and no price is known of the model "${model.id}"`,
    {
      expected: 'a price for a million tokens of prompts and of completions',
      hint: 'Give ask() a pricedModel, or the model a price: { input, output } in US dollars a million tokens (0 for a model of your own).',
      remedy: { id: 'give-price' },
    },
  );
}

/**
 * Sets aside one call of each role of the reader, at its largest, if the strategy uses the model
 * too, or a follow-up does (`rewrites`). Repairs draw on the rest.
 */
export function setReadersShareAside(
  ledger: Ledger,
  model: LanguageModel | undefined,
  { strategy, reader }: { readonly strategy: Strategy; readonly reader: Reader },
  rewrites = false,
): void {
  if (!model || !(rewrites || needOf(strategy, languageModel))) return;
  const share = (reader.modelCalls ?? [])
    .map(({ promptTokens, completionTokens }) =>
      usageOf(
        {
          input: promptTokens,
          output: replyTokensOf(model, { maxTokens: completionTokens }),
        },
        model.price,
      ),
    )
    .reduce(addUsage, {});
  ledger.setAside(share);
}
