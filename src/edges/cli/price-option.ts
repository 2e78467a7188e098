/**
 * `--price in=0.15,out=0.6`, or a file of prices by model; without it the price list that comes
 * with the project.
 */
import { readFileSync } from 'node:fs';
import { InputError } from '../../errors.ts';
import { KNOWN_PRICES } from '../../models/known-prices.ts';
import { type Price, type PriceTable, priceIn } from '../../models/price.ts';
import type { Option } from './command.ts';

export const PRICE_OPTION: Option = {
  name: 'price',
  value: 'PRICE',
  summary:
    'US dollars for a million tokens, as in=0.15,out=0.6, or a JSON file { "MODEL": { "input": 0.15, "output": 0.6 } }; of a few models a list price is known',
};

/**
 * The price of a model, by the names that it goes by: as the user says, else as it was recorded,
 * else the list price. Undefined where nobody knows. Throws `InputError`: `bad-price`, or
 * `unknown-price` for a file that does not hold the model.
 */
export function priceOption(
  given: string | undefined,
  names: readonly string[],
  recorded?: Price,
): Price | undefined {
  if (given === undefined) return recorded ?? priceIn(KNOWN_PRICES, names);
  if (/^\s*(?:in|out)\s*=/.test(given)) return parsePrice(given);
  const table = readTable(given);
  const price = priceIn(table, names);
  if (price || names.length === 0) return price;
  throw new InputError('unknown-price', `The file ${given} holds no price of the model`, {
    expected: `one of ${Object.keys(table).slice(0, 20).join(', ')}`,
    received: names.map(name => `"${name}"`).join(' or '),
  });
}

const EXPECTED = 'in=USD,out=USD, each for a million tokens';

function parsePrice(text: string): Price {
  const parts = new Map<string, number>();
  for (const part of text.split(',')) {
    const match = /^\s*(in|out)\s*=\s*(\d+(?:\.\d+)?)\s*$/.exec(part);
    if (!match || parts.has(match[1]!))
      throw new InputError('bad-price', 'Cannot read the price', {
        expected: EXPECTED,
        received: `"${part}"`,
      });
    parts.set(match[1]!, Number(match[2]));
  }
  const [input, output] = [parts.get('in'), parts.get('out')];
  if (input === undefined || output === undefined)
    throw new InputError('bad-price', 'The price is half a price', {
      expected: EXPECTED,
      received: `"${text}"`,
    });
  return { input, output };
}

function readTable(path: string): PriceTable {
  const table = Object.create(null) as Record<string, Price>;
  const json = readJson(path);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw notPrices(path, 'a list or a single value');
  for (const [model, value] of Object.entries(json)) {
    const { input, output, asOf } = (value ?? {}) as Record<string, unknown>;
    if (!isAmount(input) || !isAmount(output))
      throw notPrices(path, `of "${model.slice(0, 80)}": ${JSON.stringify(value)?.slice(0, 80)}`);
    table[model] = { input, output, ...(typeof asOf === 'string' ? { asOf } : {}) };
  }
  return table;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw notPrices(path, (error as Error).message.slice(0, 120));
  }
}

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

const notPrices = (path: string, received: string): InputError =>
  new InputError('bad-price', `Cannot read prices from ${path}`, {
    expected: `${EXPECTED}, or a JSON file { "MODEL": { "input": USD, "output": USD } }`,
    received,
  });
