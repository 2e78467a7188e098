/** Attaches a price to a language model, so that budgets in US dollars apply to it. */
import { InputError } from '../core/errors.ts';
import { decorated } from './checked-completion.ts';
import type { LanguageModel } from './language-model.ts';
import type { Price } from './price.ts';

/**
 * Returns the same model with a price: its calls are reserved and settled in dollars too. Outer
 * decorators pass the price on. Throws `InputError('bad-price')`.
 *
 * @example
 * ```ts
 * import { ask, ingest } from 'multihop';
 * import { pricedModel } from 'multihop/models';
 * import { scriptedModel } from 'multihop/testing';
 *
 * const model = pricedModel(scriptedModel(['Charles']), { input: 0.15, output: 0.6 });
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const options = { engine, reader: 'generative', resources: { model }, budget: { usd: 0.01 } };
 * console.log((await ask('Who built the engine?', options)).spent.usd);
 * ```
 */
export function pricedModel(model: LanguageModel, price: Price): LanguageModel {
  for (const [kind, usd] of [
    ['input', price.input],
    ['output', price.output],
  ] as const)
    if (!(Number.isFinite(usd) && usd >= 0))
      throw new InputError(
        'bad-price',
        `Invalid price of ${kind} tokens of the model "${model.id}"`,
        { expected: 'US dollars per million tokens, at least 0', received: String(usd) },
      );
  return { ...decorated(model, (...call) => model.generate(...call)), price };
}
