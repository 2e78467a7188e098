/** Parses prices: `in=0.15,out=0.6`, or a file of prices by model. */
import { readFileSync } from 'node:fs';
import { InputError } from '../core/errors.ts';
import { parseJson } from '../core/text/bounded-json.ts';
import type { Price, PriceTable } from '../models/price.ts';
import type { GivenPrice } from '../session/model-price.ts';

/**
 * Returns the given price, or the table of a file. Throws `InputError('bad-price')`.
 */
export function parsePrice(text: string): GivenPrice {
  return /^\s*(?:in|out)\s*=/.test(text) ? onePrice(text) : readTable(text);
}

const EXPECTED = 'in=USD,out=USD, each for a million tokens';

function onePrice(text: string): Price {
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
    throw new InputError('bad-price', 'The price lacks a part', {
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
    table[model] = { input, output, asOf: typeof asOf === 'string' ? asOf : undefined };
  }
  return table;
}

function readJson(path: string): unknown {
  try {
    return parseJson(readFileSync(path, 'utf8'));
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
