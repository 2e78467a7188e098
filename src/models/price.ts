/**
 * What tokens cost: prices by model, and money counted in whole billionths of a dollar, so that
 * sums do not depend on their order.
 */

/**
 * US dollars for a million tokens. What providers grant on prompts that they remember is not
 * counted: a bill may be lower.
 */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Of when the price list is, `2026-07`; missing where the user said it. */
  readonly asOf?: string;
}

/** By the model's name, as its provider calls it. */
export type PriceTable = Readonly<Record<string, Price>>;

/** Prices are decimals and floats are not: a share of an amount by which it may be off. */
const ROUNDING = 1e-12;

/** In US dollars, rounded up to a billionth. */
export function usdOf(
  { input, output }: Price,
  tokens: { readonly input: number; readonly output: number },
): number {
  // Tokens times dollars for a million are millionths of a dollar; a thousand times that,
  // billionths.
  return Math.ceil((tokens.input * input + tokens.output * output) * 1000 * (1 - ROUNDING)) / 1e9;
}

/**
 * The price of the first of these names that has one: as it stands, else without the provider
 * before it (`openai-compatible:NAME`,
 * `openai/NAME`). Names are never matched in part: another version has another price.
 */
export function priceIn(table: PriceTable, names: readonly string[]): Price | undefined {
  for (const name of names)
    for (const form of [
      name,
      name.replace(/^[\w.-]+:/, ''),
      name.replace(/^(?:[\w.-]+:)?.*\//, ''),
    ])
      if (Object.hasOwn(table, form)) return table[form];
  return undefined;
}
