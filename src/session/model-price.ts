/** Chooses the price of a model: as given, as recorded, or the list price. */
import { InputError } from '../core/errors.ts';
import { KNOWN_PRICES } from '../models/known-prices.ts';
import { type Price, type PriceTable, priceIn } from '../models/price.ts';

/** One price, or prices by model. */
export type GivenPrice = Price | PriceTable;

/**
 * Returns the given price of the model that goes by one of `names`, else the recorded one, else the
 * list price; undefined if none is known. Throws `InputError('unknown-price')` if a given table
 * lacks the model.
 */
export function modelPrice(
  given: GivenPrice | undefined,
  names: readonly string[],
  recorded?: Price,
): Price | undefined {
  if (given === undefined) return recorded ?? priceIn(KNOWN_PRICES, names);
  if (isPrice(given)) return given;
  const price = priceIn(given, names);
  if (price || names.length === 0) return price;
  throw new InputError('unknown-price', 'The price table holds no price of the model', {
    expected: `one of ${Object.keys(given).slice(0, 20).join(', ')}`,
    received: names.map(name => `"${name}"`).join(' or '),
  });
}

const isPrice = (given: GivenPrice): given is Price => typeof given.input === 'number';
