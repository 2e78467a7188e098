/** A language model whose calls cost money: budgets in US dollars hold for it. */
import { InputError } from '../errors.ts';
import type { LanguageModel } from './language-model.ts';
import type { Price } from './price.ts';

/**
 * The same model with a price. What is asked through it is reserved and settled in dollars too; the
 * price itself stands beside the port, so the decorators outside hand it on. Throws
 * `InputError('bad-price')`.
 */
export function pricedModel(model: LanguageModel, price: Price): LanguageModel {
  for (const [what, usd] of [
    ['input', price.input],
    ['output', price.output],
  ] as const)
    if (!(Number.isFinite(usd) && usd >= 0))
      throw new InputError('bad-price', `The price of ${what} tokens of the model "${model.id}"`, {
        expected: 'US dollars for a million tokens, from 0 on',
        received: String(usd),
      });
  return {
    id: model.id,
    price,
    generate: (prompt, call, onText) => model.generate(prompt, call, onText),
  };
}
