/** Chooses the price of a model: as the options say, as recorded, or the list price. */
import { InputError } from '../core/errors.ts';
import { KNOWN_PRICES } from '../models/known-prices.ts';
import { type Price, type PriceTable, priceIn } from '../models/price.ts';

/** One price, or prices by model. */
export type GivenPrice = Price | PriceTable;

/**
 * Returns the price in `prices` of the model that goes by one of `names`; without `prices` the
 * recorded price, else the list price; undefined if none is known. Throws
 * `InputError('unknown-price')` if a table lacks the model.
 */
export function modelPrice(
  prices: GivenPrice | undefined,
  names: readonly string[],
  recorded?: Price,
): Price | undefined {
  if (prices === undefined) return recorded ?? priceIn(KNOWN_PRICES, names);
  if (isPrice(prices)) return prices;
  const price = priceIn(prices, names);
  if (price || names.length === 0) return price;
  throw new InputError('unknown-price', 'The price table holds no price of the model', {
    expected: `one of ${Object.keys(prices).slice(0, 20).join(', ')}`,
    received: names.map(name => `"${name}"`).join(' or '),
  });
}

const isPrice = (prices: GivenPrice): prices is Price => typeof prices.input === 'number';
